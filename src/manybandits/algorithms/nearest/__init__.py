"""Algorithms that look at the rewards of similar contexts."""
