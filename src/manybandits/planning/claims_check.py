"""What a claim selects must be what its experiment plays: a typo would else be a claim that nobody can judge.

A configuration may leave algorithms and data out, of which claims are then not testable. So a claim is compared with
all that its experiment plays in any configuration; titles of algorithms are known only of those that are planned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import InputError, pick
from manybandits.claims.evidence import agree
from manybandits.environments import catalogue as games
from manybandits.papers.claim import ERROR, Claim
from manybandits.papers.experiment import Experiment, Sweeps
from manybandits.papers.files import CLAIMS, OPEN, Paper
from manybandits.papers.settings import Value
from manybandits.planning.configuration import Configuration
from manybandits.planning.jobs import combinations_of, name_of, run_title
from manybandits.results import error_table, sweeps
from manybandits.results.measures import MEASURES

NAMES = ("data", "horizon")
"""What a claim may select besides the settings of a game."""
COMPUTED = ("rounds", "horizon", "epsilon")
"""What may be swept besides the settings of a game."""


def check_claims(paper: Paper, config: Configuration) -> None:
    """Raise InputError naming the first claim about a planned experiment that selects what it never plays.

    The rows and columns of a measurement are known when it is made, and checked then.
    """
    known: dict[str, tuple[set[str], bool, list[dict[str, Value]]]] = {}  # what each experiment plays
    for claim in paper.claims:
        experiment, where = paper.experiments[claim.experiment], f"{paper.folder}/{CLAIMS}, claim {claim.id}"
        if claim.untestable or experiment.measurement or not config.wants(f"{paper.name}_{claim.experiment}"):
            continue
        if experiment.regression is None:
            if claim.experiment not in known:
                titles = _planned_titles(experiment, config, where)
                known[claim.experiment] = *titles, list(_games(experiment, paper, where))
            _check_plays(claim, *known[claim.experiment], where)
        elif experiment.regression:
            _check_regression(claim, experiment.regression, where)


def check_controls(paper: Paper) -> None:
    """Raise InputError naming the first control of a paper whose run could never be played.

    A run is one that an experiment of its headlines plays, or an algorithm with options that it has: controls are
    written down before they are played.
    """
    titles: dict[str, Collection[str]] = {}  # of the runs of each experiment
    for key, control in paper.controls.items():
        where = f"{paper.folder}/{CLAIMS}, control {key}"
        tested = {
            name for headline in control.headlines for name in paper.headlines[headline].members(paper.claims, where)
        }
        experiments = {claim.experiment for claim in paper.claims if claim.id in tested}
        if isinstance(control.of, dict):
            methods = {claim.selection.of for claim in paper.claims if claim.id in tested}
            for method in control.of:
                pick(method, methods, f"run that a claim of its headlines is about ({where}, of)")
        for name in experiments - {*titles}:
            titles[name] = _played_titles(paper.experiments[name], where)
        played = {title for name in experiments for title in titles[name]}
        for title in control.of.values() if isinstance(control.of, dict) else control.of:
            if title not in played:
                _check_title(title, where)


def check_openings(paper: Paper) -> None:
    """Raise InputError naming the first value of an open choice that changes something that is not there.

    It would change nothing, so that its set-ups would pass for others.
    """
    settings: dict[str, set[str]] = {}  # of the games of each headline, where they are asked for
    for key, opening in paper.openings.items():
        where = f"{paper.folder}/{OPEN}, {key}"
        for name, value in opening.values.items():
            for algorithm, options in value.options.items():
                known = catalogue.load(pick(algorithm, catalogue.names(), f"algorithm ({where}.{name})")).OPTIONS
                for option in options:
                    pick(option, [one.name for one in known], f"option of {algorithm} ({where}.{name})")
            for headline in opening.headlines if value.with_ else ():
                if headline not in settings:
                    settings[headline] = _settings_of(paper, headline, where)
            asked = set().union(*(settings[headline] for headline in opening.headlines)) if value.with_ else set()
            for setting in value.with_:
                pick(setting, asked, f"setting of a game ({where}.{name}, with)")


def _settings_of(paper: Paper, headline: str, where: str) -> set[str]:
    """Return the settings of all games, or regressions, on which a headline is judged."""
    tested = paper.headlines[headline].members(paper.claims, where)
    found: set[str] = set()
    for experiment in {
        claim.experiment: paper.experiments[claim.experiment] for claim in paper.claims if claim.id in tested
    }.values():
        if experiment.regression is not None:
            from manybandits.estimators.comparison import DEFAULTS  # here, because it imports numba

            found |= {*DEFAULTS, *experiment.regression}
        elif not experiment.measurement:
            found |= {name for game in _games(experiment, paper, where) for name in game}
    return found


def _played_titles(experiment: Experiment, where: str) -> Collection[str]:
    """Return the titles of all runs of an experiment, or of its estimators."""
    if experiment.regression is not None:
        from manybandits.estimators.comparison import ESTIMATORS  # here, because it imports numba

        return ESTIMATORS
    return [run_title(entry, where) for panel in experiment.parts for entry in panel.algorithms]


def _check_title(title: str, where: str) -> None:
    """Raise InputError unless a title is that of an algorithm with options that it has."""
    name, *options = title.split(", ")
    algorithms = {algorithm.TITLE: algorithm for algorithm in map(catalogue.load, catalogue.names())}
    algorithm = algorithms[pick(name, algorithms, f"run ({where}, of)")]
    for option in options:
        pick(option.rpartition(" ")[0], [one.name for one in algorithm.OPTIONS], f"option ({where}, of {title!r})")


def _check_plays(
    claim: Claim, titles: Collection[str], whole: bool, played: Sequence[Mapping[str, Value]], where: str
) -> None:
    """Raise InputError if no run, or no game, of those that an experiment plays is the one that a claim selects.

    whole: whether `titles` are those of all runs of the experiment.
    """
    _check_slope(claim, sweeps.AXES, sweeps.RATES, where)
    if claim.against and not any(claim.against in {*COMPUTED, *game} for game in played):
        raise InputError(f"{where}: the experiment {claim.experiment} plays no game with the setting {claim.against}.")
    for one in claim.selections:
        pick(one.measure, MEASURES, f"measure ({where})")
        for title in (one.of, one.relative):
            if whole and title:
                pick(title, titles, f"run ({where})")
        for name in one.where:
            pick(name, {*NAMES, *(name for game in played for name in game)}, f"setting ({where}, where)")
        sought = {name: value for name, value in one.where.items() if name != "horizon"}
        if not any(agree(game, sought) for game in played):
            raise InputError(f"{where}: the experiment {claim.experiment} plays no game where {_shown(sought)}.")


def _check_regression(claim: Claim, swept: Sweeps, where: str) -> None:
    from manybandits.estimators.comparison import DEFAULTS, ESTIMATORS  # here, because it imports numba

    _check_slope(claim, swept, error_table.RATES, where)
    for one in claim.selections:
        pick(one.measure, [ERROR], f"measure ({where})")
        if one.of:
            pick(one.of, ESTIMATORS, f"estimator ({where})")
        for name in one.where:
            pick(name, DEFAULTS, f"setting ({where}, where)")


def _check_slope(claim: Claim, swept: Collection[str], rates: Collection[str], where: str) -> None:
    if claim.against:
        pick(claim.against, swept, f"setting that is swept ({where}, against)")
        if isinstance(claim.published, str):
            pick(claim.published, rates, f"stated rate ({where}, published)")


def _planned_titles(experiment: Experiment, config: Configuration, where: str) -> tuple[set[str], bool]:
    """Return the titles of the runs that are planned, and whether these are all of the experiment."""
    entries = [entry for panel in experiment.parts for entry in panel.algorithms]
    planned = [entry for entry in entries if config.plays(name_of(entry))]
    return {run_title(entry, where) for entry in planned}, len(planned) == len(entries)


def _games(experiment: Experiment, paper: Paper, where: str) -> Iterator[dict[str, Value]]:
    """Yield the settings of every game of an experiment, with the role of its data."""
    for panel in experiment.parts:
        name = games.checked_name(panel.game or paper.game, f"game ({where})")
        defaults = games.load_module(games.script_of(name)).SETTINGS
        for role in panel.data or ("",):
            for settings in combinations_of(panel.with_, where):
                yield {**defaults, **settings, **({"data": role} if role else {})}


def _shown(where: dict[str, Value]) -> str:
    return ", ".join(f"{name} is {value}" for name, value in where.items())
