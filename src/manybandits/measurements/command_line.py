"""Common parts of the measurements' scripts, which print a table and write it to <out>.csv and <out>.md.

Beside a table stand facts about the data that were used. They are read from the games that were played: which data sets
they were made from, and whether those stand in for the paper's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import Markdown, save_csv, with_ending
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.users import UserGame

REPEATS = 6
"""How often everything is timed: with fewer repeats nothing is certain."""
SHOWN = ("role", "dataset", "stand_in", "data_note")
"""The facts of a game that stand beside a table."""


def parser_of(description: str, title: str, repeated: bool = True) -> argparse.ArgumentParser:
    """Return a parser of the arguments that all measurements have.

    title: the default title of the table; repeated: whether it is measured several times, as seconds are.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", default=title)
    parser.add_argument("--games", type=Path, nargs="*", default=[], help="frozen games of the paper's data")
    if repeated:
        parser.add_argument("--repeats", type=int, default=REPEATS, help="how often everything is timed")
    parser.add_argument("--out", type=Path, help="stem of the files to write")
    return parser


def user_games(args: argparse.Namespace) -> list[UserGame]:
    """Return the games of users that --games names; raise InputError if there are none."""
    games = [game for path in args.games if isinstance(game := load_game(path), UserGame)]
    if not games:
        raise InputError("--games names no game of users: name frozen ones, such as --games m-cnb-paper-yelp.npz.")
    return games


def made(role: str, name: str) -> dict[str, Any]:
    """Return the facts of data that were made in place of unavailable ones. role: the family of data of the paper."""
    dataset = {"name": name, "title": name, "completeness": "generated"}
    return {"role": role, "dataset": dataset, "stand_in": False, "data_note": name}


def facts_of(games: Sequence[Mapping[str, Any]], note: str, limits: Sequence[str] = ()) -> dict[str, Any]:
    """Return the facts that stand beside a table.

    games: the facts of the games that were played, as in their files, or `made`. limits: in what other respects the
    measurement is smaller than the paper's.
    """
    shown = [{name: game[name] for name in SHOWN} for game in games]
    notes = "; ".join(dict.fromkeys(str(game["data_note"]) for game in shown))
    return {
        "note": f"{note} Data: {notes}." if shown else note,
        "stand_in": any(bool(game["stand_in"]) for game in shown),
        "games": shown,
        "limits": list(limits),
    }


def write(
    args: argparse.Namespace,
    table: pd.DataFrame,
    blocks: Iterable[tuple[str, str]],
    note: str,
    games: Sequence[Mapping[str, Any]] = (),
    limits: Sequence[str] = (),
    **settings: object,
) -> None:
    """Print a table; with --out, write it as CSV and as Markdown under that stem, with the facts that stand beside it.

    args: the arguments, of a parser of `parser_of`; blocks: the headings and tables of the text, as `Markdown.page`
    takes them; note, games, limits: as `facts_of` takes them; settings: how it was measured.
    """
    facts = facts_of(games, note, limits)
    text = Markdown.page(args.title, facts["note"], blocks)
    sys.stdout.write(text)
    if args.out is not None:
        csv = with_ending(args.out, ".csv")
        save_csv(csv, table)
        save_text(with_ending(args.out, ".md"), text)
        Provenance({"title": args.title, **settings}, tuple(args.games)).save(csv, facts)
