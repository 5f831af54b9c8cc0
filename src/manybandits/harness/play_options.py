"""The options that describe one play, for the scripts of algorithms and for ``manybandits play``.

It imports nothing that computes, so that help and completion are fast.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

DESCRIBED = ("horizon", "seeds", "grid", "tuning", "tuning_seeds", "tuning_rounds", "title")
"""What describes a play, as parsed arguments; all other options leave its result as it is."""
HOW = ("threads", "memory", "device", "shards", "share")
"""How it is played."""


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that describe a play, and those of how it is played. What is not given has its default."""
    described = parser.add_argument_group("the play", argument_default=argparse.SUPPRESS)
    described.add_argument("--horizon", type=whole, metavar="N", help="rounds (default: 10000)")
    described.add_argument("--seeds", metavar="N-N", help="seeds that are reported (default: 0-9)")
    described.add_argument(
        "--set", nargs="+", action="extend", metavar="NAME=V,V", dest="grid", help="values of an option"
    )
    described.add_argument("--tuning", help="tuning-seeds (default), halving or best-of-grid")
    described.add_argument("--tuning-seeds", metavar="N-N", help="seeds that choose among values (default: 100-102)")
    described.add_argument("--tuning-rounds", type=whole, metavar="N", help="rounds of a tuning play (default: all)")
    described.add_argument("--title", help="name of the run in figures (default: that of the algorithm)")
    how = parser.add_argument_group("how it is played", argument_default=argparse.SUPPRESS)
    how.add_argument("--out", type=Path, required=True, metavar="FILE", help="the run table to write, .parquet")
    how.add_argument("--device", help="device of neural algorithms: cpu (default) or cuda")
    how.add_argument("--interpret", action="store_true", help="as plain Python, for a debugger, and slowly")
    how.add_argument("--memory", type=counted, metavar="BYTES", help="most bytes of the replicas of one batch")
    how.add_argument(
        "--shards", type=counted, metavar="N", help=argparse.SUPPRESS
    )  # a plan says into how many it is split
    how.add_argument("--share", metavar="K/N", help=argparse.SUPPRESS)  # the first process starts the others
    how.add_argument(
        "--cores", "--threads", type=counted, metavar="N", dest="threads", help="cores to play on (default: all)"
    )


def whole(text: str) -> int:
    """Return a whole number that is written in the digits 0 to 9; `int` reads those of all scripts."""
    if not text.isascii() or not text.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def counted(text: str) -> int:
    """Return a number of cores, or of bytes; Snakemake would wait forever for a job to start on no core."""
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def all_cores() -> int:
    """Return how many cores this process may use: in a job of Slurm, or under taskset, fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
