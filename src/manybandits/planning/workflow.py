"""The object that the rules of the workflow share: paths of files, arguments of scripts, and digests of sources.

Rule files contain rules only. They share one `Run`, which ``workflow/rules/common.smk`` makes. Snakemake calls the
methods that take wildcards once per job.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from manybandits.algorithms import catalogue
from manybandits.algorithms.description import digest as description_digest
from manybandits.algorithms.plain import digest as twin_digest
from manybandits.base.sources import digest, docstring_digest
from manybandits.claims.verdict_files import HEADLINES, VERDICTS
from manybandits.measurements import module_of
from manybandits.papers.claim import Claim, judged_text
from manybandits.papers.files import CLAIMS, EXPERIMENTS, NOTEBOOK, OPEN, PLACE
from manybandits.papers.story import FINDINGS
from manybandits.planning.configuration import rerun_command
from manybandits.planning.figures import Figure, Measurement, Regression
from manybandits.planning.inputs import Inputs
from manybandits.planning.jobs import Environment, Play
from manybandits.planning.league import FILE as LEAGUE_FILE
from manybandits.planning.plan import Plan
from manybandits.planning.readings_files import Readings
from manybandits.planning.resources import Resources
from manybandits.report.addresses import addresses
from manybandits.report.rendering import digest as rendering_digest

VERIFIED = "artifacts/verify"
"""The folder of what is made of packed run tables, at the paths below it at which the like is committed."""
LEAGUE = "league"
COST = "cost"
PROBE = "probe"
"""The measurement of which tables of public pairs show the regret."""


class Packing(NamedTuple):
    """What is packed into one file: paths of tables below the folder of the run, and names of measurements."""

    tables: list[str]
    measurements: list[str]


class Run:
    """The files and jobs of a configuration's run.

    data, work, report: the folders of data, which all runs share, of run tables, and of what is for people. page: the
    first page of the site. verdicts: those of all claims. plan: what is played, drawn and judged. packs: the folder of
    packed run tables. from_packs: whether nothing is played, and all is made of these again, in a folder of its own,
    which is `within`. root: the folder with the files of the project, which are read; all other paths are below the
    working folder.
    """

    def __init__(self, plan: Plan, config: Mapping[str, Any], root: Path = Path()) -> None:
        self.plan, self.config, self.root = plan, config, root
        self.data = "artifacts/data"
        self.from_packs = bool(config["from_packs"])
        self.within = VERIFIED if self.from_packs else ""
        self.work = Path(self.within, "artifacts", plan.name).as_posix()
        self.report = Path(self.within, "reports", plan.name).as_posix()
        self.packs = f"reports/{plan.name}/runs"
        self.page = f"{self.report}/index.html"
        self.verdicts = f"{self.report}/{VERDICTS}"
        self.headlines = f"{self.report}/{HEADLINES}"
        self.exports = [f"{self.report}/verdicts.csv", f"{self.report}/headlines.csv"]
        self.environments: dict[str, Environment] = plan.environments
        self.plays: dict[str, Play] = plan.plays
        self.judged = plan.judged
        self.inputs = Inputs(self.environments, self.data)
        self.readings = Readings(plan, config, self.data, self.work, self.report)
        self.resources = Resources(self.plays, self.readings.batches, config)
        self.regressions = {**plan.regressions, **self.readings.regressions}
        self.figures = {figure.name: figure for figure in plan.figures}
        self.measurements = {measurement.name: measurement for measurement in plan.measurements}
        self.drawn = {name: one for name, one in self.measurements.items() if one.kind}
        self.made: dict[str, Figure | Measurement] = {**self.figures, **self.measurements}
        drawn = {figure.paper for figure in plan.figures if Path(self.notebook_of(figure.paper)).is_file()}
        self.notebooks = sorted(drawn)
        self.papers = [self.folder_of(paper) for paper in plan.papers]
        self.paper_files = [file for paper in plan.papers for file in self.files_of(paper)]

    digest = staticmethod(digest)

    @staticmethod
    def one_of(names: Iterable[str]) -> str:
        """Return the constraint of a wildcard that is one of some names, or that matches none."""
        return "|".join(map(re.escape, sorted(names))) or "none"

    @staticmethod
    def beside(tables: Iterable[str]) -> list[str]:
        """Return the provenance of tables, which alone says how long they took, or what a table of text rests on."""
        return [f"{table}.json" for table in tables]

    def folder_of(self, paper: str) -> str:
        """Return the folder of a paper."""
        return self.plan.folders.get(paper, str(self.root / PLACE / paper))

    def notebook_of(self, paper: str) -> str:
        """Return the notebook of a paper, which may be missing: it is ``notebook.py`` in a folder of one's own."""
        own = self.plan.folders.get(paper)
        return f"{own}/{NOTEBOOK}" if own else str(self.root / "notebooks" / f"{paper}.py")

    def files_of(self, paper: str) -> list[str]:
        """Return the files of a paper, of which one may be missing: what it leaves open."""
        files = [f"{self.folder_of(paper)}/{name}" for name in (EXPERIMENTS, CLAIMS, OPEN)]
        return files if Path(files[-1]).exists() else files[:-1]

    @cached_property
    def constraints(self) -> dict[str, str]:
        """The values that each wildcard may have. Those of a data set depend on its kind."""
        allowed: dict[str, Iterable[str]] = {
            "environment": self.environments,
            "figure": self.figures,
            "measurement": self.measurements,
            "drawn": self.drawn,
            "judged": self.judged,
            "regression": self.regressions,
            "notebook": self.notebooks,
            "curve": self.readings.curves,
            "batch": self.readings.batches,
            "pack": self.packed,
        }
        return {wildcard: self.one_of(names) for wildcard, names in allowed.items()}

    # Packed run tables.

    @cached_property
    def packed(self) -> dict[str, Packing]:
        """What is packed together: name of a paper, or of an arena of the league -> its tables and measurements."""
        tables = [*(f"runs/{name}" for name in self.plays), *(f"regressions/{name}" for name in self.plan.regressions)]
        found: dict[str, Packing] = {}
        for table in sorted(tables):
            found.setdefault(table.split("/")[1], Packing([], [])).tables.append(f"{table}.parquet")
        for name, measurement in sorted(self.measurements.items()):
            found.setdefault(measurement.paper, Packing([], [])).measurements.append(name)
        return found

    def tables_in(self, pack: str) -> list[str]:
        """Return the tables that are packed together."""
        return [f"{self.work}/{table}" for table in self.packed[pack].tables]

    def measured_in(self, pack: str, *endings: str) -> list[str]:
        """Return the files of the measurements that are packed with them."""
        return [f"{self.report}/tables/{name}{ending}" for name in self.packed[pack].measurements for ending in endings]

    def identities(self, pack: str) -> dict[str, str]:
        """Return the identity of each table that is packed: what determines its bytes, as 16 hexadecimal digits."""
        made: dict[str, Play | Regression] = {f"runs/{name}": play for name, play in self.plays.items()}
        made |= {f"regressions/{name}": one for name, one in self.regressions.items()}
        return {table: made[table.removesuffix(".parquet")].identity for table in self.packed[pack].tables}

    @cached_property
    def packed_files(self) -> list[str]:
        """The packed files, and what is beside them."""
        files = [f"{self.packs}/{name}.parquet" for name in self.packed]
        return [*files, *self.beside(files)]

    @cached_property
    def derived(self) -> list[str]:
        """Every file that is made of run tables, but the pages of the site: figures, tables, verdicts and notebooks."""
        drawn = [*self.figures, *self._league]
        files = [f"figures/{name}{one}" for name in (*drawn, *self.drawn) for one in (".svg", ".csv", ".csv.json")]
        files += [f"tables/{name}{ending}" for name in drawn for ending in (".csv", ".csv.json", ".md", ".tex")]
        written = [*self.measurements, *self._cost]
        files += [f"tables/{name}{ending}" for name in written for ending in (".csv", ".csv.json", ".md")]
        files += [f"verdicts/{name}.jsonl{ending}" for name in self.judged for ending in ("", ".json")]
        gathered = [self.verdicts, self.headlines, *self.exports, *self.site_notebooks]
        return [*(f"{self.report}/{file}" for file in files), *gathered, *self.beside(gathered), *self.readings.derived]

    @cached_property
    def products(self) -> list[str]:
        """What a run makes if no target is named: every file, the first page first.

        Snakemake deletes what a failed job would have made. The page of an earlier run would hide such a gap.
        """
        if self.from_packs:
            return self.derived
        made: dict[str, Iterable[str]] = {
            "runs": self.plays,
            "regressions": self.regressions,
            "batches": self.readings.batches,
        }
        tables = [f"{self.work}/{kind}/{name}.parquet" for kind, names in made.items() for name in names]
        return [*self.site, *self.derived, *tables, *self.beside(tables), *self.packed_files]

    # Plays.

    def play_of(self, wildcards: Any) -> Play:
        return self.plays[f"{wildcards.paper}/{wildcards.environment}/{wildcards.algorithm}"]

    def play_command(self, wildcards: Any) -> list[str]:
        """Return the module of a play and its arguments. Only neural plays have the argument ``--device``."""
        play = self.play_of(wildcards)
        return [*play.command, *play.arguments(), *(["--device", self.config["device"]] if play.batched else [])]

    # Figures, tables and verdicts.

    def runs_of(self, wildcards: Any) -> list[str]:
        """Return the tables that a figure is made from."""
        return [f"{self.work}/{table}" for table in self.figures[wildcards.figure].made_from]

    def costs_of(self, wildcards: Any) -> list[str]:
        """Return the files with the run times of a figure's plays, if the figure shows run times."""
        return self.beside(self.runs_of(wildcards)) if self.figures[wildcards.figure].kind == "runtime" else []

    def verdicts_on(self, wildcards: Any) -> list[str]:
        """Return the verdicts on a figure, which title it; none if nothing is claimed, or if its table is judged."""
        figure = self.figures[wildcards.figure]
        before = figure.name in self.judged and not self._judged_by_table(figure)
        return [f"{self.report}/verdicts/{figure.name}.jsonl"] if before else []

    def probes_of(self, wildcards: Any) -> list[str]:
        """Return the table of the probe of a figure's paper, if the table of the figure shows it and there is one."""
        figure, module = self.figures[wildcards.figure], module_of(PROBE)
        made = [one.name for one in self.measurements.values() if (one.paper, one.module) == (figure.paper, module)]
        return [f"{self.report}/tables/{name}.csv" for name in made if figure.table == "pairs"]

    def beside_table(self, wildcards: Any, input: Any) -> list[str]:
        """Return what a table of public pairs is made from besides runs, as arguments; other tables need nothing."""
        if self.figures[wildcards.figure].table != "pairs":
            return []
        return [
            text for name in ("verdicts", "probes") for path in getattr(input, name) for text in (f"--{name}", path)
        ]

    def timed_games(self, wildcards: Any) -> list[str]:
        """Return the frozen games that a measurement times; empty if it makes its data."""
        timed = self.measurements[wildcards.measurement].environments
        return [f"{self.data}/environments/{environment.name}.npz" for environment in timed]

    def drawing_of(self, wildcards: Any) -> str:
        """Return the module that draws a figure."""
        return f"manybandits.figures.{self.figures[wildcards.figure].kind}"

    def tabulation_of(self, wildcards: Any) -> str:
        """Return the module that makes the table of a figure."""
        return f"manybandits.tables.{self.figures[wildcards.figure].table}"

    def paper_of(self, wildcards: Any) -> str:
        """Return the paper of a figure or measurement, which is its category in a report of Snakemake."""
        return self.made[wildcards[0]].paper

    def labels(self, what: str) -> Callable[[Any], dict[str, str]]:
        """Return a function that labels a file in a report of Snakemake."""
        return lambda wildcards: {"what": what, "title": self.made[wildcards[0]].title}

    def evidence_of(self, made: Collection[Figure | Measurement]) -> list[str]:
        """Return all files of figures and measurements: run tables, tables, and figures.

        Without the run tables, figures that came with the code would pass for made.
        """
        figures = [one for one in made if isinstance(one, Figure)]
        measured = [one for one in made if isinstance(one, Measurement)]
        runs = dict.fromkeys(f"{self.work}/{table}" for figure in figures for table in figure.made_from)
        files = [f"tables/{one.name}.{ending}" for one in measured for ending in ("csv", "csv.json", "md")]
        for name in (one.name for one in made if one.kind):
            files += [f"figures/{name}.{ending}" for ending in ("svg", "csv", "csv.json")]
        for one in figures:
            files += [f"tables/{one.name}.{ending}" for ending in ("csv", "csv.json", "md", "tex")]
        return [*runs, *(f"{self.report}/{file}" for file in files)]

    def judged_on(self, wildcards: Any) -> list[str]:
        """Return the tables that a verdict rests on: run tables, tables of errors, or a table of its own."""
        one = self.judged[wildcards.judged]
        if isinstance(one, Measurement) or self._judged_by_table(one):
            return [f"{self.report}/tables/{one.name}.csv"]
        return [f"{self.work}/{table}" for table in one.made_from]

    @staticmethod
    def _judged_by_table(figure: Figure) -> bool:
        """Return whether claims are judged on the table that is made with a figure, and not on run tables."""
        return not (figure.plays or any(table.sweeps for table in figure.regressions))

    def judged_beside(self, wildcards: Any) -> list[str]:
        """Return the provenance that a verdict rests on: of runs whose run times are judged, and of CSV tables."""
        claims = self._claims(wildcards)
        selections = [one for claim in claims for one in (claim.selection, *claim.rivals, *claim.controls)]
        timed = any(selection.measure == "seconds" for selection in selections)
        return self.beside(table for table in self.judged_on(wildcards) if timed or table.endswith(".csv"))

    def claims_about(self, wildcards: Any) -> str:
        """Return all that is judged of the paper of a figure or measurement, as text, without reasons."""
        paper = self.judged[wildcards.judged].paper
        return judged_text(self._claims(wildcards), self.plan.headlines[paper], self.plan.controls[paper])

    def _claims(self, wildcards: Any) -> list[Claim]:
        one = self.judged[wildcards.judged]
        return self.plan.claims[f"{one.paper}_{one.experiment}"]

    @cached_property
    def all_claims(self) -> str:
        """The claims, headlines, controls and reasons of all papers as text."""
        return repr([self.plan.claims, self.plan.headlines, self.plan.controls, self.plan.reasons])

    @cached_property
    def read_by_reasons(self) -> list[str]:
        """The tables from which reasons read numbers, of those that are part of the run."""
        reasons = [reason for paper in self.plan.reasons.values() for reason in paper.values()]
        targets = dict.fromkeys(target for reason in reasons for target in reason.tables)
        return [f"{self.report}/tables/{target}.csv" for target in targets if target in self.made]

    @cached_property
    def omitted(self) -> list[str]:
        """The experiments that are left out and the reasons, as arguments."""
        return [f"{one.name}={one.reason}" for one in self.plan.omissions]

    @cached_property
    def run_tables(self) -> list[str]:
        """The run tables of all plays."""
        return [f"{self.work}/runs/{name}.parquet" for name in self.plays]

    @cached_property
    def league_tables(self) -> list[str]:
        """The run tables of the league."""
        return [f"{self.work}/runs/{play.name}.parquet" for arena in self.plan.arenas for play in arena.plays]

    @cached_property
    def league_file(self) -> list[str]:
        """The file of the league; empty if no league is played."""
        return [str(self.root / LEAGUE_FILE)] if self.league_tables else []

    @cached_property
    def findings_file(self) -> list[str]:
        """The file of what was learned across papers; empty if there is none."""
        return [str(self.root / FINDINGS)] if (self.root / FINDINGS).is_file() else []

    def site_arguments(self, verdicts: str) -> list[str]:
        """Return what the site shows, as arguments. verdicts: where its job finds them, see `beside_verdicts`."""
        changes = [f"{paper}={words}" for paper, words in self.plan.changes.items() if words]
        shown = {
            "title": [f"manybandits: {self.plan.name}"],
            "papers": self.papers,
            "figures": self.beside_verdicts(verdicts, self.figure_stems),
            "tables": self.beside_verdicts(verdicts, self.table_stems),
            "verdicts": [verdicts],
            "headlines": self.beside_verdicts(verdicts, [self.headlines]),
            "notebooks": self.beside_verdicts(verdicts, self.site_notebooks),
            "findings": self.findings_file,
            "arenas": self.league_file,
            "omitted": self.omitted,
            "changes": changes,
            "command": [rerun_command(self.plan.name, self.root)],
        }
        given = [[f"--{name}", *values] for name, values in shown.items() if any(values)]
        return [*itertools.chain(*given), *self.readings.site_arguments]

    @cached_property
    def figure_stems(self) -> list[str]:
        """The paths of the site's figures, without file extensions."""
        return [f"{self.report}/figures/{name}" for name in (*self.figures, *self.drawn, *self._league)]

    @cached_property
    def table_stems(self) -> list[str]:
        """The paths of the site's tables, without file extensions."""
        return [f"{self.report}/tables/{name}" for name in (*self.made, *self._cost, *self._league)]

    def beside_verdicts(self, verdicts: str, paths: Iterable[str]) -> list[str]:
        """Return where a job finds paths if `verdicts` is where it finds the verdicts: elsewhere if from a bucket."""
        return [f"{str(verdicts).removesuffix(self.verdicts)}{path}" for path in paths]

    @cached_property
    def site(self) -> list[str]:
        """The files of the site, the first page first."""
        algorithms = {catalogue.short_name(play.spec.algorithm) for play in self.plays.values()}
        kinds = {name: figure.kind for name, figure in self.figures.items()}
        made = addresses(self.plan.papers, algorithms, kinds, self.readings.shown)
        return [f"{self.report}/{address}" for address in made]

    @cached_property
    def site_notebooks(self) -> list[str]:
        """The notebooks that the site links to; empty if the configuration turns them off."""
        return self.notebook_pages if self.config["notebooks"] else []

    @cached_property
    def notebook_pages(self) -> list[str]:
        return [f"{self.report}/notebooks/{paper}.html" for paper in self.notebooks]

    @cached_property
    def site_sources(self) -> str:
        """Digest of the sources of the site, and of the docstrings, descriptions and twins that its pages show."""
        modules = sorted({play.module for play in self.plays.values()})
        shown = docstring_digest(*modules) + description_digest() + twin_digest()
        return digest("manybandits.report.site") + rendering_digest() + shown

    def changes_of(self, wildcards: Any) -> list[str]:
        """Return the settings that replace those of a paper, in words, as arguments; empty if there are none."""
        changes = self.plan.changes[wildcards.notebook]
        return ["--scale", changes] if changes else []

    @property
    def _cost(self) -> list[str]:
        return [COST] if self.plays else []

    @property
    def _league(self) -> list[str]:
        return [LEAGUE] if self.league_tables else []
