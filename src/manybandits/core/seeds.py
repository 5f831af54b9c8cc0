"""Random streams: who draws what, and why nobody disturbs anybody.

Every stream is named by a key, such as ``("rounds", environment, seed, block)``. Equal keys give equal
streams and different keys independent ones, in whatever order and on whatever machine they are opened. The
rounds of a game are keyed by the environment and the seed only, so that all algorithms face the same rounds
(common random numbers).

Compiled policies draw from a generator of their own (SplitMix64: one 64-bit word of state), because a policy
must carry its stream inside its state: that is what makes a replica independent of its neighbours.
"""

from __future__ import annotations

import hashlib

import numpy as np

from manybandits.core.parts import part

Key = str | int

_GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31 = (np.uint64(shift) for shift in (11, 27, 30, 31))
_TO_UNIT = 1.0 / (1 << 53)


def stream(*key: Key) -> np.random.Generator:
    """Open the numpy stream named by `key`, a sequence of strings and integers."""
    digest = hashlib.sha256(repr(key).encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest, "big")))


def words(seeds: np.ndarray, *key: Key) -> np.ndarray:
    """Return the start of one SplitMix64 stream a replica, (R, 1) uint64, named by `key` and its seed.

    seeds: (R,) int. The word of a replica depends on its seed and the key, never on the other replicas.
    """
    return np.array([[stream(*key, int(seed)).integers(2**64, dtype=np.uint64)] for seed in seeds], dtype=np.uint64)


def generator(random: np.ndarray) -> np.random.Generator:
    """Open a numpy stream for what a policy draws before the first round; `random`, (1,), itself stays put."""
    return stream("start", int(random[0]))


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
