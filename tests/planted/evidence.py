"""Evidence that is made of arrays, for tests of the rules, and claims about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manybandits.claims.evidence import Evidence
from manybandits.claims.samples import Sample, Untestable
from manybandits.papers.claim import Claim, Selection
from manybandits.results.measures import Measure

GAME = "game"


@dataclass
class Made(Evidence):
    """Evidence of arrays. values: title -> values of each seed on one game, or for each game; `points` of sweeps."""

    values: Mapping[str, Any] = field(default_factory=dict)
    sweeps: Mapping[str, Mapping[float, np.ndarray]] = field(default_factory=dict)
    stated: Mapping[float, float] = field(default_factory=dict)
    random: Mapping[float, float] = field(default_factory=dict)
    higher: bool = False
    tolerance: float = 0.05
    exact: bool = False
    short: str = ""

    def notes(self, selections: Sequence[Selection]) -> tuple[str, ...]:
        return ()

    def limits(self, selections: Sequence[Selection]) -> tuple[str, ...]:
        return ()

    def samples(self, selection: Selection, part: float = 1.0) -> dict[str, Sample]:
        if selection.of not in self.values:
            raise Untestable(f"{selection.of} was not played")
        games = self.values[selection.of]
        games = games if isinstance(games, Mapping) else {GAME: games}
        return {name: self._sample(selection.of, name, np.asarray(one, float)) for name, one in games.items()}

    def _sample(self, title: str, game: str, values: np.ndarray) -> Sample:
        return Sample(title, game, values, () if self.exact else tuple(range(len(values))), self.exact)

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        return dict(self.sweeps[selection.of])

    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        return dict(self.stated)

    def chance(self, selection: Selection, against: str) -> dict[float, float]:
        return dict(self.random)

    def measure(self, name: str) -> Measure:
        return Measure("regret", lambda run: run.regret, higher=self.higher, tolerance=self.tolerance)

    def shortfall(self, selection: Selection) -> str:
        return self.short


def claim(kind: str, own: str = "A", *rivals: str, **more: Any) -> Claim:
    """Return a claim of a kind about one title and its rivals."""
    given = {"id": "p.it", "paper": "p", "experiment": "e", "place": "Table 1", "says": "It is so.", **more}
    others = tuple(Selection(of=title) for title in rivals)
    return Claim(**given, kind=kind, selection=Selection(of=own), rivals=others)  # type: ignore[arg-type]
