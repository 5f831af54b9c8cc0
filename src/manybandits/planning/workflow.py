"""A run: where its files are, what it makes, and the list of its jobs, which Snakemake looks up by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from manybandits.algorithms import catalogue
from manybandits.claims.verdict_files import HEADLINES, VERDICTS
from manybandits.papers.files import CLAIMS, EXPERIMENTS, NOTEBOOK, OPEN, PLACE
from manybandits.papers.story import FINDINGS
from manybandits.planning.figures import Figure, Measurement, Regression
from manybandits.planning.job_list import JobList
from manybandits.planning.jobs import Play
from manybandits.planning.league import FILE as LEAGUE_FILE
from manybandits.planning.plan import Plan
from manybandits.planning.record import Job
from manybandits.report.addresses import addresses
from manybandits.results.readings_table import FIGURES, PARTS, SUMMARIES, TABLES

VERIFIED = "artifacts/verify"
"""The folder of what is made again of committed run tables, at the paths below it at which the like is committed."""
PREPARING = ("tidy", "environment")
"""The steps whose files are made for jobs alone."""


class Workflow:
    """The files and jobs of a configuration's run.

    data, work: the folders of data, which all runs share, and of logs. report: that of run tables, and of what is made
    of them, for people. from_tables: whether nothing is played, and all is made of the committed tables again, in a
    folder of its own, which is `within`, and has a link to these. kept: the report that is committed. page: the first
    page of the site. verdicts: those of all claims. plan: what is played, drawn and judged. curves: the headlines whose
    readings are judged; from tables, those whose verdicts are committed: a run takes hours, so that its headlines are
    saved one after the other. root: the folder with the files of the project, which are read; all other paths are below
    the working folder.
    """

    def __init__(self, plan: Plan, config: Mapping[str, Any], root: Path = Path()) -> None:
        self.plan, self.config, self.root = plan, config, root
        self.data = "artifacts/data"
        self.from_tables = bool(config["from_tables"])
        self.within = VERIFIED if self.from_tables else ""
        self.work = Path(self.within, "artifacts", plan.name).as_posix()
        self.kept = f"reports/{plan.name}"
        self.report = Path(self.within, self.kept).as_posix()
        self.page = f"{self.report}/index.html"
        self.verdicts = f"{self.report}/{VERDICTS}"
        self.headlines = f"{self.report}/{HEADLINES}"
        self.exports = [f"{self.report}/verdicts.csv", f"{self.report}/headlines.csv"]
        self.environments = plan.environments
        self.plays: dict[str, Play] = plan.plays
        self.batches = plan.batches
        self.curves = {curve.name.removeprefix("readings_"): curve for curve in plan.curves}
        if self.from_tables:
            held = {path.name for path in Path(self.kept, TABLES).glob("*.csv")}
            self.curves = {name: one for name, one in self.curves.items() if f"{name}.csv" in held}
        read = {one.name: one for curve in self.curves.values() for one in curve.regressions}
        self.regressions: dict[str, Regression] = {**plan.regressions, **read}
        self.made = plan.made
        self.judged = {name: one for name, one in self.made.items() if name in plan.claims}
        self.figures = {name: one for name, one in self.made.items() if isinstance(one, Figure)}
        self.measurements = {name: one for name, one in self.made.items() if isinstance(one, Measurement)}
        self.drawn = {name: one for name, one in self.measurements.items() if one.kind}
        drawn = {figure.paper for figure in plan.figures if Path(self.notebook_of(figure.paper)).is_file()}
        self.notebooks = sorted(drawn)
        self.papers = [self.folder_of(paper) for paper in plan.papers]
        self.paper_files = [file for paper in plan.papers for file in self.files_of(paper)]

    # Files of the project.

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

    @property
    def league_file(self) -> list[str]:
        """The file of the league; empty if no league is played."""
        return [str(self.root / LEAGUE_FILE)] if self.league_tables else []

    @property
    def findings_file(self) -> list[str]:
        """The file of what was learned across papers; empty if there is none."""
        return [str(self.root / FINDINGS)] if (self.root / FINDINGS).is_file() else []

    # Tables.

    @cached_property
    def run_tables(self) -> list[str]:
        """The run tables of all plays."""
        return [f"{self.report}/runs/{name}.parquet" for name in self.plays]

    @cached_property
    def league_tables(self) -> list[str]:
        """The run tables of the league."""
        return [f"{self.report}/runs/{play.name}.parquet" for arena in self.plan.arenas for play in arena.plays]

    def tables_of(self, figure: Figure) -> list[str]:
        """Return the tables that a figure is made from."""
        return [f"{self.report}/{table}" for table in figure.inputs]

    @cached_property
    def committed(self) -> dict[str, dict[str, Play | Regression]]:
        """What is played for each paper, and for each arena of the league: path of a table below `report` -> its job.

        What is played for readings of headlines is not committed.
        """
        made: dict[str, Play | Regression] = {f"runs/{name}.parquet": play for name, play in self.plays.items()}
        made |= {one.file: one for one in self.plan.regressions.values()}
        found: dict[str, dict[str, Play | Regression]] = {}
        for table in sorted(made):
            found.setdefault(table.split("/")[1], {})[table] = made[table]
        return found

    # What the site shows.

    @cached_property
    def readings_place(self) -> str:
        """The report whose readings the site shows: its own, or that of the run ``readings_of``; empty if none."""
        named = self.config.get("readings_of")
        return self.report if self.curves else f"reports/{named}" if named else ""

    @cached_property
    def readings_shown(self) -> list[str]:
        """The headlines of which the site shows the readings. Those of another run are shown as far as it has them."""
        if self.curves or not Path(self.readings_place, SUMMARIES).exists():
            return list(self.curves)
        headlines = [f"{paper}_{key}" for paper in self.plan.papers for key in self.plan.headlines.get(paper, {})]
        return [name for name in headlines if all(Path(file).exists() for file in self.readings_of(name))]

    def readings_of(self, name: str) -> list[str]:
        """Return the tables of the readings of a headline that is shown."""
        return [f"{self.readings_place}/{TABLES}/{name}{part}" for part in PARTS]

    def readings_read(self, pages: bool = False) -> list[str]:
        """Return the files of readings from which headlines get their words, or what the pages show of them."""
        if not self.readings_shown:
            return []
        found = [f"{self.readings_place}/{SUMMARIES}"]
        for name in self.readings_shown:
            found += self.readings_of(name)
            picture = f"{self.readings_place}/{FIGURES}{name}.svg"
            if pages and (self.curves or Path(picture).is_file()):
                found.append(picture)
        return found

    @cached_property
    def site(self) -> list[str]:
        """The files of the site, the first page first."""
        algorithms = {catalogue.short_name(play.spec.algorithm) for play in self.plays.values()}
        kinds = {name: figure.kind for name, figure in self.figures.items()}
        made = addresses(self.plan.papers, algorithms, kinds, self.readings_shown)
        return [f"{self.report}/{address}" for address in made]

    @cached_property
    def notebook_pages(self) -> list[str]:
        return [f"{self.report}/notebooks/{paper}.html" for paper in self.notebooks]

    @property
    def site_notebooks(self) -> list[str]:
        """The notebooks that the site links to; empty if the configuration turns them off."""
        return self.notebook_pages if self.config["notebooks"] else []

    # Jobs.

    @cached_property
    def jobs(self) -> list[Job]:
        """All jobs that may be asked for."""
        return list(JobList(self).all())

    @cached_property
    def wanted(self) -> list[Job]:
        """The jobs of the run: without the notebooks, if the configuration turns them off."""
        return [job for job in self.jobs if job.rule.name != "notebook" or self.config["notebooks"]]

    @cached_property
    def derived(self) -> list[str]:
        """Every file that is made of run tables, but the pages of the site: figures, tables, verdicts and notebooks."""
        made = [job.outputs for job in self.wanted if job.rule.name not in ("page", "play", "regression")]
        return [output for outputs in made for output in outputs if output.startswith(f"{self.report}/")]

    @cached_property
    def products(self) -> list[str]:
        """What a run makes if no target is named: every file, the first page first.

        Snakemake deletes what a failed job would have made. The page of an earlier run would hide such a gap.
        """
        if self.from_tables:
            return self.derived
        made = [job.outputs for job in reversed(self.wanted) if job.rule.step not in PREPARING]
        return [output for outputs in made for output in outputs]

    def evidence_of(self, made: Collection[Figure | Measurement]) -> list[str]:
        """Return all files of figures and measurements: run tables, tables, and figures.

        Without the run tables, figures that came with the code would pass for made.
        """
        figures = [one for one in made if isinstance(one, Figure)]
        runs = dict.fromkeys(table for one in figures for table in self.tables_of(one))
        drawn, texts = (".svg", ".csv", ".csv.json"), (".csv", ".csv.json", ".md")
        files = [f"figures/{one.name}{ending}" for one in made if one.kind for ending in drawn]
        files += [f"tables/{one.name}{ending}" for one in made for ending in texts]
        files += [f"tables/{one.name}.tex" for one in figures]
        return [*runs, *(f"{self.report}/{file}" for file in files)]
