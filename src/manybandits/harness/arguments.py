"""Settings of a play: seeds, grids of option values, tuning rules, and how the command line writes them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from types import ModuleType

from manybandits.algorithms import contract
from manybandits.base.exceptions import InputError

NEURAL_HARNESS = "manybandits.harness.neural"
"""Name of the module that plays neural algorithms."""
TUNING = ("tuning-seeds", "best-of-grid")

Setting = dict[str, float | int | str]


def expand_grid(algorithm: ModuleType, given: Mapping[str, Sequence[object]], where: str) -> list[Setting]:
    """Return all combinations of the given values of options, with defaults for the other options.

    where: file and key, or argument, for error messages. Raises InputError for an empty list of values, an unknown
    option, or a value that is not allowed.
    """
    for name, values in given.items():
        if len(values) == 0:
            raise InputError(f"{where}: the grid of {name!r} is empty; give at least one value.")
    combinations = itertools.product(*given.values())
    return [contract.complete(algorithm, dict(zip(given, values, strict=True)), where) for values in combinations]


def parse_seeds(text: str, where: str = "--seeds") -> list[int]:
    """Return the seeds that a text such as ``0-9``, ``0,3,7`` or ``0-4,7`` lists.

    where: key or argument, for error messages. Raises InputError if the text is not such a list.
    """
    seeds: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if not (first.isdigit() and (last.isdigit() or not _)):
            raise InputError(f"{where} {text!r} is not a list of seeds: write for example 0-9 or 0,3,7.")
        seeds.extend(range(int(first), int(last or first) + 1))
    return seeds


def format_seeds(seeds: Sequence[int]) -> str:
    """Return seeds as `parse_seeds` reads them: ``0-9``, or ``0-2,7`` if they are not consecutive."""
    stretches: list[list[int]] = []
    for seed in seeds:
        if stretches and seed == stretches[-1][-1] + 1:
            stretches[-1].append(seed)
        else:
            stretches.append([seed])
    return ",".join(f"{one[0]}-{one[-1]}" if len(one) > 1 else str(one[0]) for one in stretches)


def parse_grid(texts: Sequence[str]) -> dict[str, list[object]]:
    """Return the grid that texts such as ``alpha=0.1,1`` describe: option -> values.

    Raises InputError if a text does not have this form.
    """
    grid: dict[str, list[object]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise InputError(f"--set {text!r} is not an option: write for example --set alpha=0.1,1.")
        grid[name] = list(values.split(","))
    return grid
