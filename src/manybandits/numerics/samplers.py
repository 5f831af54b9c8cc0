"""Draws from the normal, gamma and beta distributions, for compiled policies.

random: (1,) uint64 in every function, the SplitMix64 stream in the policy's state, which is advanced.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.draws import uniform

DETERMINED = 1e-10
"""A conditional variance, given the earlier numbers, below this share of the variance counts as rounding error."""


@part
def normal(random: np.ndarray) -> float:
    """Draw from the standard normal distribution (Box and Muller 1958)."""
    radius = np.sqrt(-2.0 * np.log(1.0 - uniform(random)))
    return radius * np.cos(2.0 * np.pi * uniform(random))


@part
def joint_normal(mean: np.ndarray, covariance: np.ndarray, scale: float, random: np.ndarray, drawn: np.ndarray) -> None:
    """Fill `drawn`, (K,), with a draw from N(mean, scale^2 covariance).

    covariance: (K, K) positive semidefinite; its lower triangle is read, and overwritten by the Cholesky factor. If a
    number is determined by the ones before it, up to rounding, its column of the factor is zero.
    """
    deviates = np.empty(len(mean))
    for i in range(len(mean)):
        deviates[i] = normal(random)
        drawn[i] = mean[i]
        square = covariance[i, i]
        for j in range(i + 1):
            rest = covariance[i, j]
            for k in range(j):
                rest -= covariance[i, k] * covariance[j, k]
            if i == j:
                covariance[i, i] = np.sqrt(rest) if rest > DETERMINED * square else 0.0
            else:
                covariance[i, j] = rest / covariance[j, j] if covariance[j, j] > 0.0 else 0.0
            drawn[i] += scale * covariance[i, j] * deviates[j]


@part
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


@part
def beta(a: float, b: float, random: np.ndarray) -> float:
    """Draw from the beta distribution. a, b > 0."""
    x, y = gamma(a, random), gamma(b, random)
    return x / (x + y)
