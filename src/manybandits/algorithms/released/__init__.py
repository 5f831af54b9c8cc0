"""The algorithms of the public code of M-CNB and Meta-Ban, each a whole file, as played with its public games."""
