"""Evidence from run tables.

A sample has the values of one run on one game, one per seed. Runs with the same seeds had the same rounds, so that
samples of one game are compared in pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.combinations import combinations
from manybandits.base.exceptions import InputError, pick
from manybandits.base.statistics import average
from manybandits.claims.evidence import Evidence, limits_of_data, same
from manybandits.claims.flags import flags_of
from manybandits.claims.samples import Sample, Untestable
from manybandits.claims.sentences import name_of
from manybandits.claims.verdict import Flag
from manybandits.datasets.base import OWN
from manybandits.environments.agent_phases import too_short
from manybandits.papers.claim import RANDOM, Options, Selection, Where
from manybandits.papers.scale import Scale, Stated
from manybandits.papers.settings import Value
from manybandits.results.measures import MEASURES, Measure, half_way
from manybandits.results.runs import Run, load_run
from manybandits.results.sweeps import AXES, RATES, collect_rate, cut, parts

Point = tuple[Path, tuple[tuple[str, Value], ...]]
"""The path of a run table, and the options of a grid point."""


class Plays(Evidence):
    """Evidence from run tables. scale: as the paper states it."""

    def __init__(self, runs: Sequence[Run], scale: Scale) -> None:
        self.runs, self.scale = list(runs), scale
        self._points: dict[Point, Run] = {}  # those read so far, by table and options
        self._horizons: dict[tuple[str, str], set[int]] = {}  # by title and game
        for run in self.runs:
            self._horizons.setdefault((run.title, run.environment["name"]), set()).add(run.settings["horizon"])

    def notes(self, selections: Sequence[Selection]) -> list[str]:
        return [str(run.environment["data_note"]) for run in self._compared(selections)]

    def limits(self, selections: Sequence[Selection]) -> list[str]:
        return [limit for run in self._compared(selections) for limit in self._limits(run)]

    def flags(self, selections: Sequence[Selection]) -> list[Flag]:
        varied = [one for one in selections if self.measure(one.measure).over]
        inert = [one.of for one in varied if not any(sample.values.any() for sample in self.samples(one).values())]
        same = [Flag("cannot vary", title) for title in dict.fromkeys(inert)]
        return [*flags_of(self._compared(selections), self.runs), *same]

    def samples(self, selection: Selection, part: float = 1.0) -> dict[str, Sample]:
        runs = self._meant(selection)
        if not runs:
            known = selection.of in {run.title for run in self.runs}
            raise Untestable(
                f"no game of {name_of(selection)} was played" if known else f"{selection.of} was not played"
            )
        return {self._game(run): self._sample(run, selection, part) for run in runs}

    def points(self, selection: Selection, against: str) -> dict[float, np.ndarray]:
        axis = AXES[pick(against, AXES, "setting that is swept")][1]
        found: dict[float, np.ndarray] = {}
        for run in (part for whole in self._meant(selection) for part in parts(whole, against)):
            try:
                place = axis(run)
            except KeyError as error:
                raise InputError(
                    f"{run.path} was played on a game without {error}, so {against} is not swept."
                ) from error
            if place in found:
                raise InputError(
                    f"{name_of(selection)} was played on several games with {against} {place:g}: name one of them "
                    "under `where`."
                )
            found[place] = self._sample(run, selection).values
        if len({len(values) for values in found.values()}) > 1:
            raise Untestable(f"the settings of {against} were not played with the same seeds")
        return dict(sorted(found.items()))

    def rate(self, selection: Selection, against: str, name: str) -> dict[float, float]:
        pick(name, RATES, "stated rate")
        return collect_rate([self._meant(selection)], against, name)

    def chance(self, selection: Selection, against: str) -> dict[float, float]:
        random = replace(selection, of=RANDOM, options={}, relative="")
        try:
            return {x: float(values.mean()) for x, values in self.points(random, against).items()}
        except Untestable:
            return {}

    def measure(self, name: str) -> Measure:
        return MEASURES[pick(name, MEASURES, "measure of a claim")]

    def shortfall(self, selection: Selection) -> str:
        short = [limit for run in self._meant(selection) if (limit := self._fewer_rounds(run))]
        return short[0] if short else ""

    def outside(self, selection: Selection, theorem: str) -> str:
        for run in self._meant(selection):
            known = run.environment.get("theorems", {})
            ends = known[pick(theorem, known, f"theorem whose conditions are facts of {run.path}")]
            played = run.settings["horizon"]
            if ends is None:
                return "a game meets its conditions at no horizon"
            if played < ends[0]:
                return f"its conditions hold from {ends[0]:,.0f} rounds on, and {played:,} were played"
            if ends[1] is not None and played > ends[1]:
                return f"its conditions hold up to {ends[1]:,.0f} rounds, and {played:,} were played"
            if theorem.startswith("sclb_") and (
                short := too_short(run.environment.get("settings", {}), run.settings["algorithm"], played)
            ):
                return short
        return ""

    def _compared(self, selections: Sequence[Selection]) -> list[Run]:
        """Return the runs that selections are about, each once."""
        return list({run.path: run for selection in selections for run in self._meant(selection)}.values())

    def _meant(self, selection: Selection) -> list[Run]:
        """Return the runs that a selection is about."""
        where = dict(selection.where)
        horizon = where.pop("horizon", None)
        return [
            run
            for run in self.runs
            if run.title == selection.of
            and is_in(run.environment, where)
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

    def _sample(self, run: Run, selection: Selection, part: float = 1.0) -> Sample:
        """Return the sample of a run or of its first rounds, divided by that of another one if it is relative."""
        own = self._own_sample(run, selection, part)
        if not selection.relative:
            return own
        divisor = replace(selection, of=selection.relative, relative="", options={})
        for other in self._meant(divisor):
            same_game = other.environment["name"] == run.environment["name"]
            if same_game and other.settings["horizon"] == run.settings["horizon"]:
                return own.over(self._own_sample(cut(other, len(run.rounds)), divisor, part))
        raise Untestable(f"{selection.relative} was not played on {run.environment['name']}")

    def _own_sample(self, run: Run, selection: Selection, part: float = 1.0) -> Sample:
        if run.environment["stand_in"]:
            raise Untestable(f"{run.environment['data_note']} stands in for the data of the paper")
        if run.environment.get("role") == OWN:
            raise Untestable(f"{run.environment['data_note']}: it is not the data of the paper")
        measure, half = self.measure(selection.measure), half_way(run)
        last = _checkpoint(run, selection, part)
        if half is None and selection.measure == "late":
            raise Untestable(f"results are known from round {run.rounds[0]:,} on, and it speaks of half as many")
        points, ends = [], []
        for point in self._at_points(run, selection.options):
            points.append(measure.of(point))
            ends.append(points[-1][:, last] if points[-1].ndim == 2 else points[-1])
            if lost := int(np.isnan(ends[-1]).sum()):
                raise Untestable(f"{lost} of {len(run.seeds)} runs of {run.title} {run.loss}")
        if part < 1.0 and points[0].ndim == 1:
            raise Untestable(f"the {measure.words} is known after all rounds alone")
        if measure.over and len(points) < 2:
            raise InputError(f"{name_of(selection)} is the variation over an option: list its values under options.")
        # The variation is that of every run alone, as the paper has one: (n, points) -> (n,).
        values = measure.over(np.stack(ends, axis=-1)) if measure.over else np.mean(ends, axis=0)
        if len(values) > 1 and not np.isfinite(measure.statistic(values)):
            raise Untestable(
                f"the results of {run.title} are 0 on average, and the {measure.words} is relative to that"
            )
        late = None
        whole = selection.at is None and points[0].ndim == 2 and measure.statistic is average
        if self._fewer_rounds(run) and whole and half is not None and part == 1.0:
            late = values - np.mean([found[:, half] for found in points], axis=0)
        exact = _repeats_itself(run) and selection.measure != "seconds"  # of which a repetition takes others
        seeds = tuple(run.seeds.tolist()) if len(values) == len(run.seeds) else ()
        rounds = int(run.rounds[-1]) if selection.at is None else None
        return Sample(name_of(selection), self._game(run), values, seeds, exact, measure.statistic, late, rounds)

    def _limits(self, run: Run) -> list[str]:
        """Describe in what respects a run is smaller than the paper's, or on other data."""
        limits = [short] if (short := self._fewer_rounds(run)) else []
        if len(run.seeds) < self._stated(run).seeds and not _repeats_itself(run):
            limits.append(f"{len(run.seeds)} of {self._stated(run).seeds} runs")
        return limits + limits_of_data(run.environment, self.scale.originals)

    def _fewer_rounds(self, run: Run) -> str:
        stated, longest = self._stated(run).horizon, max(self._lengths(run))
        return f"{longest:,} of {stated:,} rounds" if longest < stated else ""

    def _stated(self, run: Run) -> Stated:
        """Return the rounds and seeds with which the paper plays the game of a run."""
        name = run.environment["name"]
        if name not in self.scale.games:
            raise InputError(
                f"{run.path} is of the game {name!r}, which this experiment does not play: leave the table out."
            )
        return self.scale.games[name]


def _checkpoint(run: Run, selection: Selection, part: float) -> int:
    """Return the place of the checkpoint that is meant; raise Untestable if no result is known there."""
    first, last, after = run.rounds[0], run.rounds[-1], selection.at
    if after is not None and after > last:
        raise Untestable(f"{last:,} rounds were played, and it speaks of {after:,}")
    if after is not None and after < first:
        raise Untestable(f"results are known from round {first:,} on, and it speaks of {after:,}")
    if after is None and part * last < first:
        raise Untestable(f"results are known from round {first:,} on")
    return int(np.flatnonzero(run.rounds <= (part * last if after is None else after))[-1])


def _repeats_itself(run: Run) -> bool:
    """Return whether the runs are replays of a log in its own order that differ by tie-breaks alone.

    Networks start at random weights, so that no two of their runs are replays of one another.
    """
    if run.environment.get("settings", {}).get("order") != "logged":
        return False
    algorithm = catalogue.load(run.settings["algorithm"])
    return not getattr(algorithm, "RANDOMISED", hasattr(algorithm, "Policy"))


def is_in(environment: Mapping[str, Any], where: Where) -> bool:
    """Return whether a game matches: by the role of its data, and by its settings, which are also in its name."""
    settings = environment.get("settings", {})
    for name, value in where.items():
        if name == "data":
            if environment["role"] != value:
                return False
        elif name in settings:
            if not same(settings[name], value):
                return False
        elif f"-{name}-{value}-" not in f"{environment['name']}-":
            return False
    return True
