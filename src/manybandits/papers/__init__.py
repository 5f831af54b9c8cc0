"""The papers as data: their experiments and what they claim."""
