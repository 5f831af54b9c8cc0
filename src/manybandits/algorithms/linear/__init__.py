"""Policies whose model of the reward is linear in the context."""
