"""The command ``manybandits game``: a user's own table becomes a game, which all algorithms of its kind can play."""

from __future__ import annotations

import argparse
from typing import Any

from manybandits.base.printing import print_fields, print_json, print_wrapped, print_written
from manybandits.cli.given import check_written
from manybandits.environments import own

SHOWN = ("kind", "users", "arms", "items", "dimension", "data_note", "settings", "counts")
"""The facts of a game that are printed without --json."""
COLUMNS = {"ratings": ("user", "item", "rating", "timestamp"), "log": ("arm", "reward", "propensity")}
"""Kind of data -> the options that name columns of the table."""
HOW = "command", "inner", "json"
"""The options that say nothing about the game."""


def run(args: argparse.Namespace) -> None:
    """Make the game and print its facts."""
    check_written(args.out, ".npz")
    facts = make(args)
    if args.json:
        print_json({"game": str(args.out), **facts, "remarks": own.remarks(facts)})
        return
    print_fields({name: facts[name] for name in SHOWN})
    for sentence in own.remarks(facts):
        print_wrapped("Note: ", sentence)
    print_written(args.out, then=f"manybandits play club --environment {args.out} --out club.parquet")


def make(args: argparse.Namespace) -> dict[str, Any]:
    """Freeze the game that the options describe and return its facts."""
    chosen = {name: value for name, value in vars(args).items() if value is not None and name not in HOW}
    if columns := {name: chosen.pop(name) for name in COLUMNS.get(args.inner, ()) if name in chosen}:
        chosen["columns"] = columns
    facts: dict[str, Any] = getattr(own, args.inner)(**chosen)
    return facts
