"""The evidence for claims: samples of a measure from run tables, tables of errors or tables of measurements.

A sample has the values of one run on one game, one per seed. Runs with the same seeds had the same rounds, so that
samples of one game are compared in pairs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import load_provenance
from manybandits.base.configuration import combinations
from manybandits.base.exceptions import InputError, pick
from manybandits.base.statistics import deviation
from manybandits.claims.samples import Sample, Untestable
from manybandits.papers.claim import Options, Selection, Where
from manybandits.papers.scale import Scale, Stated
from manybandits.papers.settings import Value
from manybandits.results.error_table import Errors, stated_rate
from manybandits.results.measures import MEASURES, Measure
from manybandits.results.runs import Run, load_run
from manybandits.results.sweeps import AXES, RATES, collect_rate, parts

Point = tuple[Path, tuple[tuple[str, Value], ...]]
"""The path of a run table, and the options of a grid point."""
ORIGINAL = ("complete", "generated")
"""The values of a data set's completeness that mean that nothing is missing."""


class Evidence(ABC):
    """All results of one experiment."""

    data: str  # the data, in words
    limits: tuple[str, ...]  # in what respects the results are smaller than the paper's

    @abstractmethod
    def samples(self, selection: Selection) -> dict[str, Sample]:
        """Return the samples of a selection: game -> sample; raise Untestable if it was not played."""

    @abstractmethod
    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        """Return the values of a selection over a swept setting: x -> (n,), of the same seeds for every x."""

    @abstractmethod
    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        """Return the values of a stated rate, with constants 1, at the points of a sweep: x -> value."""

    def narrowed(self, selections: Sequence[Selection]) -> Evidence:
        """Return the part of the evidence that some selections are about, for its data and limits."""
        return self

    def at_full_length(self, selection: Selection) -> bool:
        """Return whether a selection was played for as many rounds as in the paper."""
        return True

    def measure(self, name: str) -> Measure:
        """Return a measure by its name."""
        return MEASURES[pick(name, MEASURES, "measure of a claim")]


class Plays(Evidence):
    """Evidence from run tables. scale: as the paper states it."""

    def __init__(self, runs: Sequence[Run], scale: Scale, whole: Plays | None = None) -> None:
        """Take some runs. whole: the evidence of which they are a part."""
        self.runs, self.scale = list(runs), scale
        self._points: dict[Point, Run] = whole._points if whole else {}  # those read so far, by table and options
        self._horizons: dict[tuple[str, str], set[int]] = whole._horizons if whole else {}  # by title and game
        for run in self.runs:
            self._horizons.setdefault((run.title, run.environment["name"]), set()).add(run.settings["horizon"])

    @property
    def data(self) -> str:  # type: ignore[override]
        return "; ".join(dict.fromkeys(run.environment["data_note"] for run in self.runs))

    @property
    def limits(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(dict.fromkeys(limit for run in self.runs for limit in self._limits(run)))

    def narrowed(self, selections: Sequence[Selection]) -> Plays:
        found = {run.path: run for selection in selections for run in self._meant(selection)}
        return Plays(list(found.values()), self.scale, self)

    def samples(self, selection: Selection) -> dict[str, Sample]:
        runs = self._meant(selection)
        if not runs:
            known = selection.of in {run.title for run in self.runs}
            raise Untestable(f"no game of {selection.name} was played" if known else f"{selection.of} was not played")
        return {self._game(run): self._sample(run, selection) for run in runs}

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        axis = AXES[pick(against, AXES, "setting that is swept")][1]
        runs = self._meant(selection)
        pieces = [part for run in runs for part in parts(run, against)]
        return dict(sorted((axis(run), self._sample(run, selection).values) for run in pieces))

    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        pick(name, RATES, "stated rate")
        return collect_rate([self._meant(selection)], against, name)

    def _meant(self, selection: Selection) -> list[Run]:
        """Return the runs that a selection is about."""
        where = dict(selection.where)
        horizon = where.pop("horizon", None)
        return [
            run
            for run in self.runs
            if run.title == selection.of
            and _is_in(run.environment, where)
            and horizon in (None, run.settings["horizon"])
        ]

    def _lengths(self, run: Run) -> set[int]:
        """Return the horizons with which an algorithm was played on the game of a run."""
        return self._horizons[run.title, run.environment["name"]]

    def _game(self, run: Run) -> str:
        """Return the name of the game of a run, with the rounds if it was played with several horizons."""
        many = f", {run.settings['horizon']:,} rounds" if len(self._lengths(run)) > 1 else ""
        return f"{run.environment['name']}{many}"

    def _at_points(self, run: Run, options: Options) -> list[Run]:
        """Return a run at the grid points with the given options: one run per combination if values are listed."""
        if not options:
            return [run]
        found = []
        for point in combinations(options):
            key = run.path, tuple(point.items())
            if key not in self._points:
                self._points[key] = load_run(run.path, point)
            found.append(self._points[key])
        return found

    def _sample(self, run: Run, selection: Selection) -> Sample:
        if run.environment["stand_in"]:
            raise Untestable(f"{run.environment['data_note']} stands in for the data of the paper")
        measure = self.measure(selection.measure)
        if selection.at is not None and selection.at > run.rounds[-1]:
            raise Untestable(f"{run.rounds[-1]:,} rounds were played, and it speaks of {selection.at:,}")
        last = -1 if selection.at is None else int(np.flatnonzero(run.rounds <= selection.at)[-1])
        points = []
        for point in self._at_points(run, selection.options):
            values = measure.of(point)
            points.append(values[:, last] if values.ndim == 2 else values)
            if lost := int(np.isnan(points[-1]).sum()):
                raise Untestable(f"{lost} of {len(run.seeds)} runs of {run.title} diverged, or their log ended")
        values = np.mean(points, axis=0)
        if selection.measure == "across":
            if len(points) < 2:
                raise InputError(f"{selection.name} is the variation over an option: list its values under options.")
            values = deviation(np.mean(points, axis=1))[None]
        alone = (len(values) == 1 and len(run.seeds) > 1) or selection.measure == "seconds"
        return Sample(selection.name, self._game(run), values, () if alone else tuple(run.seeds.tolist()))

    def _limits(self, run: Run) -> list[str]:
        """Describe in what respects a run is smaller than the paper's, or on other data."""
        stated = self._stated(run)
        limits = []
        if (longest := max(self._lengths(run))) < stated.horizon:
            limits.append(f"{longest:,} of {stated.horizon:,} rounds")
        if len(run.seeds) < stated.seeds:
            limits.append(f"{len(run.seeds)} of {stated.seeds} runs")
        dataset = run.environment["dataset"]
        for family, used in zip(run.environment["role"].split("+"), dataset["name"].split("+"), strict=False):
            if (original := self.scale.originals.get(family, used)) != used:
                limits.append(f"{used} in place of {original}")
            elif not set(dataset["completeness"].split("+")) <= set(ORIGINAL):
                limits.append(f"part of {used}")
        return limits

    def at_full_length(self, selection: Selection) -> bool:
        return all(max(self._lengths(run)) >= self._stated(run).horizon for run in self._meant(selection))

    def _stated(self, run: Run) -> Stated:
        """Return the rounds and seeds with which the paper plays the game of a run."""
        name = run.environment["name"]
        if name not in self.scale.games:
            raise InputError(
                f"{run.path} is of the game {name!r}, which this experiment does not play: leave the table out."
            )
        return self.scale.games[name]


class Regressions(Evidence):
    """Evidence from tables of errors of estimators; a game is a point of a sweep. scale: as the paper states it."""

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
            if any(_agree({**table.settings, **_swept(table, one)}, one.where) for one in selections)
        ]
        return Regressions(meant, self.scale)

    def samples(self, selection: Selection) -> dict[str, Sample]:
        found = {}
        for table in self.tables:
            for swept, estimators in table.sweeps.items():
                for value, errors in estimators.get(selection.of, {}).items():
                    given = {**table.settings, swept: value}
                    if selection.where.keys() & table.sweeps.keys() - {swept} or not _agree(given, selection.where):
                        continue
                    game = f"{table.path.stem}, {swept} {value:g}"
                    found[game] = Sample(selection.name, game, errors, tuple(table.settings["seeds"]))
        if not found:
            raise Untestable(f"no errors of {selection.name} were measured")
        return found

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
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
            if against in table.sweeps and _agree(table.settings, selection.where):
                if selection.of not in table.sweeps[against]:
                    raise InputError(f"{table.path} has no errors of {selection.of!r}.")
                return table
        raise Untestable(f"no sweep of {against} was measured")

    def measure(self, name: str) -> Measure:
        return Measure("error", lambda run: run.regret)


class Rows(Evidence):
    """Evidence from a table that a measurement or an experiment without runs wrote, one value per row."""

    limits = ()

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, pd.read_csv(path)
        facts = load_provenance(path)["facts"]
        self.data, self.stand_in = str(facts.get("note", "")), bool(facts.get("stand_in"))

    def samples(self, selection: Selection) -> dict[str, Sample]:
        if self.stand_in:
            raise Untestable("it was measured on made data, which stand in for those of the paper")
        rows, column = self._rows(selection), self._column(selection.measure)
        if rows.empty:
            raise Untestable(f"{self.path.name} has no row of {selection.name}")
        settings = [name for name in rows.select_dtypes("integer") if name != column]
        found = {}
        for row in rows.to_dict("records"):
            game = ", ".join([self.path.stem, *(f"{name} {row[name]}" for name in settings)])
            found[game] = Sample(selection.name, game, np.array([float(row[column])]))
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
            chosen &= self.rows[self._column(column)].map(lambda cell, value=value: _same(cell, value))
        return self.rows[chosen]

    def _column(self, name: str) -> str:
        return pick(name, map(str, self.rows.columns), f"column ({self.path})")


def _is_in(environment: Mapping[str, Any], where: Where) -> bool:
    """Return whether a game matches: by the role of its data, and by its settings, which are also in its name."""
    settings = environment.get("settings", {})
    for name, value in where.items():
        if name == "data":
            if environment["role"] != value:
                return False
        elif name in settings:
            if not _same(settings[name], value):
                return False
        elif f"-{name}-{value}-" not in f"{environment['name']}-":
            return False
    return True


def _agree(settings: Mapping[str, Value], where: Where) -> bool:
    return all(name in settings and _same(settings[name], value) for name, value in where.items())


def _swept(table: Errors, selection: Selection) -> Where:
    """Return the selected settings that a table sweeps."""
    return {name: value for name, value in selection.where.items() if name in table.sweeps}


def _same(found: Value, wanted: Value) -> bool:
    if isinstance(found, str) or isinstance(wanted, str):
        return str(found) == str(wanted)
    return bool(np.isclose(float(found), float(wanted)))
