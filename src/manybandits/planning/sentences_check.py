"""What a sentence reads must be in the table that it names: a typo would else be a sentence that is never shown.

A configuration may leave data and algorithms out, so that some sentences of a paper are not shown. So a sentence is
compared with all that its experiments play on any data of the same family. The rows and columns of a measurement, and
of what is fitted, are known when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from manybandits import datasets
from manybandits.base.exceptions import InputError, pick
from manybandits.papers.experiment import Experiment, PanelSpec
from manybandits.papers.files import CLAIMS, Paper
from manybandits.papers.reason import Number, Reason
from manybandits.papers.story import FINDINGS, SHARED, Finding
from manybandits.planning.jobs import environments_of, run_title

_PLAYED = ("environment", "data", "algorithm")
_SUMMARY = ("std", "low", "high", "n")
COLUMNS = {
    "regret": (
        *(*_PLAYED, "variant", "regret", *_SUMMARY, "lost", "regret_per_round", "clusters", "size"),
        *("recovered", "reached", "mark", "options", "flags"),
    ),
    "grid": (*_PLAYED, "values", "reward", *_SUMMARY, "lost", "reward_per_round", "mark"),
    "convergence": (*_PLAYED, "round", "mean", *_SUMMARY),
    "horizons": (
        *(*_PLAYED, "horizon", "regret", *_SUMMARY, "lost", "slope", "slope_low", "slope_high"),
        *("within_slope", "within_slope_low", "within_slope_high"),
    ),
    "pairs": (
        *(*_PLAYED, "regret", *_SUMMARY, "lost", "published", "published_gap", "published_answer"),
        *("authors", "authors_gap", "authors_answer", "probe"),
    ),
    "estimates": ("learn", "algorithm", "estimate", "reward_per_round", "difference", *_SUMMARY, "effective"),
}
"""The columns of the tables of plays, by the module of `manybandits.tables` that makes them."""

Played = tuple[set[str], set[str]]
"""The titles of the runs of a panel, and the names of its games."""


def check_sentences(papers: Iterable[Paper], findings: Iterable[Finding] = ()) -> None:
    """Raise InputError naming the first number of a sentence that no table can have, or an unknown headline.

    papers: whose stories and reasons are checked, and of which findings may speak.
    """
    known = {paper.name: paper for paper in papers}
    made: dict[str, list[Played]] = {}
    headlines = [f"{paper.name}.{key}" for paper in known.values() for key in paper.headlines]
    for where, sentence in _sentences(known.values(), findings):
        for name in sentence.headlines:
            pick(name, headlines, f"headline ({where})")
        for key, number in sentence.numbers.items():
            if number.row:
                _check_number(number, sentence, known, made, f"{where}, number {key}")


def _sentences(papers: Iterable[Paper], findings: Iterable[Finding]) -> Iterable[tuple[str, Reason]]:
    """Yield all sentences, each with its place in words."""
    for paper in papers:
        for place, told in enumerate(paper.story, start=1):
            yield f"{paper.folder}/{CLAIMS}, sentence of the story {place}", told
        for key, reason in paper.reasons.items():
            yield f"{paper.folder}/{CLAIMS}, reason {key}", reason
    for place, finding in enumerate(findings, start=1):
        yield f"{FINDINGS}, finding {place}", finding


def _check_number(
    number: Number, sentence: Reason, papers: Mapping[str, Paper], made: dict[str, list[Played]], where: str
) -> None:
    """Raise InputError if no table of the experiment that a number names can have its column or its row.

    made: what the panels of targets play, which is added to.
    """
    target, row = number.table or sentence.target, sentence.row | number.row
    if target in SHARED:
        return
    paper, experiment = _experiment(target, papers)
    kind = experiment.table or ("horizons" if experiment.sweeps_horizon else "regret")
    if experiment.measurement or experiment.regression is not None or kind not in COLUMNS:
        return
    for column in (*row, number.column):
        pick(column, COLUMNS[kind], f"column ({where}, {target})")
    if target not in made:
        made[target] = [_played(panel, paper, where) for panel in experiment.parts]
    panels = made[target]
    if "algorithm" in row:
        pick(str(row["algorithm"]), {title for titles, _ in panels for title in titles}, f"run ({where}, {target})")
        panels = [(titles, games) for titles, games in panels if row["algorithm"] in titles]
    if "environment" in row:
        pick(str(row["environment"]), {name for _, games in panels for name in games}, f"game ({where}, {target})")


def _experiment(target: str, papers: Mapping[str, Paper]) -> tuple[Paper, Experiment]:
    """Return the paper and the experiment that a target names; `check_targets` has checked it."""
    for paper in papers.values():
        key = target.removeprefix(f"{paper.name}_")
        if target != key and key in paper.experiments:
            return paper, paper.experiments[key]
    raise InputError(f"unknown target {target!r}: no paper that is read has it.")


def _played(panel: PanelSpec, paper: Paper, where: str) -> Played:
    """Return the titles of the runs of a panel, and the names that its games have on any data of their families."""
    found: set[str] = set()
    for role in panel.data or ("",):
        families = role.split("+") if role else []
        for used in product(*map(_alike, families)):
            config: Any = SimpleNamespace(data=SimpleNamespace(use=dict(zip(families, used, strict=True))))
            games = environments_of(replace(panel, data=(role,) if role else ()), paper.game, config, where)
            found |= {game.name for game in games}
    return {run_title(entry, where) for entry in panel.algorithms}, found


@cache
def _alike(family: str) -> tuple[str, ...]:
    """Return the data sets that may be used for a family of data; none that is given by its path."""
    return tuple(name for name in datasets.names() if datasets.load(name).DATASET.family == family)
