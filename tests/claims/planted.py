"""Small run tables, and a paper file whose claims about them are known to be true or false."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from manybandits.base.artifacts import Provenance, save_text
from manybandits.results.run_table import COLUMNS, save_run

HORIZON = 1000
GAME = {
    "name": "m-cnb-paper-facebook-ego",
    "users": 50,
    "role": "facebook",
    "dataset": {"name": "facebook-ego", "completeness": "complete"},
    "data_note": "Facebook ego networks",
    "stand_in": False,
}


def plant(folder: Path, title: str, regret, *, horizon: int = HORIZON, seeds=None, points=None, **game) -> Path:
    """Write the run table of an algorithm whose final regret, (n,), grows evenly; return its path.

    points: for each value of the option alpha the final regret of its grid point, in place of one chosen point.
    """
    environment = {**GAME, **game}
    rounds = np.arange(1, 11) * horizon // 10
    rows = []
    for alpha, final in (points or {1: regret}).items():
        numbers = range(len(final)) if seeds is None else seeds
        for seed, last in zip(numbers, final, strict=True):
            for t in rounds:
                now = last * t / horizon
                rows.append(
                    (
                        *("a", "paper", "evaluation", f"alpha={alpha:g}", alpha == 1, seed, t),
                        *(now, t - now, np.nan, np.nan, np.nan, np.nan),
                    )
                )
    settings = {"title": title, "variant": "paper", "horizon": horizon, "tuning": "best-of-grid", "grid": {}}
    path = folder / environment["name"] / f"{title.lower().replace(' ', '-')}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    table, facts = pd.DataFrame(rows, columns=COLUMNS), {"chosen": "alpha=1", "diverged": []}
    save_run(path, table, {**settings, "environment": environment}, facts)
    stage = {"replicas": 1, "rounds": horizon, "seconds": float(len(title))}
    Provenance({}).save(path, costs={"threads": 1, "stages": {"evaluation": stage}})
    return path


def paper(folder: Path, claims: dict, **more) -> Path:
    """Write a paper file with some claims about one experiment, fig2 on Facebook; return its path."""
    content = {
        "title": "T",
        "short": "S",
        "reference": "R",
        "game": "m-cnb",
        "settings": {"horizon": HORIZON, "seeds": "0-9", "tuning_seeds": "100", "tuning": "best-of-grid", "grid": {}},
        "decisions": {},
        "originals": {"facebook": "facebook-ego"},
        "experiments": {
            "fig2": {
                "place": "Figure 2",
                "title": "regret",
                "band": "std",
                "data": ["facebook"],
                "algorithms": ["random", "m_cnb", "club"],
            }
        },
        "claims": {
            key: {"place": "Figure 2", "says": key, "experiment": "fig2", **claim} for key, claim in claims.items()
        },
        **more,
    }
    path = folder / "planted.yaml"
    save_text(path, yaml.safe_dump(content, sort_keys=False))
    return path
