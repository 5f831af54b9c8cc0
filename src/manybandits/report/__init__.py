"""The site people read: figures, tables and verdicts of a run, and what they were made from."""
