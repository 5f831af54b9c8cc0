"""Policies: bandit algorithms, which see users, contexts and the rewards of the arms that they play, and nothing else.

There is one folder per family and one file per algorithm. To add an algorithm, add its file: it is found by its name.
"""
