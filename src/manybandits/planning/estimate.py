"""Estimate of what a run costs, before it runs or beside what it did cost: jobs, core-hours, memory and disk.

    python -m manybandits.planning.estimate --config configs/paper-scale.yaml --cores 2 --calibrate --check

All prices are those of `manybandits.planning.cost_model`. ``--calibrate`` plays a few of the measured plays again, for
about a minute, to scale them to this machine. ``--check`` compares with the costs that the run left beside its files.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.printing import print_json
from manybandits.base.project import find_root, overlay_file
from manybandits.planning.calibration import measure_speed
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import MEASURED, START, CostModel
from manybandits.planning.options import add_estimate_options
from manybandits.planning.plan import make_plan
from manybandits.planning.real_costs import Job, compare
from manybandits.planning.workflow import COST, LEAGUE, Run

SHARED = "all papers"
TOLERANCE = 0.3
"""By how much an estimate of a whole run may be wrong."""


def jobs_of(run: Run, model: CostModel) -> Iterator[Job]:
    """Yield all jobs that make a file of a run, whether or not they were run."""

    def step(rule: str, paper: str, made: str) -> Job:
        return Job(rule, paper, model.of_step(rule), made)

    for dataset in (one for alike in run.inputs.kinds.values() for one in alike):
        yield step("tidy", SHARED, f"{run.data}/tidy/{dataset.name}/{dataset.tidy_files[0]}")
    for name in run.environments:
        yield step("environment", SHARED, f"{run.data}/environments/{name}.npz")
    for name, play in run.plays.items():
        yield Job("play", name.split("/")[0], model.of_play(play), f"{run.work}/runs/{name}.parquet", play)
    for name, batch in run.readings.batches.items():
        yield Job("batch", name.split("/")[1], model.of_batch(batch), f"{run.work}/batches/{name}.parquet")
    for name, one in run.regressions.items():
        yield Job("regression", name.split("/")[0], model.of_regression(one), f"{run.work}/{one.file}")
    for name, measurement in run.measurements.items():
        yield step("measurement", measurement.paper, f"{run.report}/tables/{name}.csv")
    for name, figure in run.figures.items():
        yield step("figure", figure.paper, f"{run.report}/figures/{name}.csv")
    for name, judged in run.judged.items():
        yield step("judge", judged.paper, f"{run.report}/verdicts/{name}.jsonl")
    for name, curve in run.readings.curves.items():
        yield step("readings", curve.paper, f"{run.readings.folder}/{name}.csv")
        yield step("choices", curve.paper, f"{run.readings.folder}/{name}.choices.csv")
        yield step("curve", curve.paper, f"{run.report}/figures/readings_{name}.csv")
    for paper in run.notebooks if run.site_notebooks else []:
        yield step("notebook", paper, f"{run.report}/notebooks/{paper}.html")
    for name in run.packed:
        yield step("pack", name, f"{run.packs}/{name}.parquet")
    if run.plays:
        yield step(COST, SHARED, f"{run.report}/tables/{COST}.csv")
    if run.league_tables:
        yield step(LEAGUE, SHARED, f"{run.report}/figures/{LEAGUE}.csv")
    if run.readings.curves:
        yield step("summaries", SHARED, run.readings.summaries[0])
    yield step("verdicts", SHARED, run.verdicts)
    yield step("page", SHARED, run.page)


def tabulate(jobs: list[Job]) -> pd.DataFrame:
    """Return one row per job: rule, paper, core-hours, memory and disk in GB, and the level of its price."""
    return pd.DataFrame(
        {
            "paper": [job.paper for job in jobs],
            "rule": [job.rule for job in jobs],
            "hours": [(START + job.cost.seconds) / 3600 for job in jobs],
            "memory": [job.cost.memory_mb / 1000 for job in jobs],
            "disk": [job.cost.disk_mb / 1000 for job in jobs],
            "level": [job.cost.level for job in jobs],
        }
    )


def summarise(table: pd.DataFrame, cores: int) -> str:
    """Return the costs by paper and rule, and of the whole run on a number of cores, as text."""
    ordered = table.sort_values("paper", kind="stable")  # by paper, then in the order of the workflow
    by_rule = ordered.groupby(["paper", "rule"], sort=False).agg(
        jobs=("hours", "count"), core_hours=("hours", "sum"), memory_gb=("memory", "max"), disk_gb=("disk", "sum")
    )
    total, longest = table["hours"].sum(), table["hours"].max()
    plays = table[table["rule"].isin(["play", "batch"])]
    return "\n".join(
        [
            by_rule.round({"core_hours": 2, "memory_gb": 1, "disk_gb": 2}).to_string(),
            f"{len(table)} jobs take {total:.1f} core-hours: {max(total / cores, longest):.1f} hours on {cores} cores. "
            f"The longest takes {longest:.1f} hours, the largest {table['memory'].max():.1f} GB of memory; all files "
            f"take {table['disk'].sum():.1f} GB.",
            f"{(plays['level'] <= MEASURED).sum()} of {len(plays)} jobs of plays were measured on their games; the "
            "others are priced by the measured plays that are most like them.",
        ]
    )


def main(argv: list[str] | None = None) -> None:
    """Print the estimate that the command line asks for."""
    parser = argparse.ArgumentParser(description="Estimate what a configuration costs before it runs.")
    add_estimate_options(parser)
    run(parser.parse_args(argv))


def run(given: argparse.Namespace) -> None:
    """Print an estimate, see `manybandits.planning.options`; end with exit status 1 if it is checked and was wrong."""
    root = given.root or find_root()
    config = load_configuration(root, [overlay_file(path, root) for path in given.config])
    speed = measure_speed(root) if given.calibrate else 1.0
    whole = Run(make_plan(config, root), config, root)
    jobs = list(jobs_of(whole, CostModel(speed=speed)))
    table = tabulate(jobs)
    if given.json:
        print_json({"run": whole.plan.name, "jobs": table.to_dict("records"), "speed": speed})
    with contextlib.redirect_stdout(sys.stderr) if given.json else contextlib.nullcontext():
        _print(table, jobs, whole, speed, given)


def _print(table: pd.DataFrame, jobs: list[Job], whole: Run, speed: float, given: argparse.Namespace) -> None:
    """Print an estimate, and if it is checked how wrong it was, which is the exit status."""
    sys.stdout.write(summarise(table, given.cores) + "\n")
    if given.calibrate:
        sys.stdout.write(f"This machine takes {speed:.2f} times as long as the one that was measured.\n")
    if given.check:
        compared = compare(jobs, whole.report)
        wrong = compared["estimated"].sum() / compared["real"].sum() - 1
        sys.stdout.write(f"\nSeconds without the start of processes:\n{compared.round(1).to_string()}\n")
        sys.stdout.write(f"{compared['jobs'].sum()} of {len(jobs)} jobs tell what they cost. ")
        sys.stdout.write(f"The estimate is {abs(wrong):.0%} too {'high' if wrong > 0 else 'low'}.\n")
        sys.exit(int(abs(wrong) > TOLERANCE))


if __name__ == "__main__":
    run_script(main)
