"""The kernels of the kinds of games: blocks of rounds without Python, see `manybandits.compiling.kernels`."""
