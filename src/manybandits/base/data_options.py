"""The options of ``manybandits data``, which is ``python -m manybandits.datasets`` as well.

It imports nothing that computes, so that help and completion are fast.
"""

from __future__ import annotations

import argparse
from pathlib import Path

ACTIONS = {
    "list": "list all data sets, their licences, and whether their files are here",
    "show": "say what a data set is, where its files are or come from, and what is missing",
    "fetch": "get the raw files of a data set and check them",
    "tidy": "make the raw files of a data set tidy, fetching them first",
}


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Add the actions on data sets with their options to the parser of the command."""
    actions = parser.add_subparsers(dest="inner", required=True, metavar="ACTION")
    for action, says in ACTIONS.items():
        one = actions.add_parser(action, help=says, description=f"{says[0].upper()}{says[1:]}.")
        if action != "list":
            one.add_argument("name", metavar="NAME", help="a data set, as `list` names it, or a file of your own")
        one.add_argument("--raw", type=Path, metavar="FOLDER", help="folder of raw files (default: that of mb.data)")
        one.add_argument("--mirror", help="folder or address tried first (default: MANYBANDITS_MIRROR)")
        if action == "tidy":
            place = Path("artifacts/data/tidy")
            one.add_argument("--out", type=Path, default=place, help=f"folder of tidy files (default: {place})")
        one.add_argument("--json", action="store_true", help="print one JSON document; see `manybandits data --help`")
