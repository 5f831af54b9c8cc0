"""The parser of the command line: its help fits the terminal, and a wrong name is answered with the nearest one."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from manybandits.base.exceptions import nearest
from manybandits.base.printing import LINE, filled


class Formatter(argparse.HelpFormatter):
    """Wraps the text of a help to the terminal, but not examples, which are indented."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._width = min(self._width, LINE)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return filled(text, width)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with the nearest name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, formatter_class=Formatter, allow_abbrev=False)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            what = {"COMMAND": "command", "DATA": "kind of data", "ACTION": "action"}.get(
                str(action.metavar), action.dest
            )
            raise argparse.ArgumentError(None, f"unknown {what} {value!r}: {nearest(value, action.choices)}")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line, and exit with status 2."""
        self.exit(2, f"error: {message.rstrip('.')} (`{self.prog} --help` says more)\n")

    def options(self) -> list[str]:
        """Return the long names of all options."""
        return [name for action in self._actions for name in action.option_strings if name.startswith("--")]

    def commands(self) -> dict[str, Parser]:
        """Return the parsers of the commands, by name; none if there are no commands."""
        found = [action.choices for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        return {name: one for choices in found for name, one in choices.items()}


class Help(argparse.Action):
    """Print the help of a parser; of one that plays an algorithm, with the options of the algorithm before it."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: Any = None) -> None:
        if name := getattr(namespace, "algorithm", None):
            from manybandits.algorithms.catalogue import checked_name
            from manybandits.algorithms.plain import PREFIX
            from manybandits.harness.command_line import options_in_words

            parser.epilog = options_in_words(checked_name(name.removeprefix(PREFIX)))
        parser.print_help()
        parser.exit()
