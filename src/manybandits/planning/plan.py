"""The plan of a run: the games, plays, figures and claims that follow from a configuration and the papers.

Everything that a user can write is checked here, before any job runs: the configuration and the paper files against
their types, and the names and values in them against the known ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import InputError, pick
from manybandits.base.plugins import is_path
from manybandits.papers.claim import Claim, Control, Headline
from manybandits.papers.files import EXPERIMENTS, PLACE, Paper, folder_of, names, read_paper, read_papers
from manybandits.papers.reason import Reason
from manybandits.papers.story import FINDINGS, check_targets, read_findings, targets_of
from manybandits.planning.batches import PlayBatch, batches_of
from manybandits.planning.claims_check import check_claims, check_controls, check_openings
from manybandits.planning.configuration import Configuration, check_families, checked
from manybandits.planning.figures import (
    Figure,
    Measurement,
    Regression,
    figure_of,
    measurement_of,
    missing_data,
    regression_figure_of,
    title_of,
)
from manybandits.planning.jobs import Environment, Play, check_length, name_of
from manybandits.planning.league import Arena, make_arenas
from manybandits.planning.readings import Curve, curve_of
from manybandits.planning.sentences_check import check_sentences

ALL, NOTEBOOKS, LEAGUE, VERDICTS = WHOLE = ("all", "notebooks", "league", "verdicts")
"""The targets that concern a whole run."""


class Omission(Struct, frozen=True, forbid_unknown_fields=True):
    """An experiment that is left out, with the reason: its data are unavailable, or the run does not want it."""

    name: str
    title: str
    reason: str


class Plan(Struct, forbid_unknown_fields=True):
    """All jobs of a run, and the experiments that are left out."""

    name: str
    papers: list[str] = []
    folders: dict[str, str] = {}  # of those papers that are not in workflow/papers, by name
    changes: dict[str, str] = {}  # paper -> the settings that replace the paper's own, in words
    claims: dict[str, list[Claim]] = {}  # paper_experiment -> the paper's claims about it
    headlines: dict[str, dict[str, Headline]] = {}  # by paper
    controls: dict[str, dict[str, Control]] = {}  # by paper
    reasons: dict[str, dict[str, Reason]] = {}  # by paper: why claims are not reproduced
    figures: list[Figure] = []
    measurements: list[Measurement] = []
    curves: list[Curve] = []  # of headlines whose readings are played
    omissions: list[Omission] = []
    arenas: list[Arena] = []  # of the league; empty if it is not played

    @property
    def plays(self) -> dict[str, Play]:
        made: list[Figure | Arena] = [*self.figures, *self.arenas]
        return {play.name: play for one in made for play in one.plays}

    @property
    def batches(self) -> dict[str, PlayBatch]:
        """The plays of all curves, each once."""
        if not self.curves:
            return {}
        from manybandits.planning.cost_model import CostModel  # brings pandas, which no other plan needs

        plays, model = [play for curve in self.curves for play in curve.plays], CostModel()
        return {batch.name: batch for batch in batches_of(plays, lambda play: model.of_play(play).seconds)}

    @property
    def regressions(self) -> dict[str, Regression]:
        return {one.name: one for figure in self.figures for one in figure.regressions}

    @property
    def environments(self) -> dict[str, Environment]:
        timed = [environment for measurement in self.measurements for environment in measurement.environments]
        played = [play.environment for play in self.plays.values()]
        played += [environment for batch in self.batches.values() for environment in batch.frozen]
        return {environment.name: environment for environment in (*timed, *played)}

    @property
    def made(self) -> dict[str, Figure | Measurement]:
        """The figures and measurements, by name."""
        made: list[Figure | Measurement] = [*self.figures, *self.measurements]
        return {one.name: one for one in made}

    @property
    def left_out(self) -> dict[str, str]:
        """The experiments that are left out, and why."""
        return {one.name: one.reason for one in self.omissions}

    @property
    def targets(self) -> dict[str, list[Figure | Measurement]]:
        """The targets of Snakemake: name of a paper, figure or measurement -> the figures and measurements to make."""
        targets = {name: [one] for name, one in self.made.items()}
        for one in self.made.values():
            targets.setdefault(one.paper, []).append(one)
        return targets

    def made_for(self, targets: Iterable[str]) -> dict[str, Figure | Measurement]:
        """Return the figures and measurements of some targets, by name."""
        return {one.name: one for target in targets for one in self.targets.get(target, [])}


def make_plan(content: Mapping[str, object], root: Path) -> Plan:
    """Check a configuration and return its plan. root: the folder that holds ``workflow``."""
    config = checked(content, names(root))
    plan = Plan(config.name)
    available: list[str] = []
    read: list[tuple[Paper, Configuration]] = []
    for given in config.papers:
        paper = read_paper(folder_of(root, given))
        name, own = paper.name, config.for_paper(paper.name)
        if name in plan.papers:
            raise InputError(f"the paper {name} is named twice (papers): name it once.")
        _check_algorithms(paper)
        check_openings(paper)
        plan.papers.append(name)
        if Path(paper.folder) != root / PLACE / name:
            plan.folders[name] = paper.folder
        plan.changes[name] = "; ".join(filter(None, (own.changes, _other_data(paper, own))))
        _add_paper(plan, paper, own, root)
        if own.experiments != config.experiments:
            plan.omissions += _not_wanted(paper, own)
        available += [f"{name}_{key}" for key in paper.experiments]
        read.append((paper, own))
        curves = [curve_of(paper, key, own) for key in _read(paper, own)]
        plan.curves += [curve for curve in curves if curve.plays or curve.regressions]
    headlines = [f"{paper}.{key}" for paper in plan.papers for key in plan.headlines[paper]]
    for name in config.readings:
        pick(name, headlines, "headline (readings)")
    for name in () if config.experiments == "all" else config.experiments:
        pick(name, available, "experiment (experiments)")
    for paper, own in read:
        for name in () if own.experiments in ("all", config.experiments) else own.experiments:
            of_paper = [f"{paper.name}_{key}" for key in paper.experiments]
            pick(name, of_paper, f"experiment (per_paper.{paper.name}.experiments)")
    _check_names(plan)
    _check_findings(root)
    for paper, own in read:
        check_claims(paper, own)
        check_controls(paper)
        if paper.name in plan.folders:
            check_sentences([paper])
    known = {paper.name: _data_of(paper) for paper, _ in read}
    for role in config.per_data:
        pick(role, sorted(set().union(*known.values())), "data of an experiment (per_data)")
    for paper, own in read:
        for role in () if own.per_data == config.per_data else own.per_data:
            pick(role, sorted(known[paper.name]), f"data of an experiment (per_paper.{paper.name}.per_data)")
    check_families(config, {name for paper, _ in read for one in paper.experiments.values() for name in one.families})
    plan.arenas = make_arenas(config, root) if config.league else []
    if not (plan.targets or plan.curves or plan.arenas or plan.omissions):
        raise InputError(f"the configuration {config.name} makes nothing: name experiments, readings or a league.")
    return plan


def _check_algorithms(paper: Paper) -> None:
    """Raise InputError naming the experiment of a paper that names an unknown algorithm; a path was checked before."""
    known = catalogue.names()
    for key, experiment in paper.experiments.items():
        for name in (name_of(entry) for part in experiment.parts for entry in part.algorithms):
            if not is_path(name):
                pick(name, known, f"algorithm ({paper.folder}/{EXPERIMENTS}, {key})")


def _add_paper(plan: Plan, paper: Paper, config: Configuration, root: Path) -> None:
    """Add the claims, figures, measurements and omissions of a paper to a plan."""
    plan.headlines[paper.name], plan.controls[paper.name] = paper.headlines, paper.controls
    plan.reasons[paper.name] = paper.reasons
    for claim in paper.claims:
        plan.claims.setdefault(f"{paper.name}_{claim.experiment}", []).append(claim)
    for key, experiment in paper.experiments.items():
        measurement = measurement_of(paper, key, config) if experiment.measurement else None
        name, everybody = f"{paper.name}_{key}", config.families == "all"
        if not config.wants(name):
            continue
        if reason := missing_data(experiment, config):
            if config.experiments != "all":
                raise InputError(f"{name} (experiments) is not testable here: {reason}.")
            plan.omissions.append(Omission(name, title_of(paper, experiment), reason))
        elif measurement:
            plan.measurements += [measurement] if everybody else []
        elif experiment.regression is not None:
            if everybody:
                plan.figures.append(regression_figure_of(paper, key, config))
        else:
            figure = figure_of(paper, key, config)
            plan.figures += [figure] if figure.plays else []


def _data_of(paper: Paper) -> set[str]:
    """Return the data of the experiments of a paper, as they name them, alone and with each setting of their games."""
    known = set()
    for part in (part for experiment in paper.experiments.values() for part in experiment.parts):
        known |= set(part.data)
        for name, given in part.with_.items():
            values = given if isinstance(given, list) else [given]
            known |= {f"{role} {name}={value}" for role in part.data for value in values}
    return known


def _other_data(paper: Paper, config: Configuration) -> str:
    """Return in words which data of a paper are played in place of preferred ones, which cannot be had."""
    families = {family for experiment in paper.experiments.values() for family in experiment.families}
    replaced = {family: name for family, name in config.data.in_place_of.items() if family in families}
    return "; ".join(f"{family}: {config.data.use[family]} in place of {name}" for family, name in replaced.items())


def _not_wanted(paper: Paper, config: Configuration) -> list[Omission]:
    """Return the experiments of a paper that a configuration of its own does not want."""
    return [
        Omission(f"{paper.name}_{key}", title_of(paper, experiment), "not part of this run")
        for key, experiment in paper.experiments.items()
        if not config.wants(f"{paper.name}_{key}")
    ]


def _read(paper: Paper, config: Configuration) -> list[str]:
    """Return the headlines of a paper whose readings are wanted, of those that some choice touches."""
    touched = {headline for opening in paper.openings.values() for headline in opening.headlines}
    return [key for key in paper.headlines if key in touched and f"{paper.name}.{key}" in config.readings]


def _check_findings(root: Path) -> None:
    """Raise InputError naming a finding whose target no paper of the project has, whatever this run plays."""
    if (root / FINDINGS).is_file():
        papers = list(read_papers(root).values())
        targets = {target for paper in papers for target in targets_of(paper.name, paper.experiments)}
        findings = read_findings(root / FINDINGS)
        check_targets(findings, sorted(targets), f"{FINDINGS}, finding")
        check_sentences(papers, findings)


def _check_names(plan: Plan) -> None:
    """Raise InputError if two different plays or tables of errors have the same name, or if a file has a long one."""
    for name, played in plan.plays.items():
        check_length(name.rpartition("/")[2], played.environment.name)
    read = {play.name: play for curve in plan.curves for play in curve.plays}
    for plays, made in ((plan.plays, plan.figures), (read, plan.curves)):
        for figure, play in ((one, play) for one in made for play in one.plays):
            other = plays[play.name]
            if replace(play, environment=other.environment) != other:
                raise InputError(
                    f"{figure.name} plays {play.spec.title} on {play.environment.name} with another grid or other "
                    "settings than another experiment, but under the same name: give both the same settings."
                )
    errors = {one.name: one for curve in plan.curves for one in curve.regressions}
    for name, one in ((curve.name, one) for curve in plan.curves for one in curve.regressions):
        if one != errors[one.name] or one != plan.regressions.get(one.name, one):
            raise InputError(
                f"{name} has other settings for {one.name} than others: give all the same `with` and seeds."
            )
