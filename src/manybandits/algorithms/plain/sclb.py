"""SCLB, plainly: Ghosh, Sankararaman and Ramchandran 2021, Algorithm 1.

Not here: Algorithm 1, lines 1 and 4: the input, and the end of a loop.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain._twin import Twin
from manybandits.algorithms.plain.cmlb import CMLB


class SCLB(Twin):
    """CMLB in phases of doubling length."""

    def choose_all(self, t: int, contexts: np.ndarray) -> np.ndarray:
        """Return the arm of each agent, (N,). contexts: (K, d), the same for all."""
        if (t + 1) & t == 0:  # Algorithm 1, line 2: phase i has the rounds 2^i - 1 to 2^(i + 1) - 2
            i = t.bit_length()
            options = {**self.o, "delta": self.o["delta"] / 2**i, "p_star": i**-2}
            self.before, problem = t - 1, self.problem._replace(horizon=2**i)
            self.cmlb = CMLB(problem, options, self.random)  # Algorithm 1, line 3
        return self.cmlb.choose_all(t - self.before, contexts)

    def learn_all(self, t: int, contexts: np.ndarray, arms: np.ndarray, rewards: np.ndarray) -> None:
        """Learn from the rewards, (N,), of the arms played, (N,)."""
        self.cmlb.learn_all(t - self.before, contexts, arms, rewards)
