"""Numerical methods that algorithms share: ridge regression, graphs, neighbours, Gaussian processes, networks."""
