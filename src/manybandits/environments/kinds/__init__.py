"""Kinds of games, one file each: what a policy may know of a game, and how its rounds are played."""
