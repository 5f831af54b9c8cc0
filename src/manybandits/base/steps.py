"""Run several modules in one process: ``python -m manybandits.base.steps MODULE ARGUMENTS + MODULE ARGUMENTS``.

Each step is a module that can also be run as a script, with the same result. One process for several steps saves time,
since starting Python and reading run tables takes as long as drawing a small figure or table.
"""

import importlib
import itertools
import sys

from manybandits.base.exceptions import InputError, run_script

BETWEEN = "+"
"""The argument that separates two steps."""


def main(argv: list[str] | None = None) -> None:
    """Run the steps one after the other."""
    given = sys.argv[1:] if argv is None else argv
    groups = itertools.groupby(given, BETWEEN.__eq__)
    for module, *arguments in (list(group) for is_between, group in groups if not is_between):
        if not module.startswith("manybandits."):
            raise InputError(f"{module!r} is not a step: name a module of manybandits, with {BETWEEN} between steps.")
        importlib.import_module(module).main(arguments)


if __name__ == "__main__":
    run_script(main)
