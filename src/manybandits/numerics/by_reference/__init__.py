"""Methods on block contexts that are stored once and never written out."""
