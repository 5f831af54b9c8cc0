"""Play one game with one algorithm, all grid points and all seeds at once, into one run table.

The run table is described in `manybandits.results.run_table`. It stores the settings of the play and the facts about
it. Seconds, rounds per second and memory are stored in its provenance, because they differ from run to run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest
from manybandits.environments.game_file import load_game
from manybandits.harness.arguments import expand_grid
from manybandits.harness.replicas import MEMORY, play_replicas
from manybandits.harness.spec import PlaySpec
from manybandits.harness.summary import summary_line
from manybandits.harness.tuning import report_divergence, tune_and_play
from manybandits.results.run_table import describe, save_run


def play(
    environment: Path, spec: PlaySpec, out: Path, *, threads: int = 1, memory: int = MEMORY, device: str = "cpu"
) -> str:
    """Play the frozen game in the file `environment` as `spec` says and write the run table to `out`.

    Returns a summary of the play in one line.
    """
    algorithm, game = catalogue.load(spec.algorithm), load_game(environment)
    name = game.facts["name"]
    if spec.game not in ("", name):
        raise InputError(f"{environment} holds the game {name!r}, but {spec.game!r} is to be played: name its file.")
    grid = contract.known_to(spec.protocol, algorithm, spec.grid)
    points = expand_grid(algorithm, grid, f"{spec.algorithm} on {environment.name}")
    spec = replace(spec, game=name, title=spec.title or algorithm.TITLE, grid=grid)
    settings = {**spec.stored(), "reference": algorithm.REFERENCE, "released": algorithm.RELEASED}
    provenance = Provenance(settings, (environment,))
    # Play a few rounds, including the first training, so that everything is compiled before time is measured.
    how: dict[str, Any] = {"protocol": spec.protocol, "horizon": spec.horizon, "device": device}
    play_replicas(game, algorithm, points[:1], spec.seeds[:1], **how, rounds=min(10, spec.horizon), progress=False)
    table, chosen, seconds = tune_and_play(
        game,
        algorithm,
        points,
        seeds=spec.seeds,
        tuning_seeds=spec.tuning_seeds,
        tuning=spec.tuning,
        tuning_rounds=spec.tuning_rounds,
        threads=threads,
        memory=memory,
        **how,
    )
    diverged = report_divergence(table, algorithm.TITLE, game.nan_reason)
    last = table.groupby(["stage", "options", "seed"])["round"].max()
    table.insert(0, "algorithm", catalogue.short_name(spec.algorithm))
    table.insert(1, "variant", spec.protocol)
    facts = {
        "chosen": describe(chosen),
        "replicas": len(last),
        "diverged": diverged,
        "sources": digest(algorithm.__name__),
    }
    if game.fit_columns and set(game.fit_columns) <= set(table):
        reported = table[(table["stage"] == "evaluation") & table["chosen"] & (table["round"] == spec.horizon)]
        facts["fits"] = {name: int(reported[name].sum()) for name in game.fit_columns}
    costs = {
        "device": device if hasattr(algorithm, "Policy") else "cpu",
        "threads": threads,
        "play_seconds": round(sum(seconds.values()), 3),
        "rounds_per_second": round(int(last.sum()) / sum(seconds.values())),
        "stages": {
            stage: {"replicas": len(last[stage]), "rounds": int(last[stage].max()), "seconds": round(spent, 3)}
            for stage, spent in seconds.items()
        },
    }
    save_run(out, table, {**settings, "environment": game.facts}, facts)
    provenance.save(out, costs=costs)
    return summary_line(spec.title, table, points, chosen, game.nan_reason, out)
