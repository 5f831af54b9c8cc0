"""Estimate of what a run costs, before it runs or beside what it did cost: jobs, core-hours, memory and disk.

    python -m manybandits.planning.estimate --config configs/paper-scale.yaml --cores 2 --calibrate --check

All prices are those of `manybandits.planning.cost_model`. ``--calibrate`` plays a few of the measured plays again, for
about a minute, to scale them to this machine. ``--check`` compares with the costs that the run left beside its files.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_provenance, provenance_path
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.printing import print_json
from manybandits.base.project import find_root, overlay_file
from manybandits.planning.calibration import measure_speed
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import MEASURED, START, Cost, CostModel, stages_of
from manybandits.planning.jobs import Play
from manybandits.planning.options import add_estimate_options
from manybandits.planning.plan import make_plan
from manybandits.planning.record import Job
from manybandits.planning.resources import priorities, shards_of
from manybandits.planning.workflow import Workflow

TOLERANCE = 0.3
"""By how much an estimate of a whole run may be wrong."""


class Priced(NamedTuple):
    """A job and its price."""

    job: Job
    cost: Cost


def priced(run: Workflow, model: CostModel) -> list[Priced]:
    """Return all jobs of a run with their prices, whether or not they were run."""
    return [Priced(job, model.of_job(job)) for job in run.wanted]


def tabulate(jobs: Sequence[Priced]) -> pd.DataFrame:
    """Return one row per job: rule, paper, core-hours, shards, memory and disk in GB, and the level of its price."""
    return pd.DataFrame(
        {
            "paper": [job.paper for job, _ in jobs],
            "rule": [job.rule.step for job, _ in jobs],
            "hours": [(START + cost.seconds) / 3600 for _, cost in jobs],
            "shards": [shards_of(job, cost.seconds) for job, cost in jobs],
            "memory": [cost.memory_mb / 1000 for _, cost in jobs],
            "disk": [cost.disk_mb / 1000 for _, cost in jobs],
            "level": [cost.level for _, cost in jobs],
        }
    )


def makespan(jobs: Sequence[Priced], cores: int) -> float:
    """Return the hours after which the last job ends on a number of cores.

    A job waits for those that make its inputs, and takes a core for each of its shards. Of the jobs that can start and
    fit on the free cores, the one with the highest priority starts first, as in Snakemake, and of several the longest.
    """
    makers = {output: number for number, (job, _) in enumerate(jobs) for output in job.outputs}
    inputs = {number: {makers[name] for name in job.inputs if name in makers} for number, (job, _) in enumerate(jobs)}
    seconds = [START + cost.seconds for _, cost in jobs]
    shards = [min(shards_of(job, cost.seconds), cores) for job, cost in jobs]
    priority = priorities([job for job, _ in jobs], [cost.seconds for _, cost in jobs])
    ranks = [(-priority[number], -cost.seconds, number) for number, (_, cost) in enumerate(jobs)]
    order = TopologicalSorter(inputs)
    order.prepare()
    now, free, ready = 0.0, cores, list[int]()
    running: list[tuple[float, int]] = []  # when a job ends, and its number
    while order.is_active():
        waiting = []
        for number in sorted([*ready, *order.get_ready()], key=ranks.__getitem__):
            if shards[number] > free:
                waiting.append(number)
                continue
            free -= shards[number]
            heappush(running, (now + seconds[number] / shards[number], number))
        ready = waiting
        now, ended = heappop(running)
        free += shards[ended]
        order.done(ended)
    return now / 3600


def summarise(jobs: Sequence[Priced], cores: int) -> str:
    """Return the costs by paper and rule, and of the whole run on a number of cores, as text."""
    table = tabulate(jobs)
    ordered = table.sort_values("paper", kind="stable")  # by paper, then in the order of the workflow
    by_rule = ordered.groupby(["paper", "rule"], sort=False).agg(
        jobs=("hours", "count"), core_hours=("hours", "sum"), memory_gb=("memory", "max"), disk_gb=("disk", "sum")
    )
    total, longest = table["hours"].sum(), (table["hours"] / table["shards"].clip(upper=cores)).max()
    plays = table[table["rule"].isin(["play", "batch"])]
    return "\n".join(
        [
            by_rule.round({"core_hours": 2, "memory_gb": 1, "disk_gb": 2}).to_string(),
            f"{len(table)} jobs take {total:.1f} core-hours: {makespan(jobs, cores):.1f} hours on {cores} cores. "
            f"The longest takes {longest:.1f} hours, the largest {table['memory'].max():.1f} GB of memory; all files "
            f"take {table['disk'].sum():.1f} GB.",
            f"{(plays['level'] <= MEASURED).sum()} of {len(plays)} jobs of plays were measured on their games; the "
            "others are priced by the measured plays that are most like them.",
        ]
    )


def compare(jobs: Sequence[Priced], report: str) -> pd.DataFrame:
    """Return the estimated and the real seconds of one core, the largest first; their start is part of neither.

    The index has the algorithms that played and the rules that do not play. report: the folder of the report. Raises
    InputError if no job tells what it cost.
    """
    rows = [
        {
            "what": catalogue.short_name(job.of.spec.algorithm) if isinstance(job.of, Play) else job.rule.step,
            **{"jobs": 1, "estimated": cost.seconds, "real": real},
        }
        for job, cost in jobs
        if (real := real_seconds(job)) is not None
    ]
    if not rows:
        raise InputError(f"{report} tells no costs, so that nothing can be compared: run the configuration first.")
    return pd.DataFrame(rows).groupby("what").sum().sort_values("real", ascending=False)


def real_seconds(job: Job) -> float | None:
    """Return the seconds of one core that a job took, as the provenance of its first file tells.

    Returns None if it does not, or if a play had another number of replicas than it is planned with.
    """
    described = next((Path(one) for one in job.outputs if f"{one}.json" in job.outputs), None)
    if described is None or not provenance_path(described).exists():
        return None
    cost = load_provenance(described).get("made_on", {})
    if not isinstance(job.of, Play):
        return cost.get("seconds")
    played = sum(stage["replicas"] for stage in cost["stages"].values())
    planned = sum(count for count, _ in stages_of(job.of).values())
    return float(cost["play_seconds"] * cost["threads"]) if played == planned else None


def main(argv: list[str] | None = None) -> None:
    """Print the estimate that the command line asks for."""
    parser = argparse.ArgumentParser(description="Estimate what a configuration costs before it runs.")
    add_estimate_options(parser)
    run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> None:
    """Print an estimate, see `manybandits.planning.options`; end with exit status 1 if it is checked and was wrong."""
    root = args.root or find_root()
    config = load_configuration(root, [overlay_file(path, root) for path in args.config])
    speed = measure_speed(root) if args.calibrate else 1.0
    whole = Workflow(make_plan(config, root), config, root)
    jobs = priced(whole, CostModel(speed=speed))
    if args.json:
        print_json({"run": whole.plan.name, "jobs": tabulate(jobs).to_dict("records"), "speed": speed})
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        _print(jobs, whole, speed, args)


def _print(jobs: list[Priced], whole: Workflow, speed: float, args: argparse.Namespace) -> None:
    """Print an estimate, and if it is checked how wrong it was, which is the exit status."""
    sys.stdout.write(summarise(jobs, args.cores) + "\n")
    if args.calibrate:
        sys.stdout.write(f"This machine takes {speed:.2f} times as long as the one that was measured.\n")
    if args.check:
        compared = compare(jobs, whole.report)
        wrong = compared["estimated"].sum() / compared["real"].sum() - 1
        sys.stdout.write(f"\nSeconds without the start of processes:\n{compared.round(1).to_string()}\n")
        sys.stdout.write(f"{compared['jobs'].sum()} of {len(jobs)} jobs tell what they cost. ")
        sys.stdout.write(f"The estimate is {abs(wrong):.0%} too {'high' if wrong > 0 else 'low'}.\n")
        sys.exit(int(abs(wrong) > TOLERANCE))


if __name__ == "__main__":
    run_script(main)
