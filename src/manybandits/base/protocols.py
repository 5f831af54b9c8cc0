"""The protocols of a paper: as its text describes it, or as its authors' released code does it."""

PROTOCOLS = PAPER, RELEASED = "paper", "released"
"""Both protocols; that of the text comes first, since only verdicts under it are counted."""
