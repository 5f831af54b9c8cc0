"""Faults: whatever breaks, a sentence, nothing lost, the same bytes after."""
