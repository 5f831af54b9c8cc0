"""The command line of the library: see ``manybandits --help``.

All commands and options are defined in this file and in `game_options`, which import no numerical packages, so that
help and completion are fast. The module of a command has its name and is imported when the command is called.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from manybandits import __version__
from manybandits.base.exceptions import run_script
from manybandits.base.project import find_root, overlay_file
from manybandits.cli.extras import lacking
from manybandits.cli.game_options import GAME, add_game_options

KINDS = ("algorithms", "datasets", "games", "papers", "experiments", "claims")
"""The kinds of things that `list` lists; `show` takes the names of all of them."""
NAMED = "a name from `list algorithms`, or a file of your own, such as mine.py"
SHELLS = ("bash", "zsh", "tcsh")

SUMMARY = "Rerun papers on learning across many bandits, and see which of their claims hold."
START = """\
a first look:
  manybandits list algorithms
  manybandits show club
  manybandits play club --game synthetic --horizon 2000 --out club.parquet
  manybandits play linucb_one --game synthetic --horizon 2000 --out one.parquet
  manybandits compare club.parquet one.parquet

figures and tables of papers, made in the folder where you are:
  manybandits reproduce rmbandit_fig1 --config smoke       # short games, in a minute
  manybandits reproduce m_cnb_fig2 --cores 8               # paper scale

Papers, experiments and claims are those of the installed package, or of the checkout in this folder.
"""
PLAY = """\
All arguments after the algorithm describe the play; `manybandits play club --help` lists the options of CLUB.

  manybandits play club --environment game.npz --seeds 0-9 --set alpha=0.01,0.1 lambda=1 --out club.parquet

A game that needs no data can be made at once: give --game synthetic, agents or instances instead of --environment, and
its settings after --set-game. The same settings give the same game, so that run tables can be compared:

  manybandits play cmlb --game agents --set-game agents=20 clusters=2 --horizon 1000 --out cmlb.parquet
"""
COMPARE = """\
Algorithms on one game play the same rounds and are compared in pairs. The mark = means: not significantly different
from the best one (Wilcoxon test, Holm's correction, 5 %). With too few common seeds for a test nothing is marked.

  manybandits compare club.parquet one.parquet --out club_or_one
"""
LEAGUE = """\
Your algorithm plays every game of an arena, tuned and on the same seeds as all others, whose runs are kept: a second
time, only what you have edited is played. The picture has average ranks over the games; bars join algorithms that do
not differ significantly.

  manybandits league --add mine.py --arena recommendation                            # on embedded data
  manybandits league --add mine.py --arena recommendation --config configs/reduced.yaml   # on the papers' data
"""
CHECK = """\
A short game is played with replicas alone and together, on one core and two, and at the bounds of all options. If the
file names a TWIN, a plain class with the same choose and learn, it must play the same arms.

  manybandits new algorithm mine.py
  manybandits check mine.py
"""
NEW = """\
  manybandits new algorithm mine.py      # then: manybandits check mine.py
  manybandits new dataset my_ratings.py  # then: python -m manybandits.datasets tidy my_ratings.py
  manybandits new game my_game.py        # then: manybandits play linucb --game my_game.py --out linucb.parquet
  manybandits new paper my_paper         # a folder; then, in a configuration: papers: [./my_paper]
"""
READINGS = """\
A paper leaves choices open, and its code may make them otherwise than its text. A reading answers all of them; the run
`readings` judges every headline under up to 64. workflow/papers/*/open.yaml has the questions and admissible values.

  manybandits readings                                   # in how many readings each headline holds, and what decides
  manybandits readings m_cnb --set learners=served --set first=own         # what each headline would be
  manybandits readings m_cnb --set learners=served --set first=own --play  # the same, if that was not played yet
"""
REPRODUCE = """\
Snakemake makes what is missing: data, games, plays, figures and tables, in ./artifacts and ./reports.

  manybandits reproduce rmbandit_fig1 --config smoke       # a configuration of the project: short games
  manybandits reproduce sclb_pmlb_fig1 --cores 8 --set settings.seeds=0-2 --set name=three-seeds
  manybandits reproduce all --cores 8 --dry-run            # what everything would take

Targets are the names of `manybandits list experiments`, and of a whole run `league`, `verdicts`, `notebooks` and `all`:
the run with its site. Raw data are downloaded, or copied from the folder or address in the environment variable
MANYBANDITS_MIRROR. Whatever Snakemake reads from its environment holds, too, such as SNAKEMAKE_PROFILE of a cluster.
"""
SITE = """\
  manybandits site                                         # the site of the only run in ./reports
  manybandits site --run smoke --make --open               # make what is missing of it, and open it
"""
CLAIMS = """\
  manybandits claims --paper m_cnb                      # the claims of a paper
  manybandits claims --run reduced --headlines           # the headlines of all papers, with their verdicts
  manybandits claims --run reduced --paper m_cnb         # headlines, all claims, and the score of each table
  manybandits claims --run reduced --verdict "not reproduced" --json
"""


def build_parser(offered: Mapping[str, Sequence[str]] | None = None) -> argparse.ArgumentParser:
    """Return the parser. offered: argument -> the names that completion offers for it."""
    offered = offered or {}
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="manybandits", description=SUMMARY, epilog=START, formatter_class=formatter)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--print-completion", action=PrintCompletion, choices=SHELLS, help="print the completion script of a shell"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, summary: str, epilog: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(name, help=summary, description=summary, epilog=epilog, formatter_class=formatter)

    listing = command("list", "list algorithms, data sets, games, papers, experiments and claims")
    listing.add_argument("kind", nargs="?", choices=KINDS, help="what to list (default: all)")
    showing = command("show", "describe one of them")
    showing.add_argument("name", metavar="NAME", choices=offered.get("name"), help="a name from `list`")
    showing.add_argument("--lines", action="store_true", help="what became of each line of an algorithm's source")
    playing = command("play", "play a game with an algorithm, and write a run table", PLAY)
    playing.add_argument("algorithm", metavar="ALGORITHM", choices=offered.get("algorithm"), help=NAMED)
    playing.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="...", help="the arguments of the play, see below"
    )
    add_game_options(command("game", "make a game from your own data: ratings, classification or log", GAME), formatter)
    beginning = command(
        "new", "write a commented, working file: an algorithm, data set, game or paper of your own", NEW
    )
    beginning.add_argument("kind", choices=("algorithm", "dataset", "game", "paper"), help="what to begin")
    beginning.add_argument("path", type=Path, metavar="FILE.py", help="the file to write; of a paper, the folder")
    checking = command("check", "check that an algorithm keeps the contract, and time it beside LinUCB", CHECK)
    checking.add_argument("algorithm", metavar="ALGORITHM", help=NAMED)
    checking.add_argument("--game", help="synthetic, agents or instances (default: the first that it can play)")
    checking.add_argument("--set-game", nargs="+", default=[], metavar="NAME=VALUE", help="settings of the game")
    joining = command("league", "play your algorithm in the league, and draw where it stands", LEAGUE)
    joining.add_argument("--add", nargs="+", required=True, metavar="ALGORITHM", help="files of your own, as mine.py")
    joining.add_argument("--arena", default="recommendation", help="an arena of the league (default: recommendation)")
    joining.add_argument("--out", default="league", metavar="STEM", help="STEM.png, .svg and .csv (default: league)")
    joining.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="default: all cores")
    comparing = command("compare", "tabulate the final regret of run tables, with paired tests", COMPARE)
    comparing.add_argument("runs", type=Path, nargs="+", metavar="RUN.parquet", help="run tables")
    comparing.add_argument("--out", type=Path, metavar="STEM", help="also draw regret: STEM.png, .svg and .csv")
    comparing.add_argument("--title", default="Regret", help="title of the figure")
    comparing.add_argument("--band", default="std", help="band of the figure: std (default) or interval")
    claiming = command("claims", "list the claims of papers; with --run, the verdicts on them", CLAIMS)
    verdicts = claiming.add_mutually_exclusive_group()
    verdicts.add_argument("--run", metavar="NAME", help="a run, with its verdicts in reports/NAME")
    verdicts.add_argument(
        "--verdicts", type=Path, metavar="FILE", help="a file of verdicts (.csv), with those of headlines beside it"
    )
    claiming.add_argument("--headlines", action="store_true", help="only headlines: what a paper says above all")
    claiming.add_argument("--markdown", action="store_true", help="print the headlines as a table in Markdown")
    claiming.add_argument("--paper", help="only claims of this paper")
    claiming.add_argument("--verdict", help='only claims with this verdict, such as "not reproduced"')
    claiming.add_argument("--kind", help="only claims of this kind: value, order, ratio, slope or equality")
    reading = command("readings", "how headlines depend on what their papers leave open; with --set, what if", READINGS)
    reading.add_argument("paper", nargs="?", metavar="PAPER", help="only headlines of this paper")
    reading.add_argument("--set", action="append", metavar="QUESTION=VALUE", dest="answers", help="an answer")
    reading.add_argument("--run", default="readings", metavar="NAME", help="a run with readings (default: readings)")
    reading.add_argument("--play", action="store_true", help="play the reading if it is not part of the run")
    making = command("reproduce", "make figures and tables of papers, from raw data", REPRODUCE)
    making.add_argument("targets", nargs="+", metavar="TARGET", help="an experiment, a paper, or all; see below")
    making.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes", help="a setting")
    making.add_argument("--dry-run", action="store_true", help="only say which jobs would run")
    showing_site = command("site", "say where the site of a run is; make it, open it", SITE)
    showing_site.add_argument("--run", metavar="NAME", help="a run in reports/NAME (default: the only one with a site)")
    showing_site.add_argument("--make", action="store_true", help="make all that the run lacks, with its site")
    showing_site.add_argument("--open", action="store_true", help="open it in the browser")
    for one in (reading, making, showing_site):
        one.add_argument("--cores", type=_cores, default=os.cpu_count() or 1, help="to play on (default: all)")
    for one in (listing, showing, joining, making):
        one.add_argument("--config", type=Path, nargs="*", default=[], metavar="FILE", help="overlays of config.yaml")
    for one in (listing, showing, joining, claiming, reading, making, showing_site):
        one.add_argument("--root", type=Path, help="a checkout (default: the one here, else the installed files)")
    for one in (listing, showing, joining, checking, comparing, claiming, reading, making, showing_site):
        one.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _cores(text: str) -> int:
    """Return a number of cores; Snakemake would wait forever for a job to start on none."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


class PrintCompletion(argparse.Action):
    """Print a completion script with the names of algorithms and data sets, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, shell: Any, option: Any = None) -> None:
        import shtab

        from manybandits import datasets
        from manybandits.algorithms import catalogue

        known = catalogue.names()
        parser = build_parser({"algorithm": known, "name": sorted({*known, *datasets.names()})})
        for one in _parsers(parser):
            for action in one._actions:
                if action.type is Path:
                    action.complete = shtab.FILE  # type: ignore[attr-defined]
        sys.stdout.write(shtab.complete(parser, shell))
        parser.exit()


def _parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Return the parsers of all commands, and those of the kinds of data of ``game``."""
    found = [one for action in parser._actions if isinstance(action.choices, dict) for one in action.choices.values()]
    return found + [inner for one in found for inner in _parsers(one)]


def run(argv: list[str] | None) -> None:
    """Run the command in `argv`."""
    given = build_parser().parse_args(argv)
    if "root" in given:
        given.folder = given.root or Path()  # of what runs make; the root has what they read
        given.root = given.root or find_root()
    if "config" in given:
        given.config = [overlay_file(path, given.root) for path in given.config]
    try:
        importlib.import_module(f"{__name__}.{given.command}").run(given)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("manybandits"):
            raise
        raise lacking(str(error.name)) from error


def main(argv: list[str] | None = None) -> None:
    """Run the command line. Exit status: 2 for an error of the user, 130 for an interruption, 0 otherwise."""
    try:
        run_script(run, argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, closed the pipe. Flushing the remaining output at exit would raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)
