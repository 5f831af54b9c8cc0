"""The protocols of a paper: as its text describes it, or as its authors' released code does it."""

PROTOCOLS = PAPER, RELEASED = "paper", "released"
"""What a game is made by: every game is of one of them."""
AS_WRITTEN = "as written"
"""The name of the reading of a paper in which every choice that it leaves open has its default."""
