"""Command line of algorithms: play a frozen game with an algorithm and write the run table.

    python -m manybandits.harness.command_line club --environment E.npz --seeds 0-9 --set alpha=0.1,1 --out run.parquet

``python -m manybandits.algorithms.linear.club`` does the same as ``python -m manybandits.harness.command_line club``.
The path of a file, such as ``./mine.py``, stands wherever a name does.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.typed import typed_json
from manybandits.compiling.progress import announce_compilation, compilation_error
from manybandits.harness.arguments import parse_grid, parse_seeds
from manybandits.harness.play import play
from manybandits.harness.replicas import MEMORY
from manybandits.harness.spec import PlaySpec


def main(algorithm: str, argv: list[str] | None = None, program: str | None = None) -> None:
    """Run the script of an algorithm. program: its name in the help; None: that of the running program."""
    module = catalogue.load(algorithm)
    options = "\n".join(f"  {o.name:<14} {o.meaning} (default {o.default})" for o in module.OPTIONS) or "  none"
    parser = argparse.ArgumentParser(
        prog=program,
        description=f"{module.TITLE} ({module.REFERENCE}) on a frozen game.",
        epilog=f"options for --set:\n{options}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--environment", type=Path, required=True, help="the game, an .npz file")
    parser.add_argument("--out", type=Path, required=True, help="the run table to write, a .parquet file")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="default: all cores")
    parser.add_argument("--memory", type=int, default=MEMORY, help="maximum bytes of the replicas of one batch")
    parser.add_argument("--device", default="cpu", help="device of neural algorithms: cpu (default) or cuda")
    parser.add_argument("--spec", help="all of the following as one JSON text, as a plan writes it")
    described = parser.add_argument_group("the play", argument_default=argparse.SUPPRESS)
    described.add_argument("--protocol", help="paper (default) or released")
    described.add_argument("--set", nargs="*", metavar="NAME=V,V", dest="grid", help="grid values of an option")
    described.add_argument("--seeds", help="evaluation seeds (default 0-9)")
    described.add_argument("--tuning-seeds", help="seeds for choosing the grid point (default 100-102)")
    described.add_argument("--tuning", help="tuning-seeds (default) or best-of-grid")
    described.add_argument("--tuning-rounds", type=int, help="rounds of a tuning play (default: the horizon)")
    described.add_argument("--title", help="name of the run in figures (default: that of the algorithm)")
    described.add_argument("--horizon", type=int, help="rounds (default 10000)")
    given = vars(parser.parse_args(argv))
    environment, out, text = given.pop("environment"), given.pop("out"), given.pop("spec")
    how = {name: given.pop(name) for name in ("threads", "memory", "device")}
    spec = spec_of(algorithm, given) if text is None else read_spec(algorithm, text, given)
    try:
        with announce_compilation(module.TITLE):
            told = play(environment, spec, out, **how)
    except NumbaError as error:
        raise InputError(f"{algorithm} cannot be compiled: {compilation_error(error)}") from error
    print(told)


def command(argv: list[str] | None = None) -> None:
    """Run the script of the algorithm that the first argument names."""
    parser = argparse.ArgumentParser(
        prog="python -m manybandits.harness.command_line",
        description="Play a frozen game with an algorithm and write the run table.",
    )
    parser.add_argument("algorithm", help="name of an algorithm, such as club, or path of a file, such as ./mine.py")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of its script; --help lists them")
    given = parser.parse_args(argv)
    name = catalogue.checked_name(given.algorithm)
    main(name, given.arguments, f"{parser.prog} {name}")


def spec_of(algorithm: str, given: Mapping[str, Any]) -> PlaySpec:
    """Return the play that command-line arguments describe; missing ones have their default."""
    read: dict[str, Any] = {
        name: tuple(parse_seeds(given[name])) for name in ("seeds", "tuning_seeds") if name in given
    }
    if "grid" in given:
        read["grid"] = parse_grid(given["grid"])
    return PlaySpec(algorithm=algorithm, **{**given, **read})


def read_spec(algorithm: str, text: str, given: Mapping[str, Any]) -> PlaySpec:
    """Return the play that a JSON text describes.

    Raises InputError if other arguments describe a play too, or if it is a play of another algorithm.
    """
    if given:
        raise InputError(f"--spec describes the whole play: leave out {', '.join(sorted(given))}, or --spec.")
    spec = typed_json(PlaySpec, text, "--spec")
    if spec.algorithm != algorithm:
        raise InputError(f"--spec is a play of {spec.algorithm}, but this is the script of {algorithm}: run its own.")
    return spec


if __name__ == "__main__":
    run_script(command)
