"""The command ``manybandits evaluate``: the value of a policy on a user's own log, with intervals."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

from manybandits.base.exceptions import InputError
from manybandits.base.printing import print_json, print_table, print_wrapped
from manybandits.cli.given import algorithm_of
from manybandits.harness.arguments import parse_grid
from manybandits.interface.evaluation import evaluate

SETTINGS = inspect.signature(evaluate).parameters


def run(args: argparse.Namespace) -> None:
    """Print the estimates, and what they rest on."""
    options = parse_grid(args.settings)
    for name, values in options.items():
        if len(values) > 1:
            raise InputError(f"--set {name} has {len(values)} values, but one policy is evaluated: give one value.")
    settings: dict[str, Any] = {name: value for name, value in vars(args).items() if name in SETTINGS}
    chosen: dict[str, Any] = {name: values[0] for name, values in options.items()}
    settings["policy"] = algorithm_of(args.policy)
    found = evaluate(**settings, **chosen)
    rows: Any = found.table.to_dict("records")
    if args.json:
        counts = {"events": found.events, "matched": found.matched, "effective": found.effective}
        print_json({"policy": found.policy, "rows": rows, **counts, "level": found.level, "note": found.note})
        return
    shown = [{**row, **{name: f"{row[name]:.4f}" for name in ("value", "low", "high")}} for row in rows]
    print_table(shown, ("estimator", "value", "low", "high"))
    print()
    print_wrapped("", found.note)
