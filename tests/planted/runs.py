"""Run tables and tables of errors: the one place where tests write any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, load_provenance, provenance_path, save_json, sha256
from manybandits.results.run_table import COLUMNS, save_run

UNMEASURED = (np.nan,) * 6
"""Clusters, size, purity, agreement, untried arms and dead units, where there is nothing to measure."""
TITLES = {"club": "CLUB", "locb": "LOCB", "mine": "Mine & <yours>"}


def replica(
    seed: int,
    rounds: np.ndarray,
    regret: np.ndarray,
    reward: np.ndarray | None = None,
    *,
    algorithm: str = "a",
    options: str = "",
    chosen: bool = True,
    measured: Iterable[float | np.ndarray] = UNMEASURED,
) -> pd.DataFrame:
    """Return the rows of one replica.

    rounds, regret, reward: (T,); without a reward, every round that is not regretted pays. measured: clusters, size,
    purity, agreement, untried and dead, each a number or (T,).
    """
    earned = rounds - regret if reward is None else reward
    known = (algorithm, "paper", "evaluation", options, chosen, seed, rounds, regret, earned, *measured)
    return pd.DataFrame(dict(zip(COLUMNS, known, strict=True)))


def plant_run(
    path: Path,
    replicas: Iterable[pd.DataFrame],
    environment: Mapping[str, Any],
    *,
    facts: Mapping[str, Any],
    costs: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Path:
    """Write a run table and its provenance; return its path. settings: of the play, over those of a play not tuned."""
    played_on = {"name": "game", "stand_in": False, "data_note": "real ratings", **environment}
    tuned = {"tuning": "tuning-seeds", "tuning_seeds": [100], "tuning_rounds": None, "horizon": 1000, "grid": {}}
    played = {"variant": "paper", **tuned, **settings, "environment": played_on}
    save_run(path, pd.concat(list(replicas), ignore_index=True), played, facts)
    Provenance({}).save(path, costs=dict(costs or {}))
    return path


def restamp(path: Path) -> Path:
    """Let the provenance of a file that a test has changed state its SHA-256, as if it had been made so; return it."""
    save_json(provenance_path(path), {**load_provenance(path), "sha256": sha256(path)})
    return path


def plant_line(
    folder: Path, algorithm: str, slope: float, seeds: int = 6, environment: str = "game", stand_in: bool = False
) -> Path:
    """Write the run table of an algorithm whose regret grows by about `slope` a round; CLUB has clusters."""
    rounds = np.arange(1, 21) * 50
    random = np.random.default_rng(len(algorithm))
    clusters = (3.0, 40.0 - rounds / 50, 0.2 + rounds / 2000, *UNMEASURED[3:])
    measured = clusters if algorithm == "club" else UNMEASURED
    return plant_run(
        folder / f"{environment}-{algorithm}.parquet",
        [
            replica(
                seed,
                rounds,
                slope * rounds * (1 + 0.02 * random.normal()),
                algorithm=algorithm,
                options="alpha=1",
                measured=measured,
            )
            for seed in range(seeds)
        ],
        {
            "name": environment,
            "stand_in": stand_in,
            "data_note": "generated ratings" if stand_in else "real ratings",
        },
        title=TITLES[algorithm],
        grid={"alpha": [1]},
        facts={"chosen": "alpha=1", "replicas": seeds},
        costs={
            **{"device": "cpu", "threads": 2, "play_seconds": 1.5, "rounds_per_second": 1000},
            "stages": {"evaluation": {"replicas": seeds, "rounds": 1000, "seconds": 1.5 * seeds}},
        },
    )


def plant_agents(
    folder: Path, title: str, agents: int, height: float, agreement: float = np.nan, **settings: float
) -> Path:
    """Write the run table of an algorithm whose regret is about `height` times the root of the rounds."""
    rounds = np.arange(1, 11) * 100
    rng = np.random.default_rng(agents)
    heights = height * (1 + 0.05 * rng.normal(size=8))
    replicas = [
        replica(
            seed,
            rounds,
            level * np.sqrt(rounds),
            np.zeros(len(rounds)),
            options="x=1",
            measured=(2.0, np.nan, np.nan, agreement if seed else 1.0, *UNMEASURED[4:]),
        )
        for seed, level in enumerate(heights)
    ]
    game = {"agents": agents, "separation": 0.5, "sigma": 0.0, "dimension": 15, **settings}
    size = {"name": f"n{agents}", "data_note": f"N = {agents}", "users": agents}
    return plant_run(
        folder / f"{title}-{agents}.parquet",
        replicas,
        {**size, "all_act": True, "settings": game},
        algorithm="a",
        title=title,
        grid={"x": [1]},
        facts={"chosen": "x=1", "replicas": 8},
        costs={"device": "cpu", "threads": 2, "play_seconds": 1.0, "rounds_per_second": 1000},
    )
