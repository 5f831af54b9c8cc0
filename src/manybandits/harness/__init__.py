"""How a policy meets a game: one play, from its specification to its run table."""
