"""Compilation of policies with numba: parts, views of one replica of a state, and the kernels that play them."""
