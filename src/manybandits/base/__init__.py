"""What all other packages use: errors, artifacts, configuration files, random streams, source digests, statistics."""
