"""Policies: they see users, contexts and their own rewards; never a data set, never the other arms' rewards.

A folder a family, a file an algorithm. Adding an algorithm is adding its file: it is found by its name.
"""
