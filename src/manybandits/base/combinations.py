"""All combinations of listed values: of the options of a grid, or of the settings of a game."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from manybandits.base.exceptions import InputError

Value = int | float | str
"""A setting of a game, or the value of an option."""
MOST = 10_000
"""The most combinations."""


def combinations(given: Mapping[str, Value | list[Value]]) -> list[dict[str, Value]]:
    """Return all combinations of the values of settings: each value is a list of values, or a single one.

    Raises InputError as `check_combinations` does.
    """
    lists = {name: values if isinstance(values, list) else [values] for name, values in given.items()}
    check_combinations(lists)
    return [dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values())]


def check_combinations(lists: Mapping[str, Sequence[object]]) -> None:
    """Raise InputError if a list, by name, has a value twice, or if the lists have too many combinations."""
    count = math.prod(map(len, lists.values()))
    if count > MOST:
        lengths = " x ".join(f"{len(values):,} of {name}" for name, values in lists.items())
        raise InputError(f"{lengths} are {count:,} combinations, more than {MOST:,}: list fewer values.")
    for name, values in lists.items():
        if twice := [value for value, times in Counter(values).items() if times > 1]:
            raise InputError(f"the values of {name!r} have {twice[0]!r} twice: list it once.")
