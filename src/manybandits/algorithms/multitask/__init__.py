"""Instances that differ from a shared model in few coefficients, and what is learned alone, from all, or from both."""
