"""Settings of a play: seeds, grids of option values, tuning rules, and how the command line writes them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import ModuleType

from manybandits.algorithms import contract
from manybandits.base.combinations import check_combinations
from manybandits.base.exceptions import InputError

NEURAL_HARNESS = "manybandits.harness.neural"
"""Name of the module that plays neural algorithms."""
TUNING = ("tuning-seeds", "halving", "best-of-grid")

MOST_SEEDS = 10_000
"""The most seeds of a play."""
SEEDS = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?", re.ASCII)

Setting = dict[str, float | int | str]


def code_of(algorithm: str, game: str, batched: bool) -> tuple[str, ...]:
    """Return the dotted modules that a play runs, of which and of whose imports its digest is.

    game: the module of the game, which has the rules of play of its kind; batched: whether the algorithm is written for
    all replicas at once.
    """
    played = algorithm, "manybandits.harness.play", game
    return (*played, NEURAL_HARNESS) if batched else played


def expand_grid(algorithm: ModuleType, given: Mapping[str, Sequence[object]], where: str) -> list[Setting]:
    """Return all combinations of the given values of options, with defaults for the other options.

    where: file and key, or argument, for error messages. Raises InputError for an empty list of values, an unknown
    option, or a value that is not allowed.
    """
    for name, values in given.items():
        if len(values) == 0:
            raise InputError(f"{where}: the grid of {name!r} is empty; give at least one value.")
    try:
        check_combinations(given)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    combinations = itertools.product(*given.values())
    return [contract.complete(algorithm, dict(zip(given, values, strict=True)), where) for values in combinations]


def parse_seeds(text: str, where: str = "--seeds") -> list[int]:
    """Return the seeds that a text such as ``0-9``, ``0,3,7`` or ``0-4,7`` lists.

    where: key or argument, for error messages. Raises InputError if the text is not such a list, if a seed is listed
    twice, or if there are too many.
    """
    seeds: list[int] = []
    for part in text.split(","):
        found = SEEDS.fullmatch(part.strip(" "))
        if not found:
            raise InputError(f"{where} {text!r} is not a list of seeds: write for example 0-9 or 0,3,7.")
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first:
            raise InputError(f"{where} {text!r}: {part} counts down; write the smaller seed first.")
        if len(seeds) + last - first >= MOST_SEEDS:
            raise InputError(f"{where} {text!r} has more than {MOST_SEEDS:,} seeds: list fewer.")
        seeds.extend(range(first, last + 1))
    check_different(seeds, f"{where} {text!r}")
    return seeds


def check_different(seeds: Sequence[int], where: str) -> None:
    """Raise InputError if a seed is listed twice. where: what lists it, for the message."""
    if twice := [seed for seed, times in Counter(seeds).items() if times > 1]:
        raise InputError(f"{where} has the seed {twice[0]} twice: list it once.")


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
