"""Policies whose model of the reward is a Gaussian process over contexts."""
