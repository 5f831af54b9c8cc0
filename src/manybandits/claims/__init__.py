"""Judging the claims of the papers on the results of runs."""
