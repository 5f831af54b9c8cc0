"""The evidence for the claims about one experiment: the base class of its three kinds.

plays.Plays              run tables
regressions.Regressions  tables of errors of estimators
rows.Rows                a table of a measurement

Evidence gives samples of a measure, says in what respects it is smaller than the paper's (its limits), and what a
reader should know before believing it (its flags).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.claims.samples import Sample
from manybandits.claims.verdict import Flag
from manybandits.papers.claim import Selection, Where
from manybandits.papers.settings import Value
from manybandits.results.measures import Measure

ORIGINAL = ("complete", "generated")
"""The values of a data set's completeness that mean that nothing is missing."""


class Evidence(ABC):
    """All results of one experiment."""

    exact = False  # whether the results are computed rather than sampled

    @abstractmethod
    def samples(self, selection: Selection, part: float = 1.0) -> dict[str, Sample]:
        """Return the samples of a selection: game -> sample; raise Untestable if it was not played.

        part: how much of the rounds counts, where a measure is known at every round and the selection names none.
        """

    @abstractmethod
    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        """Return the values of a selection over a swept setting: x -> (n,), of the same seeds for every x."""

    @abstractmethod
    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        """Return the values of a stated rate, with constants 1, at the points of a sweep: x -> value."""

    def chance(self, selection: Selection, against: str) -> dict[float, float]:
        """Return what Random has at the points of a sweep, x -> its mean; empty if it did not play there."""
        return {}

    @abstractmethod
    def measure(self, name: str) -> Measure:
        """Return a measure by its name."""

    @abstractmethod
    def notes(self, selections: Sequence[Selection]) -> Iterable[str]:
        """Return the data of each game that selections are about, in words; some may be the same."""

    @abstractmethod
    def limits(self, selections: Sequence[Selection]) -> Iterable[str]:
        """Return in what respects their results are smaller than the paper's; some may be the same."""

    def shortfall(self, selection: Selection) -> str:
        """Return by how much fewer rounds than in the paper were played, in words; "" if it is as many."""
        return ""

    def flags(self, selections: Sequence[Selection]) -> list[Flag]:
        """Return what a reader should know about the runs that are compared."""
        return []

    def outside(self, selection: Selection, theorem: str) -> str:
        """Return why runs are outside of the conditions of a theorem, in words; "" if all runs meet them."""
        return ""


def limits_of_data(environment: Mapping[str, Any], originals: Mapping[str, str]) -> list[str]:
    """Describe in what respects the data of a game differ from the paper's.

    environment: the facts of the game; originals: family of data -> the data set of the paper.
    """
    limits, dataset = [], environment["dataset"]
    for family, used in zip(environment["role"].split("+"), dataset["name"].split("+"), strict=False):
        if (original := originals.get(family, used)) != used:
            limits.append(f"{used} (paper: {original})")
        elif not set(dataset["completeness"].split("+")) <= set(ORIGINAL):
            limits.append(f"part of {used}")
    return limits


def agree(settings: Mapping[str, Value], where: Where) -> bool:
    """Return whether settings have all selected values."""
    return all(name in settings and same(settings[name], value) for name, value in where.items())


def same(found: Value, wanted: Value) -> bool:
    """Return whether two values of a setting are equal, as numbers if both are."""
    if isinstance(found, str) or isinstance(wanted, str):
        return str(found) == str(wanted)
    return bool(np.isclose(float(found), float(wanted)))


def not_relative(selection: Selection) -> None:
    """Raise InputError if a selection is relative, where only runs can be divided by one another."""
    if selection.relative:
        raise InputError(f"{selection.of}: only run tables have a run to be relative to; leave `relative` out.")
