"""Compilation of policies with numba: parts, kernels, and views of one replica of a stacked state."""
