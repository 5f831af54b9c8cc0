"""Estimate of what a run costs, before it runs or beside what it did cost: jobs, core-hours, memory and disk.

    python -m manybandits.planning.estimate --config configs/paper-scale.yaml --cores 2 --calibrate --check

All prices are those of `manybandits.planning.cost_model`. ``--calibrate`` plays a few of the measured plays again, for
about a minute, to scale them to this machine. ``--check`` compares with the costs that the run left beside its files.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush

import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.printing import print_json
from manybandits.base.project import find_root, overlay_file
from manybandits.planning.calibration import measure_speed
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import MEASURED, START, CostModel
from manybandits.planning.options import add_estimate_options
from manybandits.planning.plan import make_plan
from manybandits.planning.real_costs import Priced, compare
from manybandits.planning.resources import shards_of
from manybandits.planning.workflow import Run

TOLERANCE = 0.3
"""By how much an estimate of a whole run may be wrong."""


def priced(run: Run, model: CostModel) -> list[Priced]:
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
    fit on the free cores, the one with the most work starts first.
    """
    makers = {output: number for number, (job, _) in enumerate(jobs) for output in job.outputs}
    waits = [{makers[name] for name in job.inputs if name in makers} for job, _ in jobs]
    seconds = [START + cost.seconds for _, cost in jobs]
    shards = [min(shards_of(job, cost.seconds), cores) for job, cost in jobs]
    followers = defaultdict(list)
    for number, needed in enumerate(waits):
        for one in needed:
            followers[one].append(number)
    ready = [(-seconds[number], number) for number, needed in enumerate(waits) if not needed]
    running: list[tuple[float, int]] = []  # when a job ends, and its number
    now, free = 0.0, cores
    while ready or running:
        waiting = []
        for work, number in sorted(ready):
            if shards[number] > free:
                waiting.append((work, number))
                continue
            free -= shards[number]
            heappush(running, (now - work / shards[number], number))
        ready = waiting
        now, ended = heappop(running)
        free += shards[ended]
        for number in followers[ended]:
            waits[number].discard(ended)
            if not waits[number]:
                ready.append((-seconds[number], number))
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
    jobs = priced(whole, CostModel(speed=speed))
    if given.json:
        print_json({"run": whole.plan.name, "jobs": tabulate(jobs).to_dict("records"), "speed": speed})
    with contextlib.redirect_stdout(sys.stderr) if given.json else contextlib.nullcontext():
        _print(jobs, whole, speed, given)


def _print(jobs: list[Priced], whole: Run, speed: float, given: argparse.Namespace) -> None:
    """Print an estimate, and if it is checked how wrong it was, which is the exit status."""
    sys.stdout.write(summarise(jobs, given.cores) + "\n")
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
