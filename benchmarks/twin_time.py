"""The time that the plain twin of an algorithm takes, for the benchmarks that show it beside that of the algorithm."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from manybandits.algorithms import contract
from manybandits.environments.kinds.game import Game
from manybandits.harness.replicas import play_replicas
from manybandits.harness.twins import TwinAlgorithm, for_twins


def twin_seconds(game: Game, name: str, rounds: int, options: Mapping[str, Any] | None = None) -> float:
    """Return the seconds of the processor in which one replica of a twin plays a game of so many rounds."""
    twin: Any = TwinAlgorithm(f"plain/{name}")
    setting = contract.complete(twin, options or {}, "benchmark")
    began = time.process_time()
    play_replicas(for_twins(game), twin, [setting], [0], horizon=rounds, progress=False)
    return time.process_time() - began
