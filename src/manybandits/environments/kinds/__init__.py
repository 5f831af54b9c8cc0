"""The kinds of games: what a policy may know of a game, and how its rounds are played; one file each."""
