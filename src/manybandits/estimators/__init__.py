"""Estimators of related regressions, and the experiments on them."""
