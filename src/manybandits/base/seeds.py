"""Named random streams: what is drawn from one never changes what is drawn from another.

Every stream is named by a key, such as ``("rounds", environment, seed, block)``. Equal keys give equal streams and
different keys give independent streams, in whatever order and on whatever machine they are opened. The rounds of a game
are keyed by the environment and the seed only, so that all algorithms face the same rounds (common random numbers).

The generator of compiled policies is in `manybandits.numerics.draws`.
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
    """Return the first state of one SplitMix64 stream per replica, (R, 1) uint64, named by `key` and its seed.

    seeds: (R,) int. The state of a replica depends on its seed and the key only, never on the other replicas.
    """
    return np.array([[stream(*key, int(seed)).integers(2**64, dtype=np.uint64)] for seed in seeds], dtype=np.uint64)


def generator(random: np.ndarray) -> np.random.Generator:
    """Open a numpy stream for what a policy draws before the first round.

    random: (1,) uint64, the SplitMix64 state of the replica, which is not advanced.
    """
    return stream("start", int(random[0]))
