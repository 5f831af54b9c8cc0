"""Limits that data, games and bandits share."""

LARGEST = 1e8
"""The largest size of a feature or a reward. Policies square features and invert matrices of them: beyond it, rounding
errors alone decide what they play."""
