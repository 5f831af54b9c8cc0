"""Algorithms that use the rewards of the nearest contexts."""
