"""Algorithms that look at no context: each arm is as good as what it paid."""
