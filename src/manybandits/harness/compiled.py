"""Initial states of R replicas of a compiled algorithm, which is written for one replica."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.compiling.replicas import row, stack


def start_replicas(
    algorithm: ModuleType,
    problem: Problem,
    settings: Sequence[Mapping[str, float | int | str]],
    random: np.ndarray,
) -> Any:
    """Return the stacked states of R replicas before the first round, see `manybandits.compiling.replicas.stack`.

    problem: with the truth and the log of all replicas, of which each replica gets its own; settings: the option values
    of each replica; random: (R, 1) uint64, their random streams.
    """

    def start(r: int) -> Any:
        own = problem._replace(truth=row(problem.truth, r), log=row(problem.log, r))
        return algorithm.start(own, settings[r], random[r])

    return stack(map(start, range(len(settings))), len(settings))
