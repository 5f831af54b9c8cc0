"""A report: everything that the site of a run shows, read from the files that the pipeline wrote."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits.base.configuration import read_reasons, read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.claims.verdict import HeadlineVerdict, Verdict
from manybandits.papers.story import Finding, read_findings
from manybandits.report.inputs import (
    ReportedExperiment,
    ReportedFigure,
    ReportedPaper,
    Table,
    read_figure,
    read_papers,
    read_table,
)
from manybandits.report.readings import HeadlineReadings, read_readings_of
from manybandits.report.verdicts import Claims, read_claims, read_headlines

SHARED = ("cost", "league", "league_ranks")
"""Tables and figures of a whole run, which belong to no paper."""


@dataclass(frozen=True)
class Report:
    """What a site shows. folder: where it is shown; links are relative to it."""

    title: str
    folder: Path
    papers: Sequence[ReportedPaper]
    claims: Claims
    headlines: Mapping[str, Sequence[HeadlineVerdict]]  # paper -> its headlines
    costs: Table | None
    league: Table | None
    arenas: Mapping[str, Any]  # of the league, as its file has them
    league_figures: Sequence[ReportedFigure]  # how near algorithms are to the best, and their ranks; empty if not drawn
    verdicts: Path | None
    headline_file: Path | None
    notebooks: Mapping[str, Path]  # paper -> its notebook as a page
    readings: Mapping[str, HeadlineReadings]  # headline -> the verdicts on it under its readings
    readings_of: Path | None  # the report that has them
    findings: Sequence[Finding]  # across papers
    changes: Mapping[str, str]  # paper -> the settings that replace its own, in words
    command: str  # what makes the run again, "" if it is not known
    commit: str  # of the checkout that made the pages

    @property
    def all_figures(self) -> list[ReportedFigure]:
        """The figures of the papers, and those of the league."""
        return [*self.figures, *self.league_figures]

    @property
    def figures(self) -> list[ReportedFigure]:
        return [figure for paper in self.papers for figure in paper.figures]

    @property
    def tables(self) -> list[Table]:
        shared = [table for table in (self.costs, self.league) if table]
        return [table for paper in self.papers for table in paper.tables] + shared

    @property
    def all_headlines(self) -> list[HeadlineVerdict]:
        return [one for found in self.headlines.values() for one in found]

    @property
    def all_verdicts(self) -> list[Verdict]:
        """The verdicts by the text on all claims."""
        return [given[0] for claims in self.claims.values() for given in claims.values()]

    def members(self, headline: HeadlineVerdict) -> list[Verdict]:
        """Return the verdicts by the text on the claims that test a headline."""
        return [self.claims[headline.paper][claim][0] for claim in headline.claims]

    def decisive(self, headline: HeadlineVerdict) -> Verdict:
        """Return the verdict on the claim that decides a headline."""
        return self.claims[headline.paper][headline.decided_by][0]

    def link(self, path: Path) -> str:
        """Return the address of a file from the root of the site."""
        return Path(os.path.relpath(path, self.folder)).as_posix()

    def place_of(self, target: str) -> str:
        """Return the address, from the root of the site, where a target is shown; "" if it is not part of the run."""
        if (found := self._experiment_of(target)) is None:
            return ""
        paper, experiment = found
        drawn = target in {figure.name for figure in experiment.figures}
        return f"papers/{paper.key}.html#{target if drawn else experiment.key}"

    def short_place(self, target: str) -> str:
        """Return the place in its paper that a target belongs to, such as Figure 2, or its name if it has none."""
        found = self._experiment_of(target)
        return found[1].place if found else target

    def _experiment_of(self, target: str) -> tuple[ReportedPaper, ReportedExperiment] | None:
        for paper in self.papers:
            for experiment in paper.experiments:
                if target in {one.name for one in (*experiment.figures, *experiment.tables)}:
                    return paper, experiment
        return None

    def rerun(self, target: str = "") -> str:
        """Return the command that makes the run, or one target of it, again; "" if it is not known."""
        program, _, options = self.command.partition(" ")
        return " ".join(filter(None, (program, target, options)))

    def cost_rows(self, paper: str = "") -> list[dict[str, str]]:
        """Return the rows of the table of costs, of all papers or of one."""
        rows = self.costs.rows if self.costs else []
        return [row for row in rows if paper in ("", row["paper"])]


def read_report(args: argparse.Namespace, commit: str) -> Report:
    """Read everything that a site shows. args: the arguments of `manybandits.report.site`, which name the files."""
    if not args.papers:
        raise InputError("there is no paper to show: name at least one folder of workflow/papers.")
    shared = {stem.name: read_table(stem) for stem in args.tables if stem.name in SHARED}
    costs, league = shared.get("cost"), shared.get("league")
    if costs and costs.rows and not {"paper", "file"} <= costs.rows[0].keys():
        raise InputError(f"{costs.stem}.csv has no columns 'paper' and 'file': make the table of costs again.")
    if league and not costs:
        raise InputError("the league names algorithms whose pages are made from the table of costs: give that, too.")
    figures, tables = ([stem for stem in stems if stem.name not in SHARED] for stems in (args.figures, args.tables))
    papers = read_papers(args.papers, figures, tables, read_reasons(args.omitted))
    keys = [paper.key for paper in papers]
    claims: Claims = read_claims(args.verdicts, keys) if args.verdicts else {key: {} for key in keys}
    headlines = read_headlines(args.headlines, claims) if args.headlines else {key: [] for key in keys}
    # Set-ups of a headline that asked something else then are not shown: they do not count.
    stale = {
        f"{one.paper}_{one.key}" for found in headlines.values() for one in found if one.setups and one.setups.earlier
    }
    readings = [name for name in args.readings if name not in stale]
    for path in args.notebooks:
        pick(path.stem, claims, f"paper of the notebook {path}")
        if not path.exists():
            raise InputError(f"{path} does not exist: execute the notebook first.")
    arenas = read_yaml(args.arenas)["arenas"] if args.arenas else {}
    for row in league.rows if league else []:
        pick(row["arena"], arenas, "arena of the league's file")
    return Report(
        title=args.title,
        folder=args.out,
        papers=papers,
        claims=claims,
        headlines=headlines,
        costs=costs,
        league=league,
        arenas=arenas,
        league_figures=[read_figure(stem, "league") for stem in args.figures if stem.name in SHARED],
        verdicts=args.verdicts,
        headline_file=args.headlines,
        notebooks={path.stem: path for path in args.notebooks},
        readings=read_readings_of(args.readings_of, readings, papers) if args.readings_of else {},
        readings_of=args.readings_of,
        findings=read_findings(args.findings) if args.findings else (),
        changes=dict(text.split("=", 1) for text in args.changes),
        command=args.command,
        commit=commit,
    )
