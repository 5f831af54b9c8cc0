"""What a run leaves: run tables, tables of errors, verdicts, and how they are read."""
