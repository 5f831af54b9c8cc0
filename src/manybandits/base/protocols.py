"""The protocols of a paper: as its text describes it, or as its authors' released code does it."""

PROTOCOLS = PAPER, RELEASED = "paper", "released"
"""Both protocols; that of the text comes first, since only verdicts under it are counted."""
AS_WRITTEN = "as written"
"""The name of the reading of a paper in which every choice that it leaves open has its default."""
AS_RELEASED = "protocol = released"
"""The name of the reading that is the released code: the answer to the question ``protocol``."""
