"""The readings of a headline as plays: the experiments of its claims, changed as a reading asks.

A play that a reading does not change has the same name as that of the figure, and so is one and the same job: rivals
that a choice does not touch are played once for all readings. All readings of a game have the same rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import pick
from manybandits.base.protocols import PAPER
from manybandits.papers.claim import Claim, Selection
from manybandits.papers.experiment import Entry, Experiment
from manybandits.papers.files import Paper
from manybandits.papers.openings import Admissible, Reading, name_of, readings
from manybandits.papers.settings import Value
from manybandits.planning import jobs
from manybandits.planning.configuration import Configuration
from manybandits.planning.figures import Figure, figure_of
from manybandits.planning.settings import merge


class PlannedReading(Struct, frozen=True, kw_only=True):
    """One reading of a headline. claims: those that test it, which select the runs of this reading.

    figures: one for each experiment of the claims, of which only the plays matter; experiment -> figure.
    """

    name: str
    answers: Reading
    claims: tuple[Claim, ...]
    figures: dict[str, Figure]


def readings_of(paper: Paper, headline: str, config: Configuration) -> list[PlannedReading]:
    """Return the readings of a headline, the default first; raise InputError naming a headline that does not exist."""
    one = paper.headlines[pick(headline, paper.headlines, f"headline ({paper.folder})")]
    members = one.members(paper.claims, headline)
    claims = [claim for claim in paper.claims if claim.id in members and claim.reading == PAPER]
    sets = readings(paper.openings, headline, paper.name)
    return [_planned(paper, claims, answers, config) for answers in sets]


def _planned(paper: Paper, claims: Sequence[Claim], answers: Reading, config: Configuration) -> PlannedReading:
    """Return one reading: the experiments of the claims, changed, and the claims about what they play."""
    values = [paper.openings[key].values[value] for key, value in answers]
    protocol = next((value.protocol for value in values if value.protocol), PAPER)
    figures, titles = {}, {}
    for key in dict.fromkeys(claim.experiment for claim in claims):
        experiment = _available(paper.experiments[key], config)
        changed = _changed(experiment, values)
        figures[key] = figure_of(replace(paper, experiments={**paper.experiments, key: changed}), key, config, protocol)
        # An entry is played in the place where it stands, so titles before and after are those of the same place.
        for before, after in zip(experiment.parts, changed.parts, strict=True):
            for old, new in zip(before.algorithms, after.algorithms, strict=True):
                titles[title_of(old)] = title_of(new)
    where = {name: value for one in values for name, value in one.with_.items() if not isinstance(value, list)}
    return PlannedReading(
        name=name_of(answers),
        answers=answers,
        claims=tuple(_selecting(claim, titles, where) for claim in claims),
        figures=figures,
    )


def title_of(entry: Entry) -> str:
    """Return the title of the runs of an entry of a list of algorithms."""
    name, given = jobs.name_of(entry), {} if isinstance(entry, str) else dict(entry[jobs.name_of(entry)])
    label = [str(given.pop("as"))] if "as" in given else []
    algorithm = catalogue.load(name)
    _, fixed = jobs.grid_of(algorithm, given, {}, "a reading")
    return ", ".join((algorithm.TITLE, *label, *(f"{option} {value}" for option, value in fixed.items())))


def _available(experiment: Experiment, config: Configuration) -> Experiment:
    """Return the part of an experiment whose data are available; claims about the rest are not testable."""
    parts = []
    for part in experiment.parts:
        data = tuple(role for role in part.data if not config.lacking(role))
        parts += [replace(part, data=data)] if data or not part.data else []
    return replace(experiment, data=(), panels=tuple(parts)) if len(parts) else experiment


def _changed(experiment: Experiment, values: Sequence[Admissible]) -> Experiment:
    """Return an experiment as a reading plays it."""
    parts = []
    for part in experiment.parts:
        with_ = {**part.with_, **{name: value for one in values for name, value in one.with_.items()}}
        settings = part.settings
        for one in values:
            settings = merge(settings, one.settings)
        entries = tuple(_changed_entry(entry, values) for entry in part.algorithms)
        parts.append(replace(part, with_=with_, settings=settings, algorithms=entries))
    return replace(experiment, panels=tuple(parts))


def _changed_entry(entry: Entry, values: Sequence[Admissible]) -> Entry:
    """Return an entry with the options of a reading. One whose lists or settings differ has a name of its own."""
    name = jobs.name_of(entry)
    given: dict[str, Value | list[Value]] = {} if isinstance(entry, str) else dict(entry[name])
    own = {option: value for one in values for option, value in one.options.get(name, {}).items()}
    lists = [f"{option} of {len(value)}" for option, value in own.items() if isinstance(value, list)]
    apart = [f"{key} {value}" for one in values for key, value in asdict(one.settings).items() if value is not UNSET]
    label = [*([str(given.pop("as"))] if "as" in given else []), *lists, *apart]
    changed = {**({"as": " ".join(label)} if label else {}), **given, **own}
    return {name: changed} if changed else name


def _selecting(claim: Claim, titles: Mapping[str, str], where: Mapping[str, Value]) -> Claim:
    """Return a claim about the runs of a reading."""

    def of(selection: Selection) -> Selection:
        found = {**selection.where, **{name: value for name, value in where.items() if name in selection.where}}
        return replace(selection, of=titles.get(selection.of, selection.of), where=found)

    return replace(
        claim,
        selection=of(claim.selection),
        rivals=tuple(map(of, claim.rivals)),
        controls=tuple(map(of, claim.controls)),
    )
