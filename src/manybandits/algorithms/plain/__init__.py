"""Plain twins: algorithms for one replica in ordinary Python, with the place of every statement in the source."""
