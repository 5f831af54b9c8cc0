"""What can be played in interpreted mode (`manybandits.compiling.interpreting`), and in a time that one would wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType

from manybandits.base.exceptions import InputError
from manybandits.compiling.interpreting import compiled_by_numba
from manybandits.harness.spec import PlaySpec

TRIAL = 20
"""Rounds of one replica that are timed."""
LONGEST = 3600.0
"""The most seconds that an interpreted play may take by this."""


def check_interpreted(
    algorithm: ModuleType, spec: PlaySpec, points: int, device: str, play: Callable[[int], object]
) -> None:
    """Raise InputError if an algorithm cannot be interpreted, or would be played for hours.

    points: of the grid; play: plays one replica for a number of rounds.
    """
    if device != "cpu":
        raise InputError(f"interpreted plays are for a debugger on this processor: leave out --device {device}.")
    for name, value in vars(algorithm).items():
        if compiled_by_numba(value):
            raise InputError(
                f"{algorithm.TITLE}: numba compiles {name} itself, so that it cannot be interpreted: decorate it with "
                "`part` (manybandits.compiling.parts), or set NUMBA_DISABLE_JIT=1."
            )
    rounds = min(TRIAL, spec.horizon)
    began = time.perf_counter()
    play(rounds)
    tuned = points > 1 and spec.tuning != "best-of-grid"
    replicas = len(spec.seeds) * (1 if tuned else points)
    total = replicas * spec.horizon
    total += points * len(spec.tuning_seeds) * (spec.tuning_rounds or spec.horizon) if tuned else 0
    seconds = (time.perf_counter() - began) / rounds * total
    if seconds > LONGEST:
        raise InputError(
            f"{algorithm.TITLE} would take about {seconds / 3600:,.0f} hours when it is interpreted: give fewer rounds "
            "(--horizon 200), fewer seeds (--seeds 0) and one value of each option."
        )
