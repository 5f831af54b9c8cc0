"""The plan of a run: the jobs that follow from a configuration and the paper files."""
