"""Command line of the scripts that freeze games."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal


def read_settings(
    argv: list[str] | None,
    description: str,
    settings: Mapping[str, Any],
    meanings: Mapping[str, str],
    data: Literal["", "folder", "folders"] = "",
) -> dict[str, Any]:
    """Return the arguments of `freeze` of a game as read from the command line: `path` and the settings.

    settings: their names and defaults; meanings: help texts of some of them; data: of what the game is made, which has
    the arguments `tidy` and `role`: of nothing but its settings, of one folder of tidy data, or of several.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in settings.items():
        meaning = f"{meanings.get(name, '')} (default {default})".strip()
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    if data:
        several = "+" if data == "folders" else None
        parser.add_argument("--tidy", type=Path, nargs=several, required=True, help=f"{data} of tidy data sets")
        parser.add_argument("--role", required=True, help="the family of data that the paper names, such as movielens")
    parser.add_argument("--out", dest="path", metavar="OUT", type=Path, required=True, help="the .npz file to write")
    return vars(parser.parse_args(argv))
