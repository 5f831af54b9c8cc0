"""Bandits for many instances whose coefficients differ little: they learn alone, from all instances, or from both."""
