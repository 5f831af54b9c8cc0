"""The site of a run: its figures, tables and verdicts, and what they were made from."""
