"""Results of runs: run tables, errors and verdicts, and what figures, tables and claims compute from them."""
