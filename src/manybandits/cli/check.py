"""The command ``manybandits check``: whether an algorithm keeps the contract, and how fast it is."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
from pathlib import Path

from manybandits.algorithms import catalogue
from manybandits.algorithms.requirements import problems_of
from manybandits.base.printing import print_json, print_wrapped
from manybandits.cli.given import algorithm_of, assigned
from manybandits.environments.catalogue import freeze_without_data
from manybandits.environments.game_file import load_game
from manybandits.harness.check import CheckResult, findings

MARKS = {True: "ok    ", False: "FAILED", None: "-     "}


def run(args: argparse.Namespace) -> None:
    """Print what each check found as soon as it is known; exit with status 1 if one failed."""
    module = catalogue.load_unchecked(algorithm_of(args.algorithm))
    found = [CheckResult("contract", False, words) for words in problems_of(module)]
    if not found:
        found = [CheckResult("contract", True, "it has all that an algorithm needs")]
    if not args.json:
        for one in found:
            _print(one)
    if found[0].held:
        game_name = args.game or ("agents" if hasattr(module, "choose_all") else "synthetic")
        with tempfile.TemporaryDirectory() as folder:
            game = load_game(freeze_without_data(game_name, assigned(args.set_game), Path(folder)))
            for one in findings(module, game):
                found.append(one)
                if not args.json:
                    _print(one)
    failed = sum(one.held is False for one in found)
    if args.json:
        checks = [dataclasses.asdict(one) for one in found]
        print_json({"algorithm": args.algorithm, "failed": failed, "checks": checks})
    else:
        print(f"{failed} of {len(found)} checks failed" if failed else "all checks passed")
    if failed:
        sys.exit(1)


def _print(found: CheckResult) -> None:
    print_wrapped(f"{MARKS[found.held]}  {found.check:<17} ", found.says)
    sys.stdout.flush()
