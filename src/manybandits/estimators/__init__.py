"""Estimators of related linear regressions, and the experiment that compares them."""
