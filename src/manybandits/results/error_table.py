"""Tables of the errors of estimators, which `manybandits.estimators.comparison` writes.

Their facts are ``settings``, with which the regressions were drawn; ``constants``, the constants of the penalty chosen
for each sweep; and ``ridged``, the number of least-squares estimates of each sweep that needed a ridge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import load_facts, load_table
from manybandits.base.exceptions import InputError

COLUMNS = ("swept", "value", "estimator", "seed", "error")
LETTERS = {"rows": "n", "dimension": "d", "instances": "N", "support": "s"}
"""Setting that can be swept -> its symbol in Xu and Bastani."""
TABLE_1 = ("Independent", "Averaging", "Pooling", "Averaging multitask", "Robust multitask")
"""The estimators for which Xu and Bastani state rates."""


@dataclass(frozen=True)
class Errors:
    """The errors of all estimators over the sweeps of one regression."""

    path: Path
    settings: dict[str, Any]
    facts: dict[str, Any]
    sweeps: dict[str, dict[str, dict[float, np.ndarray]]]  # swept -> estimator -> value -> (seeds,)

    @property
    def draws(self) -> int:
        """The number of draws of the regressions."""
        return len(self.settings["seeds"])

    @property
    def description(self) -> str:
        """The settings of the regressions in words, with their values when they are not swept."""
        given = self.settings
        trimmed = f"delta = {given['failure']:g}" if given.get("failure") else f"omega = {given['omega']:g}"
        return (
            f"{given['design']} design, {given['regime']} regime, n = {given['rows']}, d = {given['dimension']}, "
            f"N = {given['instances']}, s = {given['support']}, {trimmed}, differences of size "
            f"{given['delta']:g}, the others' {given['others']:g}, noise {given['noise']:g}"
        )


def load_errors(paths: Sequence[Path]) -> list[Errors]:
    """Read tables of errors; raise InputError naming a file that is not one."""
    found = []
    for path in paths:
        table = load_table(path)
        if tuple(table.columns) != COLUMNS:
            raise InputError(
                f"{path} is not a table of errors: it has the columns {', '.join(table.columns)}; name another file."
            )
        facts = load_facts(path)
        sweeps: dict[str, dict[str, dict[float, np.ndarray]]] = {}
        for (swept, estimator), rows in table.groupby(["swept", "estimator"], sort=False):
            # pyrefly: ignore[bad-argument-type]
            points = {float(value): part.to_numpy() for value, part in rows.groupby("value")["error"]}
            sweeps.setdefault(str(swept), {})[str(estimator)] = points
        found.append(Errors(path, facts.pop("settings"), facts, sweeps))
    return found


def stated_rate(estimator: str, regime: str, given: Mapping[str, Any]) -> float:
    """Return the rate that Table 1 of Xu and Bastani states for an estimator, with constants 1."""
    n, d, instances, s = (float(given[name]) for name in LETTERS)
    standard = regime == "standard"
    if estimator == "Independent":
        return float(d / np.sqrt(n))
    if estimator in ("Averaging", "Pooling"):
        return float(s * given["delta"] + (d if standard else 1.0) / np.sqrt(instances * n))
    if estimator == "Averaging multitask":
        return float(min(instances * s, d) / np.sqrt(n) + standard * d / np.sqrt(instances * n))
    if estimator == "Robust multitask":
        return float((np.sqrt(s * d) + d / np.sqrt(instances) if standard else s) / np.sqrt(n))
    raise InputError(f"no rate is stated for the estimator {estimator!r}: use one of Table 1.")


def rate_with_logarithms(estimator: str, regime: str, given: Mapping[str, Any]) -> float:
    """Return the rate of Corollary 1 (standard) or 2 (poor) for the robust multitask estimator, constants and delta 1.

    It has the logarithms that Table 1 leaves out. Claims are judged by `manybandits.claims.regressions.corollary`, with
    the constants, too.
    """
    if estimator != "Robust multitask":
        raise InputError(f"Corollaries 1 and 2 are about Robust multitask, and not about {estimator}.")
    n, d, instances, s = (float(given[name]) for name in LETTERS)
    penalty, mean, second = np.log(4 * d), np.log(instances), np.log(instances) * np.log(6 * d) / instances
    if regime == "standard":
        return float(np.sqrt(s * d / n) * (np.sqrt(penalty) + np.sqrt(mean)) + d * np.sqrt(second / n))
    return float((s * np.sqrt(penalty) + np.sqrt(mean) + np.sqrt(second)) / np.sqrt(n))


def share_cut(given: Mapping[str, Any], omega: float, failure: float) -> float:
    """Return the share zeta + eta that Corollaries 1 and 2 cut at each end, eta = sqrt(9 log(6 d / delta) / N).

    given: the settings of a point; omega: zeta in the poor regime, any constant; it is sqrt(s / d) in the standard one.
    failure: delta.
    """
    _, d, instances, s = (float(given[name]) for name in LETTERS)
    zeta = np.sqrt(s / d) if given["regime"] == "standard" else omega
    return float(zeta + np.sqrt(9 * np.log(6 * d / failure) / instances))


RATES = {"table1": stated_rate, "corollaries": rate_with_logarithms}
"""Stated rate -> a function of the estimator, the regime and the settings of a point."""


def log_failure(regime: str, given: Mapping[str, Any]) -> float:
    """Return the log of delta, the probability with which Corollary 1 (standard) or 2 (poor) may fail at a point.

    delta = 6 d exp(-N (1/2 - c - zeta)^2 / 9), where zeta = sqrt(s / d) in Corollary 1 and any constant in Corollary 2;
    c > 0 is any constant, too. Constants are taken to be 0, so that delta is the least possible. From 0 on, that is for
    a probability of 1 or more, the corollaries say nothing.
    """
    _, d, instances, s = (float(given[name]) for name in LETTERS)
    room = max(0.5 - (np.sqrt(s / d) if regime == "standard" else 0.0), 0.0)
    return float(np.log(6 * d) - instances * room**2 / 9)
