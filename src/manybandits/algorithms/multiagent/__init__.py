"""Many agents that act in every round: clusters of agents, and agents around a common mean."""
