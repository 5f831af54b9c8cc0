"""The products of an experiment of a paper: a figure with its plays or regressions, or a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from manybandits import datasets, measurements
from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER
from manybandits.harness.arguments import parse_seeds
from manybandits.papers.experiment import Experiment, PanelSpec, Sweeps
from manybandits.papers.files import EXPERIMENTS, Paper
from manybandits.papers.scale import Scale, Stated
from manybandits.papers.settings import Settings, Value
from manybandits.planning.configuration import NONE, Configuration
from manybandits.planning.jobs import (
    Environment,
    Play,
    combinations_of,
    environments_of,
    file_name,
    name_of,
    play_of,
)
from manybandits.planning.settings import merge


class Regression(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of errors of estimators over sweeps of settings; no algorithm plays for it."""

    name: str  # paper/experiment, and the settings for which the experiment lists several values
    settings: dict[str, Value]
    sweeps: Sweeps
    seeds: tuple[int, ...]
    tuning_seeds: tuple[int, ...]

    @property
    def paper(self) -> str:
        return self.name.split("/")[0]

    @property
    def file(self) -> str:
        """The path of the table, relative to the report of the run."""
        return f"regressions/{self.name}.parquet"

    def arguments(self) -> list[str]:
        """Return the command-line arguments for `manybandits.estimators.comparison`."""
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        sweeps = [("--sweep", f"{name}={','.join(map(str, values))}") for name, values in self.sweeps.items()]
        return [
            *(["--set", *settings] if settings else []),
            *(text for sweep in sweeps for text in sweep),
            *("--seeds", *map(str, self.seeds)),
            *("--tuning-seeds", *map(str, self.tuning_seeds)),
        ]


class Product(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is made of an experiment, and how it is drawn."""

    paper: str
    name: str  # paper_experiment; a target of Snakemake
    experiment: str
    title: str
    kind: str  # the module of `manybandits.figures` that draws it, "" if none does
    arguments: tuple[str, ...]  # of that module's script
    scale: Scale  # as the paper states it


class Figure(Product, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure and its table, made from the plays of some games, or from regressions."""

    table: str  # the module of `manybandits.tables` that makes its table
    plays: tuple[Play, ...] = ()
    regressions: tuple[Regression, ...] = ()

    @property
    def environments(self) -> list[Environment]:
        """The games that are played."""
        return [play.environment for play in self.plays]

    @property
    def inputs(self) -> list[str]:
        """Paths of the tables that the figure is made from, relative to the folder of the run."""
        runs = [f"runs/{play.name}.parquet" for play in self.plays]
        return runs + [regression.file for regression in self.regressions]


class Measurement(Product, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that a module of `manybandits.measurements` measures; it needs no run table.

    environments: the games that are measured; none if the measurement makes its data.
    """

    module: str
    environments: tuple[Environment, ...] = ()


def title_of(paper: Paper, experiment: Experiment) -> str:
    """Return the title of the figure of an experiment."""
    return f"{paper.short}, {experiment.place}: {experiment.title}"


def _named(paper: Paper, key: str) -> dict[str, Any]:
    """Return the names of the product of an experiment, and its title."""
    title = title_of(paper, paper.experiments[key])
    return {"paper": paper.name, "name": f"{paper.name}_{key}", "experiment": key, "title": title}


def missing_data(experiment: Experiment, config: Configuration) -> str:
    """Return which data of an experiment are unavailable, with data sets that could be used; "" if none are needed."""
    if experiment.measurement in measurements.MAKING_DATA:
        return ""
    return _lacking(experiment, config)


def _lacking(experiment: Experiment, config: Configuration) -> str:
    """Return which data of an experiment are unavailable; "" if none are."""
    for family in (one for panel in experiment.parts for role in panel.data for one in config.lacking(role)):
        known = [datasets.load(name).DATASET for name in datasets.names()]
        cures = [f"{one.name} can be used ({one.licence})" for one in known if one.family == family]
        lost = config.data.in_place_of.get(family)
        why = f"data.use.{family} is {NONE}" + (f", because {lost} cannot be had" if lost else "")
        return "; ".join([f"data are unavailable ({why})", *cures])
    return ""


def measurement_of(paper: Paper, key: str, config: Configuration) -> Measurement:
    """Return the measurement of an experiment; raise InputError naming the nearest module if there is none.

    It has no games if its data are unavailable, and those whose data are not the paper's are limits of its claims.
    """
    experiment, where = paper.experiments[key], _place(paper, key)
    name = pick(experiment.measurement, measurements.names(), f"measurement ({where})")
    parts = [part for part in experiment.parts if part.data and not _lacking(experiment, config)]
    games = [one for part in parts for one in environments_of(part, paper.game, config, where)]
    drawing = experiment.figure
    return Measurement(
        **_named(paper, key),
        module=measurements.module_of(name),
        environments=tuple(games),
        kind=drawing.kind if drawing else "",
        arguments=_stated_values(paper, drawing.stated, where) if drawing else (),
        scale=Scale(kind="rows", originals=_originals(paper, experiment)),
    )


def _stated_values(paper: Paper, key: str, where: str) -> tuple[str, ...]:
    """Return the numbers that a claim states, as arguments: per family of data that of its last cell."""
    if not key:
        return ()
    found = {}
    pick(key, {claim.key for claim in paper.claims}, f"claim (stated, {where})")
    for claim in paper.claims:
        if claim.key == key and claim.reading == PAPER and "data" in claim.selection.where:
            found[str(claim.selection.where["data"])] = claim.published
    return ("--stated", *(f"{data}={value}" for data, value in found.items()))


def figure_of(paper: Paper, key: str, config: Configuration) -> Figure:
    """Return the figure of an experiment in which algorithms play."""
    where, experiment = _place(paper, key), paper.experiments[key]
    plays: list[Play] = []
    games: dict[str, Stated] = {}
    for panel in experiment.parts:
        stated = merge(paper.settings, experiment.settings, panel.settings)
        played = [entry for entry in panel.algorithms if config.plays(name_of(entry))]
        for environment in environments_of(panel, paper.game, config, where):
            games.setdefault(environment.name, _stated(stated, where, panel.horizons))
            changes = [config.settings_of(name_of(entry), environment.keys) for entry in played]
            entries = zip(played, (merge(stated, one) for one in changes), strict=True)
            plays += [
                play_of(entry, paper.name, environment, settings, where, horizon)
                for entry, settings in entries
                for horizon in _horizons(panel, stated, settings)
            ]
    return Figure(
        **_named(paper, key),
        kind=experiment.drawing.kind,
        arguments=("--band", experiment.band or "std", *experiment.drawing.arguments()),
        table=experiment.table or ("horizons" if experiment.sweeps_horizon else "regret"),
        scale=Scale(kind="plays", games=games, originals=_originals(paper, experiment)),
        plays=tuple(plays),
    )


def regression_figure_of(paper: Paper, key: str, config: Configuration) -> Figure:
    """Return the figure of an experiment on regressions: one for each combination of settings under `with`."""
    from manybandits.estimators import comparison  # here, because it imports numba, which most plans do not need

    where, experiment = _place(paper, key), paper.experiments[key]
    sweeps = experiment.regression or {}
    stated = merge(paper.settings, experiment.settings)
    settings = merge(stated, config.settings)
    listed = [name for name, values in experiment.with_.items() if isinstance(values, list)]
    regressions = []
    for combination in combinations_of(experiment.with_, where):
        try:
            comparison.Point.of(combination)
            comparison.points_of(combination, sweeps)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        name = f"{paper.name}/{file_name([key, *(f'{name}-{combination[name]}' for name in listed)], where)}"
        seeds, tuning_seeds = (_seeds(text, where) for text in (settings.seeds, settings.tuning_seeds))
        regressions.append(Regression(name, combination, sweeps, seeds, tuning_seeds))
    tables = [Path(regression.name).name for regression in regressions]
    return Figure(
        **_named(paper, key),
        kind=experiment.drawing.kind,
        arguments=(),
        table=experiment.table or "estimation_errors",
        scale=Scale(
            kind="errors" if sweeps else "rows",
            games={table: _stated(stated, where) for table in tables} if sweeps else {},
            originals=_originals(paper, experiment),
        ),
        regressions=tuple(regressions),
    )


def _place(paper: Paper, key: str) -> str:
    return f"{paper.folder}/{EXPERIMENTS}, experiment {key}"


def _seeds(text: str, where: str) -> tuple[int, ...]:
    return tuple(parse_seeds(text, f"{where}: seeds"))


def _horizons(panel: PanelSpec, stated: Settings, settings: Settings) -> list[int]:
    """Return the rounds of every play of a panel: all in proportion to a horizon that a configuration changes."""
    if not panel.horizons:
        return [settings.horizon]
    return sorted({max(1, round(one * settings.horizon / stated.horizon)) for one in panel.horizons})


def _stated(settings: Settings, where: str, horizons: Sequence[int] = ()) -> Stated:
    return Stated(max(horizons, default=settings.horizon), len(_seeds(settings.seeds, where)))


def _originals(paper: Paper, experiment: Experiment) -> dict[str, str]:
    """Return the data sets that the paper used: family of data -> data set, for the families of an experiment."""
    return {family: name for family, name in paper.originals.items() if family in experiment.families}
