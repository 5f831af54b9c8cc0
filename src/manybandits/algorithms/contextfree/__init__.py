"""Algorithms that ignore contexts and use the rewards of each arm alone."""
