"""Files of a run that are written, not played, so that what is true of them is known."""
