"""AM bandit, plainly: Xu and Bastani 2021, Algorithm 2 with the averaging estimator of equation 4."""

from __future__ import annotations

from manybandits.algorithms.plain.rmbandit import RMBandit


class AMBandit(RMBandit):
    """RMBandit with the mean in place of the trimmed mean."""

    def begin(self) -> None:
        self.o = {**self.o, "omega_0": 0.0, "zeta": 0.0, "eta": 0.0}
        super().begin()
