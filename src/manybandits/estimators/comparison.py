"""Compare the errors of estimators on generated regressions with related parameters.

    python -m manybandits.estimators.comparison --sweep rows=100,200,400 --sweep instances=10,20,40 \\
        --set design=worst --seeds 0 1 2 3 4 --tuning-seeds 100 101 --out errors.parquet

The error is |beta_hat - beta|_1 of instance 0; the table has one row per swept setting, value, estimator and seed. The
penalty of estimators with a LASSO is lambda_j = constant sqrt(noise^2 log(d) / n_j). If several constants are given,
each of them uses in each sweep the one with the smallest error on the tuning seeds, in the geometric mean over the
points of the sweep, because slopes are read on logarithmic axes. Without a sweep, the coefficients of the first seed
are written instead. Beside the estimators of Table 1 there are two controls: the trimmed mean without the LASSO, and
the LASSO of one instance, without the others.

The settings are those of `manybandits.estimators.regressions.Setting`, and

omega      the share of instances that the trimmed mean cuts at each end (default 0.2)
constant   a number, or several to choose from (default 0 to 6; the theory of Corollary 1 has sqrt(32) = 5.7)
failure    if above 0, delta of Corollaries 1 and 2, whose penalty and share are then used: the penalty is
           sqrt(32 noise^2 log(4 d / delta) / n_j), and for the share see `manybandits.results.error_table.share_cut`
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, save_table
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.base.sources import digest
from manybandits.estimators.multitask import averaged, check_omega, debiased, independent, pooled
from manybandits.estimators.regressions import Regressions, Setting, draw
from manybandits.results.error_table import COLUMNS, TABLE_1, share_cut

MODULE = "manybandits.estimators.comparison"
MULTITASK = {"Averaging multitask": "Averaging", "Robust multitask": "Trimmed mean"}
"""The multitask estimators, and the estimate of the shared parameter from which the LASSO of each starts."""
PENALISED = {**MULTITASK, "LASSO": "Nothing"}
"""The estimators with a LASSO, and from what it starts."""
ESTIMATORS = (*TABLE_1, "Trimmed mean", "LASSO")
CONSTANTS = (0.0, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""Factors of the penalty to choose from."""
DEFAULTS: dict[str, Any] = {**asdict(Setting()), "omega": 0.2, "constant": CONSTANTS, "failure": 0.0}


@dataclass(frozen=True)
class Point:
    """One point of a sweep: the settings of the regressions and the options of the estimators."""

    setting: Setting
    omega: float
    constants: tuple[float, ...]
    penalty: float  # of instance 0, for a constant of 1

    @staticmethod
    def of(given: Mapping[str, Any]) -> Point:
        """Return the point with these settings and options, by name; raise InputError for unknown names or values."""
        for name, value in given.items():
            default = DEFAULTS[pick(name, DEFAULTS, "setting of a regression")]
            if isinstance(default, str) != isinstance(value, str):
                raise InputError(f"{name} is {value!r}, but a value such as {default!r} is needed.")
        settings = {**DEFAULTS, **given}
        failure, omega, constants = (settings.pop(name) for name in ("failure", "omega", "constant"))
        setting = Setting(**settings)
        if not 0.0 <= failure <= 1.0:
            raise InputError(f"failure is {failure:g}, but it is a probability: give a value from 0 to 1.")
        if failure and "constant" in given:
            raise InputError("failure gives the penalty of the corollaries, and constant another one: leave out one.")
        logarithm = np.log(setting.dimension)
        if failure:
            omega, constants = share_cut(asdict(setting), omega, failure), 1.0
            logarithm = 32 * np.log(4 * setting.dimension / failure)
        check_omega(omega)
        constants = np.atleast_1d(constants)
        if not (constants >= 0.0).all():
            raise InputError(f"constant is {constants.min():g}, but it scales the penalty: give a value from 0.")
        penalty = float(setting.noise * np.sqrt(logarithm / setting.rows))
        return Point(setting, float(omega), tuple(map(float, constants)), penalty)


class SweepResult(NamedTuple):
    """The errors measured in a sweep."""

    errors: pd.DataFrame  # see `COLUMNS`
    constants: dict[str, float]  # estimator -> the chosen constant, where there were several
    ridged: int  # the number of least-squares estimates that needed the ridge


def points_of(given: Mapping[str, Any], sweeps: Mapping[str, Sequence[Any]]) -> dict[str, dict[float, Point]]:
    """Return the points of all sweeps, by swept setting and value."""
    return {name: {float(value): Point.of({**given, name: value}) for value in sweeps[name]} for name in sweeps}


def shared_of(regressions: Regressions, omega: float) -> tuple[dict[str, np.ndarray], int]:
    """Return the estimates without a second step, (d,) each, and how many least-squares estimates needed the ridge."""
    gram, moment, included = regressions.gram, regressions.moment, regressions.included
    estimates, ridged = independent(gram, moment)
    return {
        "Independent": estimates[0],
        "Averaging": averaged(estimates, included),
        "Trimmed mean": averaged(estimates, included, omega),
        "Pooling": pooled(gram, moment, regressions.rows, included),
        "Nothing": np.zeros_like(estimates[0]),
    }, int(ridged.sum())


def measure(point: Point, seeds: Sequence[int]) -> tuple[dict[str, np.ndarray], int]:
    """Return the errors of the estimators, and how many least-squares estimates needed the ridge.

    Errors are (seeds,), or (seeds, constants) for the estimators of `PENALISED`.
    """
    errors: dict[str, list[Any]] = {name: [] for name in ESTIMATORS}
    constants, count = point.penalty * np.array(point.constants), 0
    for seed in seeds:
        regressions = draw(point.setting, seed)
        found, ridged = shared_of(regressions, point.omega)
        count += ridged
        for name, start in PENALISED.items():
            own = regressions.gram[0], regressions.moment[0], found[start]
            gram, moment, shared = (np.broadcast_to(array, (len(constants), *array.shape)) for array in own)
            found[name] = debiased(gram, moment, constants, shared)
        truth = regressions.shared + regressions.delta[0]
        for name in ESTIMATORS:
            errors[name].append(np.abs(found[name] - truth).sum(axis=-1))
    return {name: np.array(values) for name, values in errors.items()}, count


def sweep(swept: str, points: Mapping[float, Point], seeds: Sequence[int], tuning_seeds: Sequence[int]) -> SweepResult:
    """Measure a sweep. If constants are to be chosen, all points have the same ones."""
    constants = next(iter(points.values())).constants
    chosen = {}
    if len(constants) > 1:
        tried = [measure(point, tuning_seeds)[0] for point in points.values()]
        for name in PENALISED:
            chosen[name] = constants[int(np.log([errors[name].mean(axis=0) for errors in tried]).mean(axis=0).argmin())]
    errors, ridged = errors_at(swept, points, seeds, chosen)
    return SweepResult(errors, chosen, ridged)


def errors_at(
    swept: str, points: Mapping[float, Point], seeds: Sequence[int], chosen: Mapping[str, float]
) -> tuple[pd.DataFrame, int]:
    """Return the errors at the points of a sweep, and how many least-squares estimates needed the ridge.

    chosen: the constant of each estimator, of those that its points have; without an estimator, they have one.
    """
    measured = [measure(point, seeds) for point in points.values()]
    rows = []
    for name in ESTIMATORS:
        for (value, point), (errors, _) in zip(points.items(), measured, strict=True):
            own = errors[name]
            if name in PENALISED:
                own = own[:, point.constants.index(chosen[name]) if chosen else 0]
            rows += [(swept, value, name, seed, error) for seed, error in zip(seeds, own, strict=True)]
    return pd.DataFrame(rows, columns=COLUMNS), sum(ridged for _, ridged in measured)


def coefficients(point: Point, seed: int) -> pd.DataFrame:
    """Return the coefficients of one seed as a table: part, instance, component and value, with beta subtracted.

    Parts: delta, the truth; the mean and the trimmed mean of delta, to which the shared parameter converges; and the
    difference of instance 0 from the shared parameter as each of `MULTITASK` estimates it.
    """
    regressions = draw(point.setting, seed)
    found, _ = shared_of(regressions, point.omega)
    delta, included = regressions.delta, regressions.included
    parts = {"delta": delta}
    for name, omega in (("Averaging", 0.0), ("Trimmed mean", point.omega)):
        parts[name] = averaged(delta, included, omega)[None]
    penalty = np.array([point.penalty * point.constants[0]])
    for name, start in MULTITASK.items():
        own = regressions.gram[:1], regressions.moment[:1], penalty, found[start][None]
        parts[name] = debiased(*own) - found[start]
    rows = [(part, *place, value) for part, values in parts.items() for place, value in np.ndenumerate(values)]
    return pd.DataFrame(rows, columns=["part", "instance", "component", "value"])


def read_settings(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Read texts such as ``rows=100,200``; return the values of each setting, in the type of its default."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        default = DEFAULTS[pick(name, DEFAULTS, "setting of a regression")]
        kind = type(default[0] if isinstance(default, tuple) else default)
        try:
            found[name] = [kind(value) for value in values.split(",")]
        except ValueError:
            raise InputError(
                f"{text!r} does not give {name} a value such as {default!r}: write {name}={default}."
            ) from None
    return found


class Asked(NamedTuple):
    """The table of errors that a command line asks for."""

    sets: dict[str, Any]
    sweeps: dict[str, list[Any]]
    seeds: list[int]  # whose errors are written
    tuning_seeds: list[int]  # that the constant is chosen on
    out: Path

    @property
    def settings(self) -> dict[str, Any]:
        """What the table depends on, as its provenance has it."""
        own = {"sweeps": self.sweeps, "seeds": self.seeds, "tuning_seeds": self.tuning_seeds}
        return {**DEFAULTS, **self.sets, **own}


def read_arguments(argv: Sequence[str] | None = None) -> Asked:
    """Read the arguments of this script."""
    parser = argparse.ArgumentParser(description="Compare the errors of estimators of related linear regressions.")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings that are not swept")
    parser.add_argument("--sweep", action="append", default=[], metavar="NAME=V,V,...", help="a setting and its values")
    parser.add_argument("--seeds", type=int, nargs="+", required=True, help="seeds whose errors are written")
    parser.add_argument(
        "--tuning-seeds", type=int, nargs="+", required=True, help="seeds that the constant is chosen on"
    )
    parser.add_argument("--out", type=Path, required=True, help="the .parquet file to write")
    args = parser.parse_args(argv)
    sets = {name: values if len(values) > 1 else values[0] for name, values in read_settings(args.set).items()}
    return Asked(sets, read_settings(args.sweep), args.seeds, args.tuning_seeds, args.out)


def main(argv: list[str] | None = None) -> None:
    """Measure the sweeps and write the table of their errors."""
    asked = read_arguments(argv)
    settings, seeds = asked.settings, asked.seeds
    provenance = Provenance(settings)
    if not asked.sweeps:
        save_table(asked.out, coefficients(Point.of(asked.sets), seeds[0]), {"settings": settings}, small=True)
        provenance.save(asked.out, digest=digest(MODULE))
        return
    points = points_of(asked.sets, asked.sweeps)
    found = {name: sweep(name, points[name], seeds, asked.tuning_seeds) for name in asked.sweeps}
    facts = {
        "settings": settings,
        "constants": {name: one.constants for name, one in found.items()},
        "ridged": {name: one.ridged for name, one in found.items()},
    }
    save_table(asked.out, pd.concat([one.errors for one in found.values()]), facts, small=True)
    provenance.save(asked.out, digest=digest(MODULE))


if __name__ == "__main__":
    run_script(main)
