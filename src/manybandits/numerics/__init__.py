"""Numerical methods shared by algorithms: ridge regression, LASSO, graphs, neighbours, Gaussian processes, networks."""
