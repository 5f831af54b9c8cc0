"""The readings of a headline as plays: the experiments of its claims, changed as a reading asks.

A play that a reading does not change has the same name as that of the figure, and so is one and the same play: rivals
that a choice does not touch are played once for all readings. All readings of a game have the same rounds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER
from manybandits.papers.claim import Claim, Selection
from manybandits.papers.files import Paper
from manybandits.papers.openings import Reading, name_of, reading_of, readings
from manybandits.papers.settings import Value
from manybandits.planning.changed_experiments import READING, changed, differing, needed, within
from manybandits.planning.configuration import Configuration, Scope
from manybandits.planning.figures import Figure, Regression, figure_of, regression_figure_of
from manybandits.planning.jobs import Play, run_title
from manybandits.planning.settings import merge


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
    asked = replace(config, settings=merge(config.settings, *(value.settings for value in values)))
    figures, titles, where = {}, {}, {}
    for key in dict.fromkeys(claim.experiment for claim in claims):
        about = [claim for claim in claims if claim.experiment == key]
        experiment = needed(within(paper.experiments[key], config, scope), about)
        if experiment is None:
            continue
        altered = changed(experiment, paper, values, about)
        read = replace(paper, experiments={**paper.experiments, key: altered})
        where[key] = differing(experiment, altered)
        if experiment.regression is not None:
            figures[key] = _renamed(regression_figure_of(read, key, asked), where[key])
            continue
        plays = (figure := figure_of(read, key, asked)).plays
        if asked != config:  # how algorithms are tuned is nothing to those that have nothing to tune
            untuned = {play.name: play for play in figure_of(read, key, config).plays if not play.spec.tuned}
            plays = tuple(untuned.get(play.name, play) for play in plays)
        figures[key] = replace(figure, plays=_once(plays))
        # An entry is played in the place where it stands, so titles before and after are those of the same place.
        for before, after in zip(experiment.parts, altered.parts, strict=True):
            for old, new in zip(before.algorithms, after.algorithms, strict=True):
                titles[run_title(old, READING)] = run_title(new, READING)
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


def _renamed(figure: Figure, settings: Mapping[str, Value]) -> Figure:
    """Return the figure of a regression whose tables have changed settings in their names."""
    tail = "".join(f"-{name}-{value}" for name, value in settings.items())
    tables = tuple(replace(one, name=one.name + tail) for one in figure.regressions)
    games = {f"{name}{tail}": stated for name, stated in figure.scale.games.items()}
    return replace(figure, regressions=tables, scale=replace(figure.scale, games=games))


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
