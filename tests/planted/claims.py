"""Small run tables, and a paper whose claims about them are known to be true or false."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from manybandits.claims.verdict import Answer, Verdict
from manybandits.papers.scale import Scale, Stated
from tests.planted.papers import save_paper
from tests.planted.runs import plant_run, replica

HORIZON = 1000
HOLDS, NEAR, FAILS, UNCLEAR, SAME, OUTSIDE, UNTESTABLE = Answer
LEAD = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}
"""A claim."""
GAME = {
    "name": "m-cnb-paper-facebook-ego",
    "users": 50,
    "role": "facebook",
    "dataset": {"name": "facebook-ego", "completeness": "complete"},
    "data_note": "Facebook ego networks",
    "stand_in": False,
}


def plant(
    folder: Path,
    title: str,
    regret,
    *,
    horizon: int = HORIZON,
    seeds=None,
    points=None,
    grid=None,
    algorithm: str = "club",
    power: float = 1.0,
    **game,
) -> Path:
    """Write the run table of an algorithm whose regret grows to a final one, (n,), as a power of t; return its path.

    points: for each value of the option alpha the final regret of its grid point, in place of one chosen point, 1.
    """
    environment = {**GAME, **game}
    rounds = np.arange(1, 11) * horizon // 10
    replicas = [
        replica(seed, rounds, last * (rounds / horizon) ** power, options=f"alpha={alpha:g}", chosen=alpha == 1)
        for alpha, final in (points or {1: regret}).items()
        for seed, last in zip(range(len(final)) if seeds is None else seeds, final, strict=True)
    ]
    stage = {"replicas": 1, "rounds": horizon, "seconds": float(len(title))}
    return plant_run(
        folder / environment["name"] / f"{title.lower().replace(' ', '-')}.parquet",
        replicas,
        environment,
        title=title,
        algorithm=algorithm,
        grid=grid or {},
        horizon=horizon,
        tuning="best-of-grid",
        facts={"chosen": "alpha=1", "diverged": []},
        costs={"threads": 1, "stages": {"evaluation": stage}},
    )


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


def is_limited(found: Verdict, answer: Answer) -> bool:
    """Return whether a verdict is an answer of a run that is smaller than the paper's."""
    return found.answer is answer and bool(found.limits)
