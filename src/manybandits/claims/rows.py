"""Evidence from a table that a measurement or an experiment without runs wrote, one value per row.

A measurement repeats what it times: rows that differ in the column ``repeat`` alone are one sample. The data that it
used are facts beside its table, and limit verdicts as those of a game do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError, pick
from manybandits.claims.evidence import Evidence, limits_of_data, not_relative, same
from manybandits.claims.samples import Sample, Untestable
from manybandits.claims.sentences import name_of
from manybandits.papers.claim import Selection
from manybandits.papers.scale import Scale
from manybandits.results.measures import Measure

REPEAT = "repeat"
"""The column that numbers the repeats of a measurement. Without it a table has numbers that were computed."""
DATA = "data"
"""The column that names the family of data of a row, if a measurement plays several."""


class Rows(Evidence):
    """Evidence from the rows of a table. scale: as the paper states it."""

    def __init__(self, path: Path, scale: Scale | None = None) -> None:
        self.path, self.rows, self.facts = path, pd.read_csv(path), load_provenance(path)["facts"]
        self.originals = scale.originals if scale else {}
        self.exact = REPEAT not in self.rows

    def notes(self, selections: Sequence[Selection]) -> list[str]:
        return [str(self.facts["note"])] if self.facts.get("note") else []

    def limits(self, selections: Sequence[Selection]) -> list[str]:
        games = self.facts.get("games", ())
        if DATA in self.rows:
            used = {name for one in selections for name in self._rows(one)[DATA]}
            games = [game for game in games if game["role"] in used]
        own = self.facts.get("limits", ())
        return [*own, *(limit for game in games for limit in limits_of_data(game, self.originals))]

    def samples(self, selection: Selection, part: float = 1.0) -> dict[str, Sample]:
        not_relative(selection)
        if self.facts.get("stand_in"):
            raise Untestable("it was measured on made data, which stand in for those of the paper")
        rows, column = self._rows(selection), self._numbers(selection.measure)
        if rows.empty:
            raise Untestable(f"{self.path.name} has no row of {name_of(selection)}")
        settings = [name for name in rows.select_dtypes("integer") if name not in (column, REPEAT)]
        found = {}
        for place, alike in rows.groupby(settings, sort=False) if settings else [((), rows)]:
            words = [f"{name} {value}" for name, value in zip(settings, place, strict=True)]
            game, values = ", ".join([self.path.stem, *words]), self._values(alike[column])
            repeats = () if self.exact else tuple(alike[REPEAT])
            found[game] = Sample(name_of(selection), game, values, repeats, exact=self.exact)
        return found

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        self.samples(selection)  # so that both raise for the same reasons
        rows = self._rows(selection)
        grouped = rows.groupby(self._numbers(against))[self._numbers(selection.measure)]
        return {float(str(place)): self._values(values) for place, values in grouped}  # in increasing order

    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        raise InputError(
            f"{self.path} is a table of a measurement, without stated rates: write a number instead of {name!r}."
        )

    def measure(self, name: str) -> Measure:
        return Measure(name.replace("_", " "), lambda run: run.regret, tolerance=0.5 if name == "seconds" else 0.05)

    def _values(self, column: pd.Series[float]) -> np.ndarray:
        """Return the values of one sample, (n,): those of all repeats, or the one that was computed."""
        return column.to_numpy(float)[-1:] if self.exact else column.to_numpy(float)

    def _rows(self, selection: Selection) -> pd.DataFrame:
        names = [column for column in self.rows.columns if column in ("algorithm", "part")]
        chosen = pd.Series(True, index=self.rows.index)
        if selection.of and names:
            pick(selection.of, self.rows[names[0]].astype(str).unique(), f"row ({self.path})")
            chosen &= self.rows[names[0]] == selection.of
        for column, value in selection.where.items():
            chosen &= self.rows[self._column(column)].map(lambda cell, value=value: same(cell, value))
        return self.rows[chosen]

    def _numbers(self, name: str) -> str:
        """Return the name of a column; raise InputError if there is none of this name, or if it holds words."""
        if not pd.api.types.is_numeric_dtype(self.rows[self._column(name)]):
            raise InputError(f"the column {name!r} of {self.path} holds words: name one that holds numbers.")
        return name

    def _column(self, name: str) -> str:
        return pick(name, map(str, self.rows.columns), f"column ({self.path})")
