"""Evidence from tables of errors of estimators; a game is a point of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.base.exceptions import InputError, pick
from manybandits.claims.evidence import Evidence, agree, not_relative
from manybandits.claims.samples import Sample, Untestable
from manybandits.papers.claim import Selection, Where
from manybandits.papers.scale import Scale
from manybandits.results.error_table import Errors, stated_rate
from manybandits.results.measures import Measure


class Regressions(Evidence):
    """Evidence from tables of errors. scale: as the paper states it."""

    def __init__(self, tables: Sequence[Errors], scale: Scale) -> None:
        self.tables, self.scale = list(tables), scale

    @property
    def data(self) -> str:  # type: ignore[override]
        return "; ".join(dict.fromkeys(table.description for table in self.tables))

    @property
    def limits(self) -> tuple[str, ...]:  # type: ignore[override]
        drawn = [(table.draws, self.scale.games[table.path.stem].seeds) for table in self.tables]
        return tuple(dict.fromkeys(f"{draws} of {stated} draws" for draws, stated in drawn if draws < stated))

    def narrowed(self, selections: Sequence[Selection]) -> Regressions:
        meant = [
            table
            for table in self.tables
            if any(agree({**table.settings, **_swept(table, one)}, one.where) for one in selections)
        ]
        return Regressions(meant, self.scale)

    def samples(self, selection: Selection) -> dict[str, Sample]:
        not_relative(selection)
        found = {}
        for table in self.tables:
            for swept, estimators in table.sweeps.items():
                for value, errors in estimators.get(selection.of, {}).items():
                    given = {**table.settings, swept: value}
                    if selection.where.keys() & table.sweeps.keys() - {swept} or not agree(given, selection.where):
                        continue
                    game = f"{table.path.stem}, {swept} {value:g}"
                    found[game] = Sample(selection.name, game, errors, tuple(table.settings["seeds"]))
        if not found:
            raise Untestable(f"no errors of {selection.name} were measured")
        return found

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        not_relative(selection)
        return self._table(selection, against).sweeps[against][selection.of]

    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        pick(name, ["table1"], "stated rate")
        table = self._table(selection, against)
        return {
            value: stated_rate(selection.of, table.settings["regime"], {**table.settings, against: value})
            for value in table.sweeps[against][selection.of]
        }

    def _table(self, selection: Selection, against: str) -> Errors:
        for table in self.tables:
            if against in table.sweeps and agree(table.settings, selection.where):
                if selection.of not in table.sweeps[against]:
                    raise InputError(f"{table.path} has no errors of {selection.of!r}.")
                return table
        raise Untestable(f"no sweep of {against} was measured")

    def measure(self, name: str) -> Measure:
        return Measure("error", lambda run: run.regret)


def _swept(table: Errors, selection: Selection) -> Where:
    """Return the selected settings that a table sweeps."""
    return {name: value for name, value in selection.where.items() if name in table.sweeps}
