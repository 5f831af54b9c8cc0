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
from manybandits.planning.record import Job


class Priced(NamedTuple):
    """A job and its price."""

    job: Job
    cost: Cost


def compare(jobs: list[Priced], report: str) -> pd.DataFrame:
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


def _plays(jobs: list[Priced], costs: Path) -> pd.DataFrame:
    """Return the seconds of the plays that are in a table of costs with as many replicas, by paper, game and title."""
    if not costs.exists():
        return pd.DataFrame()
    keys = ["paper", "game", "title"]
    rows = [
        {
            "paper": play.paper,
            "game": play.environment.name,
            "title": play.spec.title,
            "what": catalogue.short_name(play.spec.algorithm),
            "planned": sum(count for count, _ in stages_of(play).values()),
            "estimated": cost.seconds,
        }
        for (play, cost) in ((job.of, cost) for job, cost in jobs)
        if isinstance(play, Play)
    ]
    plays = pd.DataFrame(rows).groupby(keys)
    planned = plays.agg({"what": "first", "planned": "sum", "estimated": "sum"}).assign(jobs=plays.size())
    table = pd.read_csv(costs).rename(columns={"environment": "game", "algorithm": "title"})
    table["real"] = table["seconds"] * table["threads"]
    both = planned.join(table.groupby(keys)[["replicas", "real"]].sum(), how="inner")
    return both[both["planned"] == both["replicas"]]


def _others(jobs: list[Priced]) -> pd.DataFrame:
    """Return the seconds of the jobs that play nothing, as far as their files tell them."""
    rows = []
    for job, cost in jobs:
        told = next((Path(one) for one in job.outputs if f"{one}.json" in job.outputs), None)
        if told and not isinstance(job.of, Play) and provenance_path(told).exists():
            real = load_provenance(told).get("made_on", {}).get("seconds")
            rows += (
                [{"what": job.rule.step, "jobs": 1, "estimated": cost.seconds, "real": real}]
                if real is not None
                else []
            )
    return pd.DataFrame(rows)
