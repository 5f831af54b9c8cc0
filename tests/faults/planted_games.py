"""A small frozen game of every kind, made of planted data, to be damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.artifacts import save_arrays
from manybandits.environments import (
    adult_instances,
    agents,
    classification,
    exploration,
    instances,
    lastfm_agents,
    own,
    replay,
    synthetic,
)
from manybandits.environments.frontier import FEATURES


def _stated(kind: str, **lengths: int) -> dict[str, object]:
    return {"kind": kind, "name": kind, "title": kind, "data_note": kind, **lengths}


def _ratings(path: Path) -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(np.argwhere(random.random((30, 40)) < 0.8), columns=["user", "item"])
    table["rating"] = random.integers(1, 6, len(table))
    table.to_csv(path.with_suffix(".csv"), index=False)
    own.ratings(path.with_suffix(".csv"), path, users=5, items=30)


def _classification(path: Path) -> None:
    random = np.random.default_rng(1)
    parts = [(random.random((40, 3)) + 0.1, np.arange(40) % 4) for _ in range(2)]
    arrays = classification.build(parts, "arm", "instances")
    lengths = {"users": 8, "arms": 4, "items": 80, "dimension": 3, "blocks": 4}
    save_arrays(path, arrays, _stated("classification", **lengths))


def _replay(path: Path) -> None:
    random = np.random.default_rng(2)
    log = {"arm": np.arange(300) % 3, "click": random.integers(2, size=300), "contexts": random.random((300, 3, 2))}
    arrays = replay.build(log, "shuffled", "matched", "doubly-robust")
    save_arrays(path, arrays, _stated("replay", users=1, items=3, arms=3, dimension=2))


def _exploration(path: Path) -> None:
    edges = np.argwhere(np.triu(np.random.default_rng(3).random((60, 60)) < 0.1, 1))
    arrays = exploration.build(edges, 0.1, "walk")
    save_arrays(path, arrays, _stated("exploration", users=1, items=1, arms=60, dimension=len(FEATURES)))


def _lastfm(path: Path) -> None:
    random = np.random.default_rng(4)
    heard = np.argwhere(random.random((6, 20)) < 0.5)
    arrays = lastfm_agents.build(heard[:, 0], heard[:, 1], random.random((20, 3)), "listened", 5)
    save_arrays(path, arrays, _stated("lastfm_agents", users=6, items=20, arms=5, dimension=3))


def _adult(path: Path) -> None:
    random = np.random.default_rng(5)
    table = pd.DataFrame({"age": random.random(120), "occupation": list("abc") * 40, "label": [0, 1] * 60})
    arrays = adult_instances.build(table, "occupation", 10)
    arrays.pop("names")
    lengths = {"users": 3, "arms": 2, "dimension": arrays["features"].shape[1], "rounds": 120}
    save_arrays(path, arrays, _stated("adult_instances", **lengths))


GAMES: dict[str, Callable[[Path], object]] = {
    "synthetic": lambda path: synthetic.freeze(path, arms=4, users=6, clusters=2, items=12, dimension=3),
    "recommendation": _ratings,
    "classification": _classification,
    "replay": _replay,
    "exploration": _exploration,
    "agents": lambda path: agents.freeze(path, **{**agents.SETTINGS, "agents": 6, "clusters": 2, "arms": 4}),
    "lastfm_agents": _lastfm,
    "instances": lambda path: instances.freeze(path, **{**instances.SETTINGS, "instances": 4, "dimension": 6}),
    "adult_instances": _adult,
}
"""The kinds of games, and what writes a small one to a path."""
