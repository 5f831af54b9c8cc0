"""Averaged OLS bandit, plainly: Xu and Bastani 2021, Algorithm 2 with the averaging estimator of section 3.6."""

from __future__ import annotations

import math

from manybandits.algorithms.plain.am_bandit import AMBandit


class AveragedBandit(AMBandit):
    """The AM bandit with a penalty so large that no instance differs."""

    def begin(self) -> None:
        self.o = {**self.o, "lambda_0": math.inf, "lambda_1": math.inf}
        super().begin()

    def paths(self) -> tuple[float, list[float]]:
        return 0.0, [math.inf] * len(self.B)
