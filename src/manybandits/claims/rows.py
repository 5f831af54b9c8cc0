"""Evidence from a table that a measurement or an experiment without runs wrote, one value per row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError, pick
from manybandits.claims.evidence import Evidence, not_relative, same
from manybandits.claims.samples import Sample, Untestable
from manybandits.papers.claim import Selection
from manybandits.results.measures import Measure


class Rows(Evidence):
    """Evidence from the rows of a table."""

    exact, limits = True, ()

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, pd.read_csv(path)
        facts = load_provenance(path)["facts"]
        self.data, self.stand_in = str(facts.get("note", "")), bool(facts.get("stand_in"))

    def samples(self, selection: Selection) -> dict[str, Sample]:
        not_relative(selection)
        if self.stand_in:
            raise Untestable("it was measured on made data, which stand in for those of the paper")
        rows, column = self._rows(selection), self._column(selection.measure)
        if rows.empty:
            raise Untestable(f"{self.path.name} has no row of {selection.name}")
        settings = [name for name in rows.select_dtypes("integer") if name != column]
        found = {}
        for row in rows.to_dict("records"):
            game = ", ".join([self.path.stem, *(f"{name} {row[name]}" for name in settings)])
            found[game] = Sample(selection.name, game, np.array([float(row[column])]), exact=True)
        return found

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        self.samples(selection)  # so that both raise for the same reasons
        rows = self._rows(selection)
        x, y = rows[self._column(against)], rows[self._column(selection.measure)]
        return {float(place): np.array([value]) for place, value in sorted(zip(x, y, strict=True))}

    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        raise InputError(
            f"{self.path} is a table of a measurement, without stated rates: write a number instead of {name!r}."
        )

    def measure(self, name: str) -> Measure:
        return Measure(name.replace("_", " "), lambda run: run.regret, tolerance=0.5 if name == "seconds" else 0.05)

    def _rows(self, selection: Selection) -> pd.DataFrame:
        names = [column for column in self.rows.columns if column in ("algorithm", "part")]
        chosen = pd.Series(True, index=self.rows.index)
        if selection.of and names:
            chosen &= self.rows[names[0]] == selection.of
        for column, value in selection.where.items():
            chosen &= self.rows[self._column(column)].map(lambda cell, value=value: same(cell, value))
        return self.rows[chosen]

    def _column(self, name: str) -> str:
        return pick(name, map(str, self.rows.columns), f"column ({self.path})")
