"""The protocols of a paper: what its text says, and what its authors' released code does where the two differ."""

PROTOCOLS = PAPER, RELEASED = "paper", "released"
"""The protocol of the text comes first: only verdicts under it are counted."""
