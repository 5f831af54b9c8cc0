"""Small faults put into the source, one at a time, and the tests that see them.

``python -m tests.mutations draw`` draws them by a seed into a list; ``check`` plants each, and runs tests until one
fails.
"""
