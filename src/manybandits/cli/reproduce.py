"""The command ``manybandits reproduce``: figures and tables of papers, from raw data, in the working folder."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from manybandits.base.artifacts import save_text
from manybandits.base.configuration import overlay
from manybandits.base.exceptions import InputError
from manybandits.base.printing import print_json, remark
from manybandits.cli.given import assigned, check_written
from manybandits.cli.jobs import run_workflow
from manybandits.interface.extras import demand
from manybandits.planning.configuration import load_configuration
from manybandits.planning.figures import Figure
from manybandits.planning.listing import check_target
from manybandits.planning.plan import ALL, LEAGUE, NOTEBOOKS, VERDICTS, WHOLE, Plan
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.preferences import chosen
from manybandits.planning.settling import settle
from manybandits.planning.workflow import Workflow

EXTRAS = {ALL: ["report"], NOTEBOOKS: ["notebooks"], LEAGUE: ["report"], VERDICTS: []}
"""Targets of a whole run -> the extras that they need beside the workflow."""


def run(args: argparse.Namespace) -> None:
    """Make the targets, and print the files that people look at."""
    content = load_configuration(args.root, args.config)
    for key, value in assigned(args.changes, "--set", "settings.horizon=200").items():
        content = overlay(content, read_change(key, value))
    began = time.perf_counter()
    made = reproduce(args.root, args.folder, content, args.targets, args.cores, args.dry_run)
    if args.json:
        print_json({"run": chosen(content, args.folder)["name"], "made": [] if args.dry_run else made})
    elif not args.dry_run:
        sys.stdout.write("\n".join(made) + "\n")
        remark(f"{len(made)} file{'s are' if len(made) > 1 else ' is'} ready, in {time.perf_counter() - began:.0f} s")


def read_change(key: str, value: str) -> dict[str, Any]:
    """Return ``settings.horizon`` with a value, which is YAML, as an overlay of a configuration."""
    try:
        change = yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise InputError(
            f"--set {key}={value}: {value!r} is no value of YAML; write a value such as 100 or [0, 1]."
        ) from error
    for name in reversed(key.split(".")):
        change = {name: change}
    return dict(change)


def reproduce(
    root: Path, folder: Path, content: Mapping[str, Any], targets: Sequence[str], cores: int, dry: bool = False
) -> list[str]:
    """Make targets of a run, and return the paths of its first page, pictures and tables that they consist of.

    content: the configuration, which is saved in ``artifacts/<run>/config.yaml``, so that the run can be continued.
    Everything is checked before a job starts.
    """
    demand("workflow")
    plan = load_plan(content, root, folder)
    _check(targets, plan, root)
    if not dry:
        plan = settle(content, root, folder, targets)
        _check(targets, plan, root)  # the data of a target may be those that cannot be had
    content = chosen(content, folder)
    demand(*_extras(plan, content, targets))
    with tempfile.TemporaryDirectory() as elsewhere:
        config = (Path(elsewhere) if dry else folder / "artifacts" / plan.name) / "config.yaml"
        check_written(config)
        save_text(config, yaml.safe_dump(dict(content), sort_keys=False))
        run_workflow(root, folder, targets, config, cores, f"{' '.join(targets)} could not be made", dry)
    return _made(Workflow(plan, content, root), targets)


def _check(targets: Sequence[str], plan: Plan, root: Path) -> None:
    """Raise InputError if a run lacks one of the targets, see `check_target`."""
    known = [*plan.targets, *(one for one in WHOLE if one != LEAGUE or plan.arenas)]
    for target in targets:
        check_target(target, plan.name, plan.left_out, known, root)


def _extras(plan: Plan, content: Mapping[str, Any], targets: Sequence[str]) -> list[str]:
    """Return the extras that the targets need beside the workflow."""
    figures = [one for one in plan.made_for(targets).values() if isinstance(one, Figure)]
    plays = plan.plays.values() if set(WHOLE) & set(targets) else [play for one in figures for play in one.plays]
    needed = [extra for target in targets for extra in EXTRAS.get(target, [])]
    needed += ["neural"] if any(play.batched for play in plays) else []
    return needed + (["notebooks"] if ALL in targets and content["notebooks"] else [])


def _made(run: Workflow, targets: Sequence[str]) -> list[str]:
    """Return the paths of what people look at: the first page, notebooks, pictures, and tables."""
    named = list(run.plan.made_for(targets))
    drawn = [name for name in named if name in run.figures or name in run.drawn]
    if LEAGUE in targets:
        drawn, named = [*drawn, LEAGUE], [*named, LEAGUE]
    whole = {ALL: [run.page], NOTEBOOKS: run.notebook_pages, VERDICTS: [run.verdicts, run.headlines]}
    found = [path for target in targets for path in whole.get(target, [])]
    found += [f"{run.report}/figures/{name}.svg" for name in drawn]
    return [*found, *(f"{run.report}/tables/{name}.csv" for name in named)]
