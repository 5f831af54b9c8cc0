"""Draws from the normal, gamma and beta distributions, from a stream that a compiled policy carries in its state."""

from __future__ import annotations

import numpy as np
from numba import njit

from manybandits.core.seeds import uniform


@njit
def normal(random: np.ndarray) -> float:
    """Draw from the standard normal distribution (Box and Muller 1958). random: (1,) uint64, advanced."""
    radius = np.sqrt(-2.0 * np.log(1.0 - uniform(random)))
    return radius * np.cos(2.0 * np.pi * uniform(random))


@njit
def gamma(shape: float, random: np.ndarray) -> float:
    """Draw from the gamma distribution with scale 1 (Marsaglia and Tsang 2000). shape > 0."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - uniform(random)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = normal(random)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(1.0 - uniform(random)) < 0.5 * x * x + d - d * v + d * np.log(v):
            return boost * d * v


@njit
def beta(a: float, b: float, random: np.ndarray) -> float:
    """Draw from the beta distribution. a, b > 0."""
    x, y = gamma(a, random), gamma(b, random)
    return x / (x + y)
