"""What the jobs of a finished run did cost, beside what they were estimated to cost."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_provenance, provenance_path
from manybandits.base.exceptions import InputError
from manybandits.planning.cost_model import Cost, stages_of
from manybandits.planning.jobs import Play


class Job(NamedTuple):
    """A job of a run and its price. made: the file beside which its real costs are stored; play: None if none."""

    rule: str
    paper: str
    cost: Cost
    made: str
    play: Play | None = None


def compare(jobs: list[Job], report: str) -> pd.DataFrame:
    """Return the estimated and the real seconds of one core, the largest first; their start is part of neither.

    The index has the algorithms that played and the rules that do not play. The seconds of plays are those of the table
    of costs in `report`, the folder of the report; those of other jobs are stored beside what they made. What was not
    run, or with another number of replicas, is left out. Raises InputError if the run left neither.
    """
    found = pd.concat([_plays(jobs, Path(report, "tables", "cost.csv")), _others(jobs)])
    if found.empty:
        raise InputError(f"{report} tells no costs, so that nothing can be compared: run the configuration first.")
    compared = found.groupby("what").agg(jobs=("jobs", "sum"), estimated=("estimated", "sum"), real=("real", "sum"))
    return compared.sort_values("real", ascending=False)


def _plays(jobs: list[Job], costs: Path) -> pd.DataFrame:
    """Return the seconds of the plays that are in a table of costs with as many replicas, by paper, game and title."""
    if not costs.exists():
        return pd.DataFrame()
    keys = ["paper", "game", "title"]
    rows = [
        {
            "paper": job.paper,
            "game": job.play.environment.name,
            "title": job.play.spec.title,
            "what": catalogue.short_name(job.play.spec.algorithm),
            "planned": sum(count for count, _ in stages_of(job.play).values()),
            "estimated": job.cost.seconds,
        }
        for job in jobs
        if job.play
    ]
    plays = pd.DataFrame(rows).groupby(keys)
    planned = plays.agg({"what": "first", "planned": "sum", "estimated": "sum"}).assign(jobs=plays.size())
    table = pd.read_csv(costs).rename(columns={"environment": "game", "algorithm": "title"})
    table["real"] = table["seconds"] * table["threads"]
    both = planned.join(table.groupby(keys)[["replicas", "real"]].sum(), how="inner")
    return both[both["planned"] == both["replicas"]]


def _others(jobs: list[Job]) -> pd.DataFrame:
    """Return the seconds of the jobs that play nothing, or batches of plays, whose files tell them; packs do not."""
    others = [job for job in jobs if not job.play and provenance_path(Path(job.made)).exists()]
    real = {job.made: load_provenance(Path(job.made)).get("made_on", {}).get("seconds") for job in others}
    rows = [
        {"what": job.rule, "jobs": 1, "estimated": job.cost.seconds, "real": real[job.made]}
        for job in others
        if real[job.made] is not None
    ]
    return pd.DataFrame(rows)
