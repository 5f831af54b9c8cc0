"""The command line of the library: see ``manybandits --help``.

`manybandits.cli.commands` defines all commands and options. The module of a command has its name and is imported when
the command is called.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from manybandits.base.exceptions import InputError, nearest, run_script
from manybandits.base.project import find_root, overlay_file
from manybandits.cli.commands import build_parser
from manybandits.interface.extras import lacking

__all__ = ["build_parser", "main", "run"]


def run(argv: list[str] | None) -> None:
    """Run the command in `argv`."""
    parser = build_parser()
    given, unknown = parser.parse_known_args(argv)
    if unknown:
        command = parser.commands()[given.command]
        command = command.commands().get(getattr(given, "inner", ""), command)
        raise InputError(f"{command.prog} takes no {unknown[0]!r}: {nearest(unknown[0], command.options())}")
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
    """Run the command line; see ``manybandits --help`` for the exit status, which is 130 after an interruption."""
    try:
        run_script(run, argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, closed the pipe. Flushing the remaining output at exit would raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)
