"""Run a job, which is one module or several, in one process.

    python -m manybandits.base.steps --record 1 MODULE ARGUMENTS + MODULE ARGUMENTS

Each step is a module that can also be run as a script, with the same result. One process for several steps saves time,
since starting Python and reading run tables takes as long as drawing a small figure or table.
"""

from __future__ import annotations

import importlib
import itertools
import sys

from manybandits.base.exceptions import InputError, run_script

BETWEEN = "+"
"""The argument that separates two steps."""
RECORD = ("--record", "1")
"""How a job begins that is described as this version describes it."""


def main(argv: list[str] | None = None) -> None:
    """Run the steps one after the other."""
    given = sys.argv[1:] if argv is None else argv
    if tuple(given[:2]) != RECORD:
        raise InputError(
            f"this job is described as {' '.join(given[:2])}, and this version of manybandits runs {' '.join(RECORD)}: "
            "install the same version where Snakemake plans and where jobs run."
        )
    groups = itertools.groupby(given[2:], BETWEEN.__eq__)
    for module, *arguments in (list(group) for is_between, group in groups if not is_between):
        if not module.startswith("manybandits."):
            raise InputError(f"{module!r} is not a step: name a module of manybandits, with {BETWEEN} between steps.")
        script = importlib.import_module(module)
        # That of all algorithms, whose `main` takes one of them, begins with `command`.
        (getattr(script, "command", None) or script.main)(arguments)


if __name__ == "__main__":
    run_script(main)
