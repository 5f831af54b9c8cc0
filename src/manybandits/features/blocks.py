"""Block contexts: x placed in block k of K, as classification becomes a bandit problem.

Arm k of an instance x has the context (0, ..., 0, x, 0, ..., 0) with x in block k. Such a vector is d K long
and all of it but x is zero, so nobody should build it: `BlockContexts` stores x once. A linear model on
block contexts is K small models, and a first layer touches one block of its weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from manybandits.core.errors import InputError


@dataclass(frozen=True)
class BlockContexts:
    """The contexts of K arms for a batch of instances.

    instances: (n, d), one row an instance. blocks: K, the number of arms.
    """

    instances: np.ndarray
    blocks: int

    def __post_init__(self) -> None:
        if self.instances.ndim != 2:
            raise InputError(f"block contexts need instances of shape (n, d), not {self.instances.shape}.")
        if self.blocks < 1:
            raise InputError(f"block contexts need at least one block, not {self.blocks}.")

    @property
    def dimension(self) -> int:
        """Length d K of a context written out."""
        return self.instances.shape[1] * self.blocks

    def dot(self, weights: np.ndarray) -> np.ndarray:
        """Return the inner products of all contexts with `weights`, (d K,), as (n, K)."""
        return self.instances @ weights.reshape(self.blocks, -1).T

    def dense(self) -> np.ndarray:
        """Return the contexts written out, (n, K, d K). For tests and small examples only."""
        count, width = self.instances.shape
        contexts = np.zeros((count, self.blocks, self.blocks, width))
        for block in range(self.blocks):
            contexts[:, block, block] = self.instances
        return contexts.reshape(count, self.blocks, self.dimension)
