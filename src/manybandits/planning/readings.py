"""The readings of a headline as plays: the experiments of its claims, changed as a reading asks.

A play that a reading does not change has the same name as that of the figure, and so is one and the same play: rivals
that a choice does not touch are played once for all readings. All readings of a game have the same rounds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from math import prod

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER
from manybandits.environments.catalogue import checked_name, load_module, script_of
from manybandits.papers.claim import RANDOM, Claim, Selection
from manybandits.papers.experiment import Entry, Experiment, Panel, With
from manybandits.papers.files import Paper
from manybandits.papers.openings import Admissible, Reading, name_of, reading_of, readings
from manybandits.papers.settings import Value
from manybandits.planning import jobs
from manybandits.planning.configuration import Configuration, Scope
from manybandits.planning.figures import Figure, Regression, figure_of, regression_figure_of
from manybandits.planning.jobs import Play
from manybandits.planning.settings import merge

HORIZON = "horizon"
"""The name, in a scope, of the rounds over which an experiment is swept."""


class PlannedReading(Struct, frozen=True, kw_only=True):
    """One reading of a headline. claims: those that test it, which select the runs of this reading.

    figures: one for each experiment of the claims that is played, of which only what it is made from matters.
    """

    name: str
    answers: Reading
    claims: tuple[Claim, ...]
    figures: dict[str, Figure]


class Curve(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all readings of a headline are made from, each play and table once.

    judged: a digest of the claims, their readings and the choices.
    """

    paper: str
    headline: str
    title: str
    plays: tuple[Play, ...]
    regressions: tuple[Regression, ...]
    judged: str

    @property
    def name(self) -> str:
        """Its target: ``readings_m_cnb_recommendation``."""
        return f"readings_{self.paper}_{self.headline}"


def curve_of(paper: Paper, headline: str, config: Configuration) -> Curve:
    """Return what all readings of a headline are made from."""
    planned = readings_of(paper, headline, config, scope_of(paper, headline, config))
    figures = [figure for reading in planned for figure in reading.figures.values()]
    return Curve(
        paper=paper.name,
        headline=headline,
        title=f"{paper.short}: {paper.headlines[headline].says}",
        plays=tuple({play.name: play for figure in figures for play in figure.plays}.values()),
        regressions=tuple({one.name: one for figure in figures for one in figure.regressions}.values()),
        judged=hashlib.sha256(repr([paper.headlines[headline], planned]).encode()).hexdigest()[:16],
    )


def scope_of(paper: Paper, headline: str, config: Configuration) -> Scope:
    """Return what is played for the readings of a headline; everything if the configuration does not say."""
    return config.readings.get(f"{paper.name}.{headline}", Scope())


def readings_of(paper: Paper, headline: str, config: Configuration, scope: Scope) -> list[PlannedReading]:
    """Return the readings of a headline, the default first; raise InputError naming a headline that does not exist.

    scope: what is played for them. Claims about measured seconds are left out: each is measured once.
    """
    one = paper.headlines[pick(headline, paper.headlines, f"headline ({paper.folder})")]
    members = one.members(paper.claims, headline)
    claims = [
        claim
        for claim in paper.claims
        if claim.id in members and claim.reading == PAPER and not paper.experiments[claim.experiment].measurement
    ]
    config = replace(config, settings=merge(config.settings, scope.settings))
    given = [reading_of(paper.openings, headline, answers) for answers in scope.only]
    sets = list(dict.fromkeys([(), *given])) if given else readings(paper.openings, headline, paper.name, scope.most)
    return [_planned(paper, claims, answers, config, scope) for answers in sets]


def _planned(
    paper: Paper, claims: Sequence[Claim], answers: Reading, config: Configuration, scope: Scope
) -> PlannedReading:
    """Return one reading: the experiments of the claims, changed, and the claims about what they play."""
    values = [paper.openings[key].values[value] for key, value in answers]
    protocol = next((value.protocol for value in values if value.protocol), PAPER)
    asked = replace(config, settings=merge(config.settings, *(value.settings for value in values)))
    figures, titles, where = {}, {}, {}
    for key in dict.fromkeys(claim.experiment for claim in claims):
        about = [claim for claim in claims if claim.experiment == key]
        experiment = _needed(_within(paper.experiments[key], config, scope), about)
        if experiment is None:
            continue
        changed = _changed(experiment, paper, values)
        read = replace(paper, experiments={**paper.experiments, key: changed})
        where[key] = _differing(experiment, changed)
        if experiment.regression is not None:
            figures[key] = _renamed(regression_figure_of(read, key, asked), where[key])
            continue
        # How algorithms are tuned is nothing to those that have nothing to tune: their plays stay as they are.
        untuned = {play.name: play for play in figure_of(read, key, config, protocol).plays if not play.spec.tuned}
        figure = figure_of(read, key, asked, protocol)
        figures[key] = replace(figure, plays=_once([untuned.get(play.name, play) for play in figure.plays]))
        # An entry is played in the place where it stands, so titles before and after are those of the same place.
        for before, after in zip(experiment.parts, changed.parts, strict=True):
            for old, new in zip(before.algorithms, after.algorithms, strict=True):
                titles[title_of(old)] = title_of(new)
    return PlannedReading(
        name=name_of(answers),
        answers=answers,
        claims=tuple(_selecting(claim, titles, where.get(claim.experiment, {})) for claim in claims),
        figures=figures,
    )


def _once(plays: Sequence[Play]) -> tuple[Play, ...]:
    """Return plays, each once: a reading may make two entries equal. Raises InputError if only their names are."""
    found: dict[str, Play] = {}
    for play in plays:
        if found.setdefault(play.name, play) != play:
            raise InputError(f"two plays of a reading are named {play.name}, with different grids: give one an `as`.")
    return tuple(found.values())


def title_of(entry: Entry) -> str:
    """Return the title of the runs of an entry of a list of algorithms."""
    name, given = jobs.name_of(entry), {} if isinstance(entry, str) else dict(entry[jobs.name_of(entry)])
    label = [str(given.pop("as"))] if "as" in given else []
    algorithm = catalogue.load(name)
    _, fixed = jobs.grid_of(algorithm, given, {}, "a reading")
    return ", ".join((algorithm.TITLE, *label, *(f"{option} {value}" for option, value in fixed.items())))


def _within(experiment: Experiment, config: Configuration, scope: Scope) -> Experiment | None:
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


def _needed(experiment: Experiment | None, claims: Sequence[Claim]) -> Experiment | None:
    """Return what some claims need of an experiment: the algorithms and sweeps that they select, and Random."""
    if experiment is None:
        return None
    selections = [one for claim in claims for one in (claim.selection, *claim.rivals, *claim.controls)]
    if experiment.regression is not None:
        named = {name for claim in claims for name in (claim.against, *claim.selection.where)}
        swept = {name: values for name, values in experiment.regression.items() if name in named}
        return replace(experiment, regression=swept or experiment.regression)
    titles = {title for one in selections for title in (one.of, one.relative)} | {RANDOM}
    parts = []
    for part in experiment.parts:
        entries = tuple(entry for entry in part.algorithms if title_of(entry) in titles)
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


def _changed(experiment: Experiment, paper: Paper, values: Sequence[Admissible]) -> Experiment:
    """Return an experiment as a reading plays it."""
    asked = {name: value for one in values for name, value in one.with_.items()}
    if experiment.regression is not None:
        from manybandits.estimators import comparison  # imported here: it imports numba, which most plans do not need

        return replace(experiment, with_=_answered(experiment.with_, asked, comparison.DEFAULTS, experiment.regression))
    parts = []
    for part in experiment.parts:
        settings = load_module(script_of(checked_name(part.game or paper.game))).SETTINGS
        entries = tuple(_changed_entry(entry, part, paper, values) for entry in part.algorithms)
        parts.append(replace(part, with_=_answered(part.with_, asked, settings, ()), algorithms=entries))
    return replace(experiment, panels=tuple(parts))


def _answered(
    given: With, asked: With, known: Mapping[str, object], swept: Sequence[str] | Mapping[str, object]
) -> With:
    """Return the settings of a game with the answers of a reading: to those that it has, and that are not swept."""
    varied = {name for name, value in given.items() if isinstance(value, list) and len(value) > 1}
    return {**given, **{name: asked[name] for name in asked if name in known and name not in {*varied, *swept}}}


def _differing(before: Experiment, after: Experiment) -> dict[str, Value]:
    """Return the settings of games, or of a regression, that a reading changes, with their new values."""
    regression = before.regression is not None
    pairs = [(before, after)] if regression else zip(before.parts, after.parts, strict=True)
    return {
        name: value
        for old, new in pairs
        for name, value in new.with_.items()
        if not isinstance(value, list) and old.with_.get(name) != value
    }


def _renamed(figure: Figure, settings: Mapping[str, Value]) -> Figure:
    """Return the figure of a regression whose tables have changed settings in their names."""
    tail = "".join(f"-{name}-{value}" for name, value in settings.items())
    tables = tuple(replace(one, name=one.name + tail) for one in figure.regressions)
    games = {f"{name}{tail}": stated for name, stated in figure.scale.games.items()}
    return replace(figure, regressions=tables, scale=replace(figure.scale, games=games))


def _changed_entry(entry: Entry, part: Panel, paper: Paper, values: Sequence[Admissible]) -> Entry:
    """Return an entry with the options of a reading. One whose lists or tuning differ has a name of its own."""
    name = jobs.name_of(entry)
    given: dict[str, Value | list[Value]] = {} if isinstance(entry, str) else dict(entry[name])
    own = {option: value for one in values for option, value in one.options.get(name, {}).items()}
    labels = [f"{option} {value[0]} to {value[-1]}" for option, value in own.items() if isinstance(value, list)]
    tuned = {option: value for option, value in {**given, **own}.items() if option != "as"}
    grid, _ = jobs.grid_of(catalogue.load(name), tuned, merge(paper.settings, part.settings).grid, "a reading")
    if prod(len(points) for points in grid.values()) > 1:
        settings = [(key, value) for one in values for key, value in asdict(one.settings).items()]
        labels += [key if key == "grid" else f"{key} {value}" for key, value in settings if value is not UNSET]
    label = [*([str(given.pop("as"))] if "as" in given else []), *labels]
    changed = {**({"as": " ".join(label)} if label else {}), **given, **own}
    return {name: changed} if changed else name


def _selecting(claim: Claim, titles: Mapping[str, str], where: Mapping[str, Value]) -> Claim:
    """Return a claim about the runs of a reading."""

    def of(selection: Selection) -> Selection:
        found = {**selection.where, **{name: value for name, value in where.items() if name in selection.where}}
        titled = {key: titles.get(getattr(selection, key), getattr(selection, key)) for key in ("of", "relative")}
        return replace(selection, where=found, **titled)

    return replace(
        claim,
        selection=of(claim.selection),
        rivals=tuple(map(of, claim.rivals)),
        controls=tuple(map(of, claim.controls)),
    )
