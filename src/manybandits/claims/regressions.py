"""Evidence from tables of errors of estimators; a game is a point of a sweep.

Corollaries 1 and 2 of Xu and Bastani bound an error with the probability 1 - delta if the penalty is
sqrt(32 noise^2 log(4 d / delta) / n). Tables either have that penalty (``failure`` is delta), or constant
sqrt(noise^2 log(d) / n), which is the same where delta = 4 d^(1 - constant^2 / 32).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from manybandits.base.exceptions import InputError, pick
from manybandits.claims.evidence import Evidence, agree, not_relative, same
from manybandits.claims.samples import Sample, Untestable
from manybandits.claims.sentences import name_of
from manybandits.claims.verdict import Flag
from manybandits.papers.claim import Selection, Where
from manybandits.papers.scale import Scale
from manybandits.results import error_table
from manybandits.results.error_table import LETTERS, Errors, log_failure, share_cut
from manybandits.results.measures import Measure

SAME_DELTA = 1e-9
"""How far the logs of two deltas may be apart that are the same."""
CONDITIONS = "rmbandit_corollary1"
"""The name of the conditions under which Corollaries 1 and 2 of Xu and Bastani bound an error with a probability."""

C = {"standard": 0.025, "poor": 0.2}
"""The constant c of Corollary 1 (standard) and 2 (poor). The larger it is, the smaller is the bound; with these values
delta is below 1 at every point of the sweeps with 800 instances or more (experiment `enough`)."""


def corollary(estimator: str, regime: str, given: Mapping[str, Any]) -> float:
    """Return the bound of Corollary 1 (standard) or 2 (poor) on the error of the robust multitask estimator.

    It is the whole sum that the paper displays, with its constants. delta is that of the table, or 1, with which the
    bound is the smallest; psi and x_max are 1, as they are for rows with the covariance I; and d^2 n_j / n_i is 1, as
    in the tables.
    """
    if estimator != "Robust multitask":
        raise InputError(f"Corollaries 1 and 2 are about Robust multitask, and not about {estimator}.")
    n, d, instances, s = (float(given[name]) for name in LETTERS)
    delta = given.get("failure") or 1.0
    own = 24 * np.sqrt(2 * np.log(4 * d / delta))
    mean = 3 / C[regime] * np.sqrt(np.log(instances))
    spread = 12 / C[regime] * np.sqrt(np.log(instances) * np.log(6 * d / delta) / instances)
    standard = regime == "standard"
    total = (own + mean) * np.sqrt(s * d) + spread * d if standard else own * s + mean + spread
    return float(given["noise"] * total / np.sqrt(n))


Rate = Callable[[str, str, Mapping[str, Any]], float]
# Not in `error_table`, which the estimators import: with its code the identity of all tables of errors would change.
RATES: dict[str, Rate] = {**error_table.RATES, "corollaries": corollary}
"""Stated rate -> a function of the estimator, the regime and the settings of a point."""


class Regressions(Evidence):
    """Evidence from tables of errors. scale: as the paper states it."""

    def __init__(self, tables: Sequence[Errors], scale: Scale) -> None:
        self.tables, self.scale = list(tables), scale

    def notes(self, selections: Sequence[Selection]) -> list[str]:
        return [table.description for table in self._meant(selections)]

    def limits(self, selections: Sequence[Selection]) -> list[str]:
        drawn = [(table.draws, self.scale.games[table.path.stem].seeds) for table in self._meant(selections)]
        return [f"{draws} of {stated} draws" for draws, stated in drawn if draws < stated]

    def samples(self, selection: Selection, part: float = 1.0) -> dict[str, Sample]:
        not_relative(selection)
        found = {}
        for table, swept in self._sweeps(selection):
            for value, errors in table.sweeps[swept].get(selection.of, {}).items():
                if agree({**table.settings, swept: value}, selection.where):
                    game = f"{table.path.stem}, {swept} {value:g}"
                    found[game] = Sample(name_of(selection), game, errors, tuple(table.settings["seeds"]))
        if not found:
            raise Untestable(f"no errors of {name_of(selection)} were measured")
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

    def flags(self, selections: Sequence[Selection]) -> list[Flag]:
        found = []
        for one in selections:
            for table, swept in self._sweeps(one):
                offered = np.atleast_1d(table.settings["constant"])
                ends = {float(offered.min()), float(offered.max())} - {0.0} if len(offered) > 2 else set()
                chosen = table.facts["constants"].get(swept, {}).get(one.of)
                if chosen in ends:
                    found.append(Flag("edge of the grid", one.of, f"constant {chosen:g}, sweep of {swept}"))
        return list(dict.fromkeys(found))

    def outside(self, selection: Selection, theorem: str) -> str:
        """Return why Corollary 1 or 2 does not hold at some point that is meant; "" if it holds at all of them."""
        pick(theorem, [CONDITIONS], "theorem with conditions on regressions")
        return "; ".join(filter(None, (self._improbable(selection), self._other_penalty(selection))))

    def _improbable(self, selection: Selection) -> str:
        """Return at how many points that are meant the bound has no probability; "" if it has one at all."""
        points = [point for _, _, points in self._points(selection) for point in points]
        vacuous = [point for point in points if is_vacuous(point)]
        if not vacuous:
            return ""
        least = min(vacuous, key=lambda point: point["instances"])
        return (
            f"its probability, 1 - delta, is not above 0 at {len(vacuous)} of {len(points)} points, "
            f"such as N = {least['instances']:g}, d = {least['dimension']:g}, s = {least['support']:g}"
        )

    def _other_penalty(self, selection: Selection) -> str:
        """Return which penalty was played if it is not that of the bound with one delta below 1 for all points."""
        played = [
            (constant_of(table, swept, selection.of), point["dimension"])
            for table, swept, points in self._points(selection)
            for point in points
            if not table.settings.get("failure")
        ]
        deltas = [log_delta(*one) for one in played]
        if not deltas or (max(deltas) < 0 and max(deltas) - min(deltas) < SAME_DELTA):
            return ""
        constants = " or ".join(f"{one:g}" for one in sorted({constant for constant, _ in played}))
        return (
            f"its penalty is {constants} sqrt(log d / n), and that of the bound sqrt(32 log(4 d / delta) / n) "
            "with one delta below 1, both times the noise"
        )

    def _points(self, selection: Selection) -> list[tuple[Errors, str, list[dict[str, Any]]]]:
        """Return the points that are meant: a table, what is swept, and the settings of each point."""
        found = []
        for table, swept in self._sweeps(selection):
            wanted = selection.where.get(swept)
            values = [one for one in table.sweeps[swept][selection.of] if wanted is None or same(one, wanted)]
            found.append((table, swept, [{**table.settings, swept: value} for value in values]))
        return found

    def _meant(self, selections: Sequence[Selection]) -> list[Errors]:
        """Return the tables that selections are about."""
        return [
            table
            for table in self.tables
            if any(agree({**table.settings, **_swept(table, one)}, one.where) for one in selections)
        ]

    def _sweeps(self, selection: Selection) -> Iterator[tuple[Errors, str]]:
        """Yield the sweeps that are meant, each with its table: those of a selected setting, or else all."""
        for table in self._meant([selection]):
            yield from ((table, swept) for swept in table.sweeps if _swept(table, selection).keys() <= {swept})

    def _table(self, selection: Selection, against: str) -> Errors:
        for table in self.tables:
            if against in table.sweeps and agree(table.settings, selection.where):
                if selection.of not in table.sweeps[against]:
                    raise InputError(f"{table.path} has no errors of {selection.of!r}.")
                return table
        raise Untestable(f"no sweep of {against} was measured")

    def measure(self, name: str) -> Measure:
        return Measure("error", lambda run: run.regret)


def constant_of(table: Errors, swept: str, estimator: str) -> float:
    """Return the constant of an estimator's penalty in a sweep: the one that was chosen, or the only one, or NaN."""
    offered = np.atleast_1d(table.settings["constant"])
    chosen = table.facts.get("constants", {}).get(swept, {}).get(estimator)
    return float(offered[0]) if chosen is None and len(offered) == 1 else float(np.nan if chosen is None else chosen)


def is_vacuous(point: Mapping[str, Any]) -> bool:
    """Return whether Corollary 1 or 2 says nothing at a point: it asks for zeta + eta <= 1/2 - c, and delta below 1."""
    regime = point["regime"]
    if failure := point.get("failure"):
        return failure >= 1 or share_cut(point, point["omega"], failure) > 0.5 - C[regime]
    return log_failure(regime, point) >= 0


def log_delta(constant: float, dimension: float) -> float:
    """Return the log of the delta with which a penalty of this constant is that of Corollaries 1 and 2."""
    return float(np.log(4 * dimension) - constant**2 * np.log(dimension) / 32)


def _swept(table: Errors, selection: Selection) -> Where:
    """Return the selected settings that a table sweeps."""
    return {name: value for name, value in selection.where.items() if name in table.sweeps}
