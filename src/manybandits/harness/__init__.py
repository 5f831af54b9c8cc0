"""One play, an algorithm on a game: from its specification to its run table."""
