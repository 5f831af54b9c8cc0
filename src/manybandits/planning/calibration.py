"""The speed of this machine, from a few of the measured plays, played again."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from manybandits.base.artifacts import load_provenance
from manybandits.environments.catalogue import load_module
from manybandits.harness.play import play
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import CostModel
from manybandits.planning.jobs import Play
from manybandits.planning.plan import make_plan

MOST = 8
"""Plays that are played again."""
SECONDS = 2.0, 6.0
"""How long each of them took when it was measured: long enough to be timed, short enough for a minute in all."""


def probes(root: Path, model: CostModel) -> list[Play]:
    """Return plays of different algorithms that were measured themselves, on games that need no data."""
    plays = make_plan(load_configuration(root, []), root).plays
    found: dict[str, Play] = {}
    for _, one in sorted(plays.items()):
        cost = model.of_play(one)
        if not one.environment.datasets and cost.level == 0 and SECONDS[0] <= cost.seconds <= SECONDS[1]:
            found.setdefault(one.spec.algorithm, one)
    return list(found.values())[:MOST]


def measure_speed(root: Path) -> float:
    """Return the seconds that this machine takes for one second of the machine that was measured: a median."""
    model, ratios = CostModel(), []
    for one in probes(root, model):
        with tempfile.TemporaryDirectory() as folder:
            game, table = Path(folder, f"{one.environment.name}.npz"), Path(folder, "runs", one.name, "run.parquet")
            load_module(one.environment.module).main([*one.environment.arguments, "--out", str(game)])
            play(game, one.spec, table)
            ratios.append(load_provenance(table)["made_on"]["play_seconds"] / model.of_play(one).seconds)
        sys.stderr.write(f"{one.spec.title}: {ratios[-1]:.2f} times as long as measured\n")
    return median(ratios)
