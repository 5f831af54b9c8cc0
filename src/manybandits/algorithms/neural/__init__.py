"""Policies whose models are neural networks, written for R replicas at once."""
