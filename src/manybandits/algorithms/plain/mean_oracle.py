"""The oracle of the mean, plainly: a reference of ours, which knows the average of the agents' vectors."""

from __future__ import annotations

from manybandits.algorithms.plain.pmlb import PMLB
from manybandits.base.exceptions import InputError


class MeanOracle(PMLB):
    """PMLB without its common rounds."""

    def begin(self) -> None:
        super().begin()
        if self.problem.truth is None:
            raise InputError("the agents of this game have no vectors that an oracle could know: leave it out.")
        self.rounds, self.theta = 0, self.problem.truth.mean
