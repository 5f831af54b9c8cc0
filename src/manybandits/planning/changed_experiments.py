"""Experiments as the readings of a headline play them: the part that its claims need, with the answers of a reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

from msgspec import UNSET
from msgspec.structs import asdict, replace

from manybandits.algorithms import catalogue
from manybandits.environments.catalogue import checked_name, load_module, script_of
from manybandits.papers.claim import RANDOM, Claim
from manybandits.papers.experiment import Entry, Experiment, PanelSpec, With
from manybandits.papers.files import Paper
from manybandits.papers.openings import Admissible
from manybandits.papers.settings import Value
from manybandits.planning import jobs
from manybandits.planning.configuration import Configuration, Scope
from manybandits.planning.settings import merge

HORIZON = "horizon"
"""The name, in a scope, of the rounds over which an experiment is swept."""
READING = "a reading"
"""Where an entry is, in messages."""


def within(experiment: Experiment, config: Configuration, scope: Scope) -> Experiment | None:
    """Return the part of an experiment that is played for readings, of what is available; None if nothing is."""
    if experiment.regression is not None:
        sweeps = {name: _kept(values, scope, name) for name, values in experiment.regression.items()}
        given = {name: _kept_value(value, scope, name) for name, value in experiment.with_.items()}
        return replace(experiment, regression=sweeps, with_=given)
    parts = []
    for part in experiment.parts:
        data = tuple(role for role in part.data if not config.lacking(role) and (not scope.data or role in scope.data))
        given = {name: _kept_value(value, scope, name) for name, value in part.with_.items()}
        empty = any(value == [] for value in given.values())
        if (data or not part.data) and not empty:
            horizons = tuple(_kept(part.horizons, scope, HORIZON))
            parts.append(replace(part, data=data, with_=given, horizons=horizons))
    return replace(experiment, panels=tuple(parts)) if parts else None


def needed(experiment: Experiment | None, claims: Sequence[Claim]) -> Experiment | None:
    """Return what some claims need of an experiment: the algorithms and sweeps that they select, and Random."""
    if experiment is None:
        return None
    selections = [one for claim in claims for one in claim.selections]
    if experiment.regression is not None:
        named = {name for claim in claims for name in (claim.against, *claim.selection.where)}
        swept = {name: values for name, values in experiment.regression.items() if name in named}
        return replace(experiment, regression=swept or experiment.regression)
    titles = {title for one in selections for title in (one.of, one.relative)} | {RANDOM}
    parts = []
    for part in experiment.parts:
        entries = tuple(entry for entry in part.algorithms if jobs.run_title(entry, READING) in titles)
        parts += [replace(part, algorithms=entries)] if entries else []
    return replace(experiment, data=(), with_={}, horizons=(), panels=tuple(parts)) if parts else None


def _kept(values: Sequence[Value], scope: Scope, name: str) -> list[Value]:
    """Return the values of a setting that are in the scope; all of them if it does not name the setting."""
    wanted = scope.with_.get(name, list(values))
    return [value for value in values if value in wanted]


def _kept_value(value: Value | list[Value], scope: Scope, name: str) -> Value | list[Value]:
    """Return a setting, or the list of its values, as far as they are in the scope; an empty list if none is."""
    if isinstance(value, list):
        return _kept(value, scope, name)
    return value if _kept([value], scope, name) else []


def changed(experiment: Experiment, paper: Paper, values: Sequence[Admissible], claims: Sequence[Claim]) -> Experiment:
    """Return an experiment as a reading plays it.

    claims: those about it. An option whose values they compare stays as it is, as a setting that is swept does.
    """
    selections = [one for claim in claims for one in claim.compared]
    compared = {option for one in selections for option in one.options}
    asked = {name: value for one in values for name, value in one.with_.items()}
    if experiment.regression is not None:
        from manybandits.estimators import comparison  # here, because it imports numba, which most plans do not need

        return replace(experiment, with_=_answered(experiment.with_, asked, comparison.DEFAULTS, experiment.regression))
    parts = []
    for part in experiment.parts:
        settings = load_module(script_of(checked_name(part.game or paper.game))).SETTINGS
        entries = tuple(_changed_entry(entry, part, paper, values, compared) for entry in part.algorithms)
        parts.append(replace(part, with_=_answered(part.with_, asked, settings, ()), algorithms=entries))
    return replace(experiment, panels=tuple(parts))


def _answered(
    given: With, asked: With, known: Mapping[str, object], swept: Sequence[str] | Mapping[str, object]
) -> With:
    """Return the settings of a game with the answers of a reading: to those that it has, and that are not swept."""
    varied = {name for name, value in given.items() if isinstance(value, list) and len(value) > 1}
    return {**given, **{name: asked[name] for name in asked if name in known and name not in {*varied, *swept}}}


def differing(before: Experiment, after: Experiment) -> dict[str, Value]:
    """Return the settings of games, or of a regression, that a reading changes, with their new values."""
    regression = before.regression is not None
    pairs = [(before, after)] if regression else zip(before.parts, after.parts, strict=True)
    return {
        name: value
        for old, new in pairs
        for name, value in new.with_.items()
        if not isinstance(value, list) and old.with_.get(name) != value
    }


def _changed_entry(
    entry: Entry, part: PanelSpec, paper: Paper, values: Sequence[Admissible], compared: Collection[str]
) -> Entry:
    """Return an entry with the options of a reading. One whose lists or tuning differ has a name of its own."""
    name = jobs.name_of(entry)
    if copies := [one.instead[name] for one in values if name in one.instead]:
        return copies[-1]
    label, given = jobs.label_and_options(entry)
    own = {
        option: value
        for one in values
        for option, value in one.options.get(name, {}).items()
        if option not in compared or not isinstance(given.get(option), list)
    }
    lists = {option: value for option, value in own.items() if isinstance(value, list)}
    labels = [
        f"{option} {' to '.join(str(end) for end in dict.fromkeys((v[0], v[-1])))}" for option, v in lists.items()
    ]
    common = merge(paper.settings, part.settings).grid
    grid, _ = jobs.grid_of(catalogue.load(name), {**given, **own}, common, READING)
    if prod(len(points) for points in grid.values()) > 1:
        settings = [(key, value) for one in values for key, value in asdict(one.settings).items()]
        labels += [key if key == "grid" else f"{key} {value}" for key, value in settings if value is not UNSET]
    label += labels
    changed = {**({"as": " ".join(label)} if label else {}), **given, **own}
    return {name: changed} if changed else name
