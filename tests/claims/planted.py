"""Small run tables, and a paper whose claims about them are known to be true or false."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, save_table
from manybandits.papers.scale import Scale, Stated
from manybandits.results.run_table import COLUMNS
from tests.papers.planted import save_paper

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
    provenance = Provenance({**settings, "environment": environment})
    save_table(path, pd.DataFrame(rows, columns=COLUMNS))
    stage = {"replicas": 1, "rounds": horizon, "seconds": float(len(title))}
    provenance.save(path, {"chosen": "alpha=1", "diverged": []}, {"threads": 1, "stages": {"evaluation": stage}})
    return path


def scale_of(tables: Sequence[Path], kind: Literal["plays", "errors", "rows"] = "plays") -> Scale:
    """Return what the planted paper states: 1,000 rounds and ten seeds of every game."""
    names = [path.parent.name if kind == "plays" else path.stem for path in tables]
    return Scale(kind=kind, games=dict.fromkeys(names, Stated(HORIZON, 10)), originals={"facebook": "facebook-ego"})


def paper(folder: Path, claims: dict, **more) -> Path:
    """Write a paper with some claims about one experiment, fig2 on Facebook; return its folder."""
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
    return save_paper(folder / "planted", content)
