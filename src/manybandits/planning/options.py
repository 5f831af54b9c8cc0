"""The options of ``manybandits verify`` and ``estimate``, which are scripts, too, and those that many commands share.

It imports nothing that computes, so that help and completion are fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from manybandits.harness.play_options import all_cores, counted


def add_verify_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `manybandits.planning.verify`."""
    parser.add_argument("runs", nargs="*", metavar="RUN", help="runs (default: all in reports with run tables)")
    parser.add_argument("--paper", default="", help="verify this paper of the runs alone (default: all)")
    add_shared(parser, ("root", "cores", "json"))


def add_estimate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `manybandits.planning.estimate`."""
    parser.add_argument("--calibrate", action="store_true", help="measure the speed of this machine for a minute first")
    parser.add_argument("--check", action="store_true", help="compare with what the finished run did cost")
    add_shared(parser, ("config", "root", "cores", "json"))


def add_shared(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """Add options that many commands have, with one meaning: those of `names`."""
    if "config" in names:
        parser.add_argument(
            "--config", type=Path, action="append", default=[], metavar="FILE",
            help="a configuration on top of config.yaml: a file, or a name such as smoke; the last one counts",
        )  # fmt: skip
    if "root" in names:
        parser.add_argument(
            "--root", type=Path, metavar="FOLDER", help="a checkout (default: this folder, if it is one)"
        )
    if "cores" in names:
        parser.add_argument("--cores", type=counted, default=all_cores(), metavar="N", help="to play on (default: all)")
    if "json" in names:
        parser.add_argument("--json", action="store_true", help="print one JSON document; see below")
