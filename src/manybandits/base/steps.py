"""Steps that share a process: ``python -m manybandits.base.steps MODULE ARGUMENTS + MODULE ARGUMENTS``.

Each step is a module that also runs as a script, and does here what it does there. To start Python and to read run
tables takes as long as many a figure or table does.
"""

from __future__ import annotations

import importlib
import itertools
import sys

from manybandits.base.exceptions import InputError, run_script

BETWEEN = "+"


def main(argv: list[str] | None = None) -> None:
    """Run all steps, one after the other."""
    given = sys.argv[1:] if argv is None else argv
    groups = itertools.groupby(given, BETWEEN.__eq__)
    for module, *arguments in (list(group) for is_between, group in groups if not is_between):
        if not module.startswith("manybandits."):
            raise InputError(f"{module!r} is no step: name a module of manybandits, and {BETWEEN} between two steps.")
        importlib.import_module(module).main(arguments)


if __name__ == "__main__":
    run_script(main)
