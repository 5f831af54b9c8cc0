"""Command line of the scripts that freeze games from settings alone."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_settings(
    argv: list[str] | None, description: str, settings: Mapping[str, Any], meanings: Mapping[str, str]
) -> dict[str, Any]:
    """Return the settings of a game, and the path `out`, as read from the command line.

    settings: their names and defaults; meanings: help texts of some of them.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in settings.items():
        meaning = f"{meanings.get(name, '')} (default {default})".strip()
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    return vars(parser.parse_args(argv))
