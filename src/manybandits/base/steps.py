"""Run a job, which is one module or several, in one process.

    python -m manybandits.base.steps --record 2 --threads 1 --memory 9999999 --shards 1 MODULE ARGUMENTS + MODULE ...

Each step is a module that can also be run as a script. One process for several steps saves time, since starting Python
and reading run tables takes as long as drawing a small figure or table. The limits of the job, which change no result,
are given to a step that plays: its module has ``LIMITED`` = True.

Jobs use AVX2 where a processor has AVX-512, too (on Linux). The rounds of a game follow from every digit of its
features, and with AVX-512 numpy and OpenBLAS add in another order, so that a game would have other rounds than on a
processor without it. A script that is run by itself uses what the processor has.
"""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from pathlib import Path

from manybandits.base.exceptions import InputError, run_script

BETWEEN = "+"
"""The argument that separates two steps."""
RECORD = ("--record", "2")
"""How a job begins that is described as this version describes it."""
LIMITS = ("--threads", "--memory", "--shards")
"""The limits of a job, which follow, each with its value."""
AVX2 = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Haswell"}
"""The variables by which numpy (2.4; others name features otherwise) and OpenBLAS do without AVX-512, if they are set
before these are imported."""
PROCESSOR = Path("/proc/cpuinfo")


def prefer_avx2() -> None:
    """Set the variables of `AVX2` on a processor with AVX-512, unless they are set."""
    if PROCESSOR.is_file() and " avx512f " in PROCESSOR.read_text(encoding="utf-8"):
        for name, value in AVX2.items():
            os.environ.setdefault(name, value)


def main(argv: list[str] | None = None) -> None:
    """Run the steps one after the other."""
    given = sys.argv[1:] if argv is None else argv
    if tuple(given[:2]) != RECORD:
        raise InputError(
            f"this job is described as {' '.join(given[:2])}, and this version of manybandits runs {' '.join(RECORD)}: "
            "install the same version where Snakemake plans and where jobs run."
        )
    first = 2 + 2 * len(LIMITS)
    limits, described = given[2:first], given[first:]
    if tuple(limits[::2]) != LIMITS:
        raise InputError(f"this job has the limits {' '.join(limits)}: give {', '.join(LIMITS)}, each with its value.")
    groups = itertools.groupby(described, BETWEEN.__eq__)
    for module, *arguments in (list(group) for is_between, group in groups if not is_between):
        if not module.startswith("manybandits."):
            raise InputError(f"{module!r} is not a step: name a module of manybandits, with {BETWEEN} between steps.")
        script = importlib.import_module(module)
        # That of all algorithms, whose `main` takes one of them, begins with `command`.
        run = getattr(script, "command", None) or script.main
        run([*arguments, *limits] if getattr(script, "LIMITED", False) else arguments)


if __name__ == "__main__":
    prefer_avx2()
    run_script(main)
