"""From a configuration and the paper files to the jobs of a run."""
