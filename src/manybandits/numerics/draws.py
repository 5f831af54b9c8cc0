"""Uniform random numbers for compiled policies.

The random stream of a policy is part of its state, so that a replica never depends on other replicas. The
generator is SplitMix64, whose state is one 64-bit word; `manybandits.base.seeds.words` makes the first one.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part

_GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31 = (np.uint64(shift) for shift in (11, 27, 30, 31))
_TO_UNIT = 1.0 / (1 << 53)


@part
def next_word(random: np.ndarray) -> np.uint64:
    """Advance the SplitMix64 stream `random`, (1,) uint64, and return its next word (Steele et al. 2014)."""
    random[0] += _GOLDEN_GAMMA
    word = random[0]
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@part
def uniform(random: np.ndarray) -> float:
    """Draw a number from [0, 1) with 53 random bits."""
    return (next_word(random) >> _S11) * _TO_UNIT


@part
def below(random: np.ndarray, n: int) -> int:
    """Draw an integer from 0, ..., n - 1 (the bias of the product method is below n / 2^53)."""
    return int(uniform(random) * n)
