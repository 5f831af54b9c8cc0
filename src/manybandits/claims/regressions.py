"""Evidence from tables of errors of estimators; a game is a point of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.base.exceptions import InputError, pick
from manybandits.claims.evidence import Evidence, agree, not_relative
from manybandits.claims.samples import Sample, Untestable
from manybandits.papers.claim import Selection, Where
from manybandits.papers.scale import Scale
from manybandits.results.error_table import RATES, Errors, log_failure
from manybandits.results.measures import Measure

CONDITIONS = "rmbandit_corollary1"
"""The name of the conditions under which Corollaries 1 and 2 of Xu and Bastani bound an error with a probability."""


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
        stated = RATES[pick(name, RATES, "stated rate")]
        table = self._table(selection, against)
        return {
            value: stated(selection.of, table.settings["regime"], {**table.settings, against: value})
            for value in table.sweeps[against][selection.of]
        }

    def flags(self, selections: Sequence[Selection]) -> list[str]:
        found = []
        for one in selections:
            for table in self.narrowed([one]).tables:
                offered = np.atleast_1d(table.settings["constant"])
                ends = {float(offered.min()), float(offered.max())} - {0.0} if len(offered) > 2 else set()
                for swept, chosen in table.facts["constants"].items():
                    if chosen.get(one.of) in ends and not one.where.keys() & table.sweeps.keys() - {swept}:
                        constant = f"constant {chosen[one.of]:g}, sweep of {swept}"
                        found.append(f"{one.of}: {constant}, is the edge of its grid")
        return list(dict.fromkeys(found))

    def outside(self, selection: Selection, theorem: str) -> str:
        """Return why some point that is meant has no bound by Corollary 1 or 2; "" if all have one."""
        pick(theorem, [CONDITIONS], "theorem with conditions on regressions")
        points = [
            (table.settings["regime"], {**table.settings, swept: value})
            for table in self.narrowed([selection]).tables
            for swept in [name for name in table.sweeps if name in selection.where] or table.sweeps
            for value in table.sweeps[swept][selection.of]
            if agree({swept: value}, {swept: selection.where.get(swept, value)})
        ]
        vacuous = [point for regime, point in points if log_failure(regime, point) >= 0]
        if not vacuous:
            return ""
        least = min(vacuous, key=lambda point: point["instances"])
        return (
            f"its probability, 1 - delta, is not above 0 at {len(vacuous)} of {len(points)} points, "
            f"such as N = {least['instances']:g}, d = {least['dimension']:g}, s = {least['support']:g}"
        )

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
