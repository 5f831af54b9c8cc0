"""Command line of algorithms: play a frozen game with an algorithm and write the run table.

    python -m manybandits.harness.command_line club --environment E.npz --seeds 0-9 --set alpha=0.1,1 --out run.parquet

``python -m manybandits.algorithms.linear.club`` does the same as ``python -m manybandits.harness.command_line club``.
The path of a file, such as ``./mine.py``, stands wherever a name does.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manybandits.algorithms import catalogue, plain
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.typed import typed_json
from manybandits.compiling.interpreting import interpreted
from manybandits.compiling.progress import CompilationError, announce_compilation, compilation_error
from manybandits.harness.arguments import parse_grid, parse_seeds
from manybandits.harness.play import play
from manybandits.harness.play_options import DESCRIBED, HOW, add_play_options, all_cores
from manybandits.harness.spec import PlaySpec

LIMITED = True
"""A job of this script is given its limits, see `manybandits.base.steps`."""


def main(algorithm: str, argv: list[str] | None = None, program: str | None = None) -> None:
    """Run the script of an algorithm. program: its name in the help; None: that of the running program."""
    module = catalogue.load(algorithm)
    parser = argparse.ArgumentParser(
        prog=program,
        description=f"{module.TITLE} ({module.REFERENCE}) on a frozen game.",
        epilog=options_in_words(algorithm),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--environment", type=Path, required=True, metavar="FILE", help="the game, an .npz file")
    parser.add_argument("--spec", metavar="JSON", help="the whole play as one text, as a plan writes it")
    add_play_options(parser)
    args = vars(parser.parse_args(argv))
    print(play_as_given(algorithm, args["environment"], args, args["spec"]))


def options_in_words(algorithm: str) -> str:
    """Return the options of an algorithm, one per line, for its help."""
    options = catalogue.load(algorithm).OPTIONS
    lines = [f"  {one.name:<14} {one.meaning} (default {one.default})" for one in options]
    return "\n".join(("options for --set:", *(lines or ["  none"])))


def play_as_given(algorithm: str, environment: Path, given: Mapping[str, Any], text: str | None = None) -> str:
    """Play as the parsed options of `add_play_options` say, and return the summary of the play.

    text: the play as JSON, which then none of these options may describe.
    """
    described = {name: given[name] for name in DESCRIBED if name in given}
    how: dict[str, Any] = {"threads": all_cores(), **{name: given[name] for name in HOW if name in given}}
    spec = spec_of(algorithm, described) if text is None else read_spec(algorithm, text, described)
    if plain.is_twin(algorithm):
        from manybandits.harness.twins import play_twin  # which plays of fast forms must not import

        return play_twin(environment, spec, given["out"])
    try:
        with announce_compilation(catalogue.load(algorithm).TITLE), interpreted(given.get("interpret", False)):
            return play(environment, spec, given["out"], **how)
    except CompilationError as error:
        raise InputError(f"{algorithm} cannot be compiled: {compilation_error(error)}") from error


def command(argv: list[str] | None = None) -> None:
    """Run the script of the algorithm that the first argument names."""
    parser = argparse.ArgumentParser(
        prog="python -m manybandits.harness.command_line",
        description="Play a frozen game with an algorithm and write the run table.",
    )
    parser.add_argument("algorithm", help="name of an algorithm, such as club, or path of a file, such as ./mine.py")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of its script; --help lists them")
    args = parser.parse_args(argv)
    name = catalogue.checked_name(args.algorithm)
    main(name, args.arguments, f"{parser.prog} {name}")


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
