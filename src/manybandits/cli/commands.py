"""The commands of ``manybandits`` and their options, in one order: its own, --out, --config, --root, --cores, --json.

This module and those it imports compute nothing, so that help and completion are fast. `manybandits.cli.texts` has what
the help of a command says below its options.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from manybandits import __version__
from manybandits.base.data_options import add_data_options
from manybandits.cli import texts
from manybandits.cli.completion import SHELLS, PrintCompletion
from manybandits.cli.game_options import add_evaluate_options, add_game_options
from manybandits.cli.parser import Help, Parser
from manybandits.harness.play_options import add_play_options
from manybandits.planning.options import add_estimate_options, add_shared, add_verify_options

KINDS = ("algorithms", "datasets", "games", "papers", "experiments", "claims")
"""The kinds of things that `list` lists; `show` takes the names of all of them."""
NEW = ("algorithm", "dataset", "game", "paper")
NAMED = "a name from `list algorithms`, or a file of your own, such as mine.py"
MADE = "synthetic, agents, instances, or a file such as my_game.py"


def build_parser(offered: Mapping[str, Sequence[str]] | None = None) -> Parser:
    """Return the parser. offered: argument -> the names that completion offers for it."""
    offered = offered or {}
    parser = Parser(prog="manybandits", description=texts.SUMMARY, epilog=texts.START)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}", help="print the version")
    parser.add_argument(
        "--print-completion", action=PrintCompletion, metavar="SHELL", help=f"print completion: {', '.join(SHELLS)}"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    made: list[tuple[Parser, str]] = []

    def command(name: str, summary: str, shared: str = "json", **settings: Any) -> Parser:
        """Return the parser of a command. shared: those options of `add_shared` that it gets."""
        about = f"{summary[0].upper()}{summary[1:]}."
        one: Parser = commands.add_parser(name, help=summary, description=about, epilog=texts.below(name), **settings)
        made.append((one, shared))
        return one

    one = command("list", "list algorithms, data sets, games, papers, experiments and claims", "config root json")
    one.add_argument("kind", nargs="?", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: all)")

    one = command("show", "describe one of them", "config root json")
    one.add_argument("name", metavar="NAME", choices=offered.get("name"), help="a name from `list`, or a path")

    one = command("play", "play a game with an algorithm, and write a run table", add_help=False)
    one.add_argument("-h", "--help", action=Help, nargs=0, help="show this help; after ALGORITHM, with its options")
    one.add_argument("algorithm", metavar="ALGORITHM", choices=offered.get("algorithm"), help=NAMED)
    one.add_argument("--environment", type=Path, metavar="FILE", help="the game, an .npz file; or")
    one.add_argument("--game", metavar="GAME", help=f"a game that is made at once: {MADE}")
    _set_game(one)
    add_play_options(one)

    add_game_options(command("game", "make a game from your own data: ratings, classification or log", ""))

    add_data_options(command("data", "list public data sets, say where their files are, and get them", ""))

    add_evaluate_options(command("evaluate", "estimate the value of a policy from a log, with intervals"))

    one = command("new", "write a working file to begin with: an algorithm, data set, game or paper")
    one.add_argument("kind", choices=NEW, metavar="KIND", help=", ".join(NEW))
    one.add_argument("path", type=Path, metavar="PATH", help="the file to write, such as mine.py; of a paper, a folder")

    one = command("check", "check that an algorithm keeps the contract, and time it beside LinUCB")
    one.add_argument("algorithm", metavar="ALGORITHM", help=NAMED)
    one.add_argument("--game", metavar="GAME", help=f"{MADE} (default: the first that it can play)")
    _set_game(one)

    one = command("league", "play your algorithm in the league, and draw where it stands", "config root cores json")
    one.add_argument(
        "--add", nargs="+", action="extend", required=True, metavar="ALGORITHM", help="files of your own, as mine.py"
    )
    one.add_argument("--arena", default="recommendation", help="an arena of the league (default: recommendation)")
    one.add_argument(
        "--out",
        type=Path,
        default=Path("league"),
        metavar="STEM",
        help="STEM.png, .svg and .csv, and those of STEM_ranks",
    )

    one = command("compare", "tabulate the final regret of run tables, with paired tests")
    one.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run tables, .parquet files")
    one.add_argument("--title", default="Regret", help="title of the figure")
    one.add_argument("--band", default="std", help="band of the figure: std (default) or interval")
    one.add_argument("--out", type=Path, metavar="STEM", help="also draw regret: STEM.png, .svg and .csv")

    one = command("claims", "list the claims of papers; with --run, the verdicts on them", "root json")
    verdicts = one.add_mutually_exclusive_group()
    verdicts.add_argument("--run", metavar="NAME", help="a run, with its verdicts in reports/NAME")
    verdicts.add_argument("--verdicts", type=Path, metavar="FILE", help="verdicts.jsonl; headlines.jsonl is beside it")
    one.add_argument("--headlines", action="store_true", help="only headlines: what a paper says above all")
    one.add_argument("--markdown", action="store_true", help="print the headlines as a table in Markdown")
    one.add_argument("--paper", help="only claims of this paper")
    one.add_argument("--answer", help='only claims, and headlines by their text, with this answer, such as "fails"')
    one.add_argument("--word", help='only headlines with this word, such as "only as released"')
    one.add_argument("--kind", help="only claims of this kind: value, order, ratio, slope or equality")

    one = command(
        "readings", "how headlines depend on what their papers leave open; with --set, what if", "root cores json"
    )
    one.add_argument("paper", nargs="?", metavar="PAPER", help="only headlines of this paper, a name or a folder")
    one.add_argument("--set", action="append", metavar="QUESTION=VALUE", dest="answers", help="an answer")
    one.add_argument("--run", default="readings", metavar="NAME", help="a run with readings (default: readings)")
    one.add_argument("--play", action="store_true", help="play the reading if it is not part of the run")

    one = command("reproduce", "make figures and tables of papers, from raw data", "config root cores json")
    one.add_argument("targets", nargs="+", metavar="TARGET", help="an experiment, a paper, or all; see below")
    one.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes", help="a setting")
    one.add_argument("--dry-run", action="store_true", help="only say which jobs would run")

    one = command("site", "say where the site of a run is; make it, open it", "root cores json")
    one.add_argument("--run", metavar="NAME", help="a run in reports/NAME (default: the only one with a site)")
    one.add_argument("--make", action="store_true", help="make all that the run lacks, with its site")
    one.add_argument("--open", action="store_true", help="open it in the browser")

    add_verify_options(command("verify", "make committed results again from their run tables, compare the bytes", ""))

    add_estimate_options(command("estimate", "estimate what a configuration costs before it runs", ""))

    one = command("repair", "delete damaged files of runs, so that the next run makes them again")
    one.add_argument("folders", type=Path, nargs="*", metavar="FOLDER", help="default: ./artifacts and ./reports")
    one.add_argument("--dry-run", action="store_true", help="only say what no run can use")
    one.add_argument("--unlock", action="store_true", help="free the folder from a run on a machine that is off")

    for one, shared in made:
        add_shared(one, shared.split())
    return parser


def _set_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set-game", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help="settings of the game"
    )
