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


def run(given: argparse.Namespace) -> None:
    """Make the game and print its facts."""
    check_written(given.out, ".npz")
    facts = make(given)
    if given.json:
        print_json({"game": str(given.out), **facts, "remarks": own.remarks(facts)})
        return
    print_fields({name: facts[name] for name in SHOWN})
    for sentence in own.remarks(facts):
        print_wrapped("Note: ", sentence)
    print_written(given.out, then=f"manybandits play club --environment {given.out} --out club.parquet")


def make(given: argparse.Namespace) -> dict[str, Any]:
    """Freeze the game that the options describe and return its facts."""
    chosen = {name: value for name, value in vars(given).items() if value is not None and name not in HOW}
    if columns := {name: chosen.pop(name) for name in COLUMNS.get(given.inner, ()) if name in chosen}:
        chosen["columns"] = columns
    facts: dict[str, Any] = getattr(own, given.inner)(**chosen)
    return facts
