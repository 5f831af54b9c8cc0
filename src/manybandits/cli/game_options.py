"""Options of the commands ``manybandits game`` and ``evaluate``.

The settings of games have the names that paper files use.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

RATINGS = """\
One row per rating: user, item, rating. A rating above 4 stars is liked. A round serves a user and offers one item that
the user likes and nine others. The users of the game are groups of raters with similar ratings (--pools groups), or the
raters themselves (--pools users).
"""
CLASSIFICATION = """\
One row per instance: its class in the column --label, and its attributes, numbers or words, in all other columns. A
round offers one arm per class; the arm of the instance's class pays.
"""
LOG = """\
One row per event: the arm that was shown, its reward from 0 to 1, the probability with which it was shown, and the
context in all other columns. A policy that picks the arm shown gets the reward. Where the log was not uniform, rewards
are weighted by propensities: --estimate self-normalised (the default then), inverse or doubly-robust; or --estimate
replay, which first leaves out events by chance until every arm is shown equally often.
"""


def add_evaluate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command ``manybandits evaluate`` to its parser."""
    add = parser.add_argument
    add("log", type=Path, metavar="LOG", help="one row per event, .csv or .parquet")
    add("--policy", required=True, metavar="ALGORITHM", help="a name from `list algorithms`, or a file such as mine.py")
    add("--set", nargs="+", action="extend", default=[], metavar="OPTION=VALUE", dest="settings", help="its options")
    _add_log_columns(add)
    add("--user", metavar="COLUMN", help="column of the user (default: all events are of one user)")
    add("--largest-weight", type=float, default=10.0, metavar="W", help="the largest that switch uses (default: 10)")
    add("--level", type=float, default=0.95, help="of the intervals (default: 0.95)")
    add("--seed", type=int, default=0, help="of the policy's draws (default: 0)")


def _add_log_columns(add: Callable[..., argparse.Action]) -> None:
    for name in ("arm", "reward", "propensity"):
        more = ", or uniform if every arm was equally likely" if name == "propensity" else ""
        add(f"--{name}", default=name, metavar="COLUMN", help=f"column of the {name} (default: {name}){more}")
    add("--drop", nargs="+", default=[], metavar="COLUMN", help="columns to leave out of the context")
    add("--arm-features", type=Path, metavar="FILE", help="a table with one row per arm: its name and its features")


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the kinds of data with their options to the parser of the command."""
    kinds = parser.add_subparsers(dest="inner", required=True, metavar="DATA")

    def kind(name: str, summary: str, epilog: str) -> Callable[..., argparse.Action]:
        one = kinds.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=epilog)
        one.add_argument("table", type=Path, metavar="TABLE", help="a file, .csv or .parquet")
        return one.add_argument

    add = kind("ratings", "a game of recommendation from a table of ratings", RATINGS)
    for name in ("user", "item", "rating"):
        add(f"--{name}", default=name, metavar="COLUMN", help=f"column of the {name} (default: {name})")
    add("--timestamp", metavar="COLUMN", help="column of times: the latest rating of an item by a user counts")
    add("--users", type=int, metavar="N", help="users of the game (default: as in the paper)")
    add("--items", type=int, metavar="N", help="the most rated items that are kept (default: 10000)")
    add("--liked-above", type=float, metavar="X", help="ratings above X are liked (default: 4 stars)")
    add("--disliked-below", type=float, metavar="X", help="ratings below X are disliked (default: 2 stars)")
    whose = "m-cnb (default; what is liked pays), meta-ban, item-50 or both-100"
    add("--game", default="m-cnb", help=f"whose rounds are drawn: {whose}")
    add("--context", help="features in contexts: item (default) or both (item and rater)")
    add("--pools", help="users of the game: recipe (default: as in the paper), groups of raters, or users (raters)")
    add = kind("classification", "a game of classification from a table of features and a label", CLASSIFICATION)
    add("--label", default="label", metavar="COLUMN", help="column of the class (default: label)")
    add("--drop", nargs="+", default=[], metavar="COLUMN", help="columns to leave out")
    add("--user", default="arm", help="each arm has its user: arm (default); the policy sees the class; or hidden")
    add("--arms", default="blocks", help="contexts of arms: blocks (default) or shifted by one entry each")
    add("--serve", default="instances", help="what a round draws: instances (default), classes or shuffled")
    add("--words", default="columns", help="attributes of words: columns (default) or codes")
    add("--numbers", default="raw", help="attributes of numbers: raw (default) or standard (mean 0, variance 1)")
    add = kind("log", "a replay of a log of arms that another policy showed", LOG)
    _add_log_columns(add)
    add("--order", help="order of events: shuffled (default) or logged")
    add("--learn", help="events to learn from: matched (default) or every")
    add("--estimate", help="replay (default if uniform), self-normalised (default if not), inverse or doubly-robust")
    for one in kinds.choices.values():
        one.add_argument("--out", type=Path, required=True, metavar="FILE", help="the game to write, an .npz file")
        one.add_argument("--json", action="store_true", help="print one JSON document; see `manybandits game --help`")
