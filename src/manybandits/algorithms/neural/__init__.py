"""Neural bandits: written for R replicas at once, with batched networks."""
