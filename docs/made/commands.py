"""The page of the command line, made from its parsers."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator
from unittest.mock import patch

from manybandits.cli.commands import build_parser
from manybandits.cli.parser import Parser
from manybandits.datasets.__main__ import main as data
from manybandits.environments.synthetic import main as freeze
from manybandits.harness.command_line import main as play

WIDTH = "88"
"""Columns of the usage and help that are printed."""
HEAD = """\
# Command line

`manybandits` has the commands below; each prints this with `--help`. The exit status is 0, or 2 for a mistake in what
was asked, which is told in a sentence; 130 after an interruption. `manybandits --print-completion bash` (or `zsh`,
`tcsh`) prints shell completion.

Under [Scripts](#scripts) are modules that run alone, such as every algorithm.
"""
SCRIPTS = """\
## Scripts

Every algorithm and every game is also a script, and so is what downloads data.
"""
HELP: dict[str, Callable[[], object]] = {
    "manybandits.algorithms.linear.club": lambda: play("club", ["--help"]),
    "manybandits.environments.synthetic": lambda: freeze(["--help"]),
    "manybandits.datasets": lambda: data(["--help"]),
}
"""Scripts whose help is shown, with what prints it."""


def page() -> str:
    """Return the page in Markdown."""
    with patch.dict(os.environ, {"COLUMNS": WIDTH}):
        parts = [HEAD, *(_command(name, one) for name, one in _commands(build_parser())), SCRIPTS]
        return "\n".join([*parts, *(_script(module, run) for module, run in HELP.items())])


def _commands(parser: Parser, before: str = "") -> Iterator[tuple[str, Parser]]:
    """Yield all commands, each followed by those inside it: its words, such as ``game log``, and its parser."""
    for name, inner in parser.commands().items():
        yield f"{before}{name}", inner
        yield from _commands(inner, f"{before}{name} ")


def _command(name: str, parser: Parser) -> str:
    """Return the section of a command."""
    summary = str(parser.description)
    lines = [f"{'#' * (2 + name.count(' '))} {name}", "", f"{summary[:1].upper()}{summary[1:]}.", ""]
    lines += ["```text", _usage(parser), "```", ""]
    shown = [one for one in parser._actions if not isinstance(one, argparse._HelpAction | argparse._SubParsersAction)]
    if shown:
        lines += ["| argument | meaning |", "|---|---|", *map(_row, shown), ""]
    if parser.epilog:
        lines += ["```text", parser.epilog.strip("\n"), "```", ""]
    return "\n".join(lines)


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return how a command is called, without the word before it, and the lines below moved as much to the left."""
    before = "usage: "
    first, *others = parser.format_usage().rstrip().splitlines()
    return "\n".join([first.removeprefix(before), *(line.removeprefix(" " * len(before)) for line in others)])


def _row(action: argparse.Action) -> str:
    """Return the row of an argument."""
    value = action.metavar if isinstance(action.metavar, str) else ""
    choices = action.choices if isinstance(action.choices, tuple) else ()
    if not action.option_strings:
        named = f"`{value or action.dest}`"
    else:
        taken = "" if action.nargs == 0 else f" {value or action.dest.upper()}"
        named = ", ".join(f"`{flag}{taken}`" for flag in action.option_strings)
    words = [str(action.help or "")]
    words += [f"one of {', '.join(f'`{choice}`' for choice in choices)}"] if choices else []
    return f"| {named} | {'; '.join(filter(None, words))} |"


def _script(module: str, run: Callable[[], object]) -> str:
    """Return the section of a script: its help, as it prints it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        run()
    told = re.sub(r"usage: .+?(?= \[-h\])", f"usage: python -m {module}", printed.getvalue(), count=1)
    return f"### {module}\n\n```text\n{told.strip()}\n```\n"
