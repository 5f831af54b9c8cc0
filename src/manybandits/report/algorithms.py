"""The page of an algorithm: what it is, when to use it, its formula and options, what it cost, and where it stands."""

from __future__ import annotations

import inspect
import math
import statistics
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.contract import Option
from manybandits.algorithms.description import sentences_of
from manybandits.report.docstrings import render
from manybandits.report.report import Report
from manybandits.report.source_code import coloured
from manybandits.report.standings import Arena, standings_of
from manybandits.results.display_names import FAMILIES, algorithm_name


def describe(name: str, report: Report, arenas: Sequence[Arena]) -> dict[str, Any]:
    """Return what the page of an algorithm shows. arenas: those of the run's league."""
    module, family = catalogue.load(name), catalogue.family_of(name)
    costs = [row for row in report.cost_rows() if row["file"] == name]
    return {
        "name": catalogue.short_name(name),
        "file": f"src/manybandits/algorithms/{family}/{name}.py" if name in catalogue.names() else name,
        "title": algorithm_name(module.TITLE),
        "reference": module.REFERENCE,
        "family": FAMILIES.get(family, family),
        "sentences": sentences_of(name) or (_first_line(module),),
        "words": render(inspect.getdoc(module) or ""),
        "options": [
            {"name": one.name, "default": str(one.default), "meaning": one.meaning, "values": values_of(one)}
            for one in module.OPTIONS
        ],
        "twin": coloured(plain.source(name)),
        "playable": plain.PREFIX + name if plain.PREFIX + name in plain.names() else "",
        "costs": costs,
        "time": statistics.median(float(row["ns_per_decision"]) for row in costs),
        "standings": standings_of(name, arenas),
        "absent": absent(name, report, arenas),
        "league": [row for row in report.league.rows if row["file"] == name] if report.league else [],
    }


def plainly(name: str) -> dict[str, Any]:
    """Return the name, title and twin of an algorithm that a paper proposes."""
    return {"name": name, "title": algorithm_name(catalogue.load(name).TITLE), "twin": coloured(plain.source(name))}


def absent(name: str, report: Report, arenas: Sequence[Arena]) -> dict[str, str]:
    """Return the arenas of the league in which an algorithm does not play, by title, with the reason."""
    return {
        arena.title: entry["because"]
        for arena in arenas
        for entry in report.arenas[arena.key]["without"]
        if name in entry["algorithms"]
    }


def _first_line(module: ModuleType) -> str:
    """Return the first line of a docstring, which describes an algorithm that is not part of this package."""
    return (inspect.getdoc(module) or "").split("\n")[0]


def values_of(option: Option) -> str:
    """Return the values that an option may have, in words."""
    if option.words:
        return ", ".join(option.words)
    kind = "whole numbers" if isinstance(option.default, int) else "numbers"
    high = option.below if math.isfinite(option.below) else option.high
    low = f"from {option.low:g}" if math.isfinite(option.low) else ""
    upper = f"{'below' if math.isfinite(option.below) else 'to'} {high:g}" if math.isfinite(high) else ""
    return " ".join(part for part in (kind, low, upper) if part)
