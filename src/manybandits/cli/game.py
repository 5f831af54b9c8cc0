"""The command ``manybandits game``: a user's own table becomes a game, which all algorithms of its kind can play."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from manybandits.base.printing import print_fields, print_json, print_wrapped, print_written
from manybandits.cli.given import check_written
from manybandits.environments import own

SHOWN = ("kind", "users", "arms", "items", "dimension", "data_note", "settings", "counts")
"""The facts of a game that are printed without --json."""


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
    table: Path = given.table
    if given.inner == "ratings":
        columns = {name: getattr(given, name) for name in ("user", "item", "rating", "timestamp")}
        changes = {name: getattr(given, name) for name in ("users", "items", "liked_above", "disliked_below")}
        recipe = {name: getattr(given, name) for name in ("game", "context", "pools")}
        return own.ratings(table, given.out, columns, **changes, **recipe)
    if given.inner == "classification":
        settings = {name: getattr(given, name) for name in ("user", "arms", "serve", "words", "numbers")}
        return own.classification(table, given.out, given.label, given.drop, **settings)
    columns = {name: getattr(given, name) for name in ("arm", "reward", "propensity")}
    settings = {name: getattr(given, name) for name in ("order", "learn", "estimate") if getattr(given, name)}
    return own.log(table, given.out, columns, drop=given.drop, arm_features=given.arm_features, **settings)
