"""Completion of commands and names in a shell: ``manybandits --print-completion bash``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import pick

SHELLS = ("bash", "zsh", "tcsh")


class PrintCompletion(argparse.Action):
    """Print a completion script with the names of algorithms and data sets, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, shell: Any, option: Any = None) -> None:
        import shtab

        from manybandits import datasets
        from manybandits.algorithms import catalogue
        from manybandits.cli.commands import build_parser

        pick(shell, SHELLS, "shell (--print-completion)")
        known = catalogue.names()
        whole = build_parser({"algorithm": known, "name": sorted({*known, *datasets.names()})})
        for one in (whole, *_below(whole)):
            for action in one._actions:
                if action.type is Path:
                    action.complete = shtab.FILE  # pyrefly: ignore[missing-attribute]
        sys.stdout.write(shtab.complete(whole, shell))
        parser.exit()


def _below(parser: Any) -> list[Any]:
    """Return the parsers of all commands, and those of the kinds of data of ``game``."""
    found = list(parser.commands().values())
    return found + [inner for one in found for inner in _below(one)]
