"""Claims of the papers, the runs they speak of, and the verdicts that follow."""
