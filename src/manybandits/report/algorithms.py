"""The page of an algorithm: the docstring of its file, its options, what it cost, and where it ranks."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from typing import Any

from manybandits.algorithms import catalogue
from manybandits.algorithms.contract import Option
from manybandits.algorithms.line_map import has_line_map, line_maps_of
from manybandits.base.table_files import Row
from manybandits.results.display_names import algorithm_name


def describe(name: str, costs: Sequence[Row], league: Sequence[Row]) -> dict[str, Any]:
    """Return what the page of an algorithm shows. costs, league: all rows of these tables of the run."""
    module, family = catalogue.load(name), catalogue.family_of(name)
    maps = line_maps_of(name) if has_line_map(name) else ()
    return {
        "name": catalogue.short_name(name),
        "file": f"src/manybandits/algorithms/{family}/{name}.py" if name in catalogue.own_names() else name,
        "title": algorithm_name(module.TITLE),
        "reference": module.REFERENCE,
        "family": family,
        "words": inspect.getdoc(module) or "",
        "released": module.RELEASED,
        "options": [
            {"name": one.name, "default": str(one.default), "meaning": one.meaning, "values": values_of(one)}
            for one in module.OPTIONS
        ],
        "lines": [(part, read.source) for _, read in maps for part in read.parts],
        "costs": [row for row in costs if row["file"] == name],
        "league": [row for row in league if row["file"] == name],
    }


def values_of(option: Option) -> str:
    """Return the values that an option may have, in words."""
    if option.words:
        return ", ".join(option.words)
    kind = "whole numbers" if isinstance(option.default, int) else "numbers"
    high = option.below if math.isfinite(option.below) else option.high
    low = f"from {option.low:g}" if math.isfinite(option.low) else ""
    upper = f"{'below' if math.isfinite(option.below) else 'to'} {high:g}" if math.isfinite(high) else ""
    return " ".join(part for part in (kind, low, upper) if part)
