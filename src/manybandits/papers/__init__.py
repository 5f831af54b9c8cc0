"""The papers as data: their experiments and their claims."""
