"""Kernels of the kinds of games: compiled loops over rounds, see `manybandits.compiling.kernels`."""
