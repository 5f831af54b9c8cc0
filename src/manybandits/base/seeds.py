"""Random streams: who draws what, and why nobody disturbs anybody.

Every stream is named by a key, such as ``("rounds", environment, seed, block)``. Equal keys give equal
streams and different keys independent ones, in whatever order and on whatever machine they are opened. The
rounds of a game are keyed by the environment and the seed only, so that all algorithms face the same rounds
(common random numbers).

What compiled policies draw stands in `manybandits.numerics.draws`.
"""

from __future__ import annotations

import hashlib

import numpy as np

Key = str | int


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
