"""What the rules of the workflow ask of a plan: where files are, what scripts are given, what a job depends on.

Rule files hold rules and nothing else. All that they share is one `Run`, which ``workflow/rules/common.smk`` makes.
Methods that take wildcards are functions of a rule, called for each of its jobs.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from manybandits import datasets
from manybandits.base.configuration import overlay
from manybandits.base.sources import digest, words
from manybandits.planning.jobs import Environment, Play
from manybandits.planning.league import FILE as LEAGUE_FILE
from manybandits.planning.plan import Figure, Measurement, Plan

TIDY = {
    "ratings": "ratings.parquet",
    "graph": "edges.parquet",
    "tags": "user_artists.parquet",
    "rows": "rows.parquet",
    "images": "images.npz",
    "log": "log.npz",
}
"""The tidy table of a data set of each kind."""
PLAY_MEMORY = 2000
"""MB that a play takes beside the states of its replicas: the interpreter, numba, torch, and the game."""
LEAGUE = "league"
COST = "cost"


class Run:
    """The files and jobs of a configuration's run.

    data, work, report: the folders of data, which all runs share, of run tables, and of what is for people. page: the
    first page of the site. plan: what is played, drawn and judged.
    """

    def __init__(self, plan: Plan, config: Mapping[str, Any]) -> None:
        self.plan, self.config = plan, config
        self.data = "artifacts/data"
        self.work = f"artifacts/{plan.name}"
        self.report = f"reports/{plan.name}"
        self.page = f"{self.report}/index.html"
        self.environments: dict[str, Environment] = plan.environments
        self.plays: dict[str, Play] = plan.plays
        self.regressions = plan.regressions
        self.judged = plan.judged
        self.figures = {figure.name: figure for figure in plan.figures}
        self.measurements = {measurement.name: measurement for measurement in plan.measurements}
        self.made: dict[str, Figure | Measurement] = {**self.figures, **self.measurements}
        self.notebooks = sorted({figure.paper for figure in plan.figures})
        self.papers = [f"workflow/papers/{paper}.yaml" for paper in plan.papers]

    digest = staticmethod(digest)

    @property
    def shell_prefix(self) -> str:
        """What stands before every command.

        Jobs run with the Python that runs Snakemake, whether or not its virtual environment is activated, and in a
        container with that of the container. The mirror is no parameter of a rule: where raw data come from changes no
        result.
        """
        mirror = self.config["data"].get("mirror")
        folder = shlex.quote(str(Path(sys.executable).parent))
        prefix = f'[ "${{{{APPTAINER_CONTAINER:-}}}}" ] || export PATH={folder}:$PATH; '
        return prefix + (f"export MANYBANDITS_MIRROR={shlex.quote(str(mirror))}; " if mirror else "")

    @cached_property
    def constraints(self) -> dict[str, str]:
        """Return what each wildcard may be."""
        used = {name for environment in self.environments.values() for name in environment.datasets}
        allowed = {
            "dataset": used,
            "table": TIDY.values(),
            "environment": self.environments,
            "figure": self.figures,
            "measurement": self.measurements,
            "judged": self.judged,
            "regression": self.regressions,
            "notebook": self.notebooks,
        }
        return {wildcard: "|".join(sorted(names)).replace(".", r"\.") or "none" for wildcard, names in allowed.items()}

    # Data, games and plays.

    def tidy_tables(self, wildcards: Any) -> list[str]:
        """Return the tidy tables that a game is frozen from."""
        used = self.environments[wildcards.environment].datasets
        return [f"{self.data}/tidy/{name}/{TIDY[datasets.load(name).DATASET.kind]}" for name in used]

    def play_of(self, wildcards: Any) -> Play:
        return self.plays[f"{wildcards.paper}/{wildcards.environment}/{wildcards.algorithm}"]

    def play_command(self, wildcards: Any) -> list[str]:
        """Return the module that is run, and its arguments. The device is one of neural plays alone."""
        play = self.play_of(wildcards)
        return [play.module, *play.arguments(), *(["--device", self.config["device"]] if play.batched else [])]

    def play_memory(self, wildcards: Any, attempt: int) -> int:
        """Return the MB of a play; more where it is tried again."""
        return attempt * (PLAY_MEMORY + int(self.config["memory"]) // 2**20)

    # Figures, tables and verdicts.

    def runs_of(self, wildcards: Any) -> list[str]:
        """Return the tables that a figure is made from."""
        return [f"{self.work}/{table}" for table in self.figures[wildcards.figure].made_from]

    def drawing_of(self, wildcards: Any) -> str:
        """Return the module that draws a figure."""
        return f"manybandits.figures.{self.figures[wildcards.figure].kind}"

    def tabulation_of(self, wildcards: Any) -> str:
        """Return the module that makes the table of a figure."""
        return f"manybandits.tables.{self.figures[wildcards.figure].table}"

    def paper_of(self, wildcards: Any) -> str:
        """Return the paper of what is made: the category that it is sorted by in a report of Snakemake."""
        return self.made[wildcards[0]].paper

    def labels(self, what: str) -> Callable[[Any], dict[str, str]]:
        """Return what labels a file that is made, in a report of Snakemake."""
        return lambda wildcards: {"what": what, "title": self.made[wildcards[0]].title}

    def evidence_of(self, made: Collection[Figure | Measurement]) -> list[str]:
        """Return the files that stand for figures and measurements: run tables, tables, figures in their formats.

        Without the run tables, figures that came with the code would pass for made.
        """
        figures = [one for one in made if isinstance(one, Figure)]
        measured = [f"{self.report}/tables/{one.name}.csv" for one in made if isinstance(one, Measurement)]
        runs = dict.fromkeys(f"{self.work}/{table}" for figure in figures for table in figure.made_from)
        files = {"figures": ("png", "svg", "csv"), "tables": ("csv", "md", "tex")}
        return [*runs, *measured] + [
            f"{self.report}/{folder}/{figure.name}.{ending}"
            for figure in figures
            for folder, endings in files.items()
            for ending in endings
        ]

    def judged_on(self, wildcards: Any) -> list[str]:
        """Return the tables that a verdict rests on: run tables, tables of errors, or a table of its own."""
        one = self.judged[wildcards.judged]
        if isinstance(one, Measurement) or not (one.plays or any(table.sweeps for table in one.regressions)):
            return [f"{self.report}/tables/{one.name}.csv"]
        return [f"{self.work}/{table}" for table in one.made_from]

    def claims_about(self, wildcards: Any) -> str:
        """Return the claims about what is judged, without the reasons why they did not come out, which change nothing.

        With the scale and the data that the paper states: an edit of them judges again, and makes nothing else.
        """
        one = self.judged[wildcards.judged]
        name = f"{one.paper}_{one.experiment}"
        return repr(([replace(claim, because="") for claim in self.plan.claims[name]], self.plan.scales[name]))

    @cached_property
    def all_claims(self) -> str:
        return repr(self.plan.claims)

    @cached_property
    def omitted(self) -> list[str]:
        """The experiments that are left out, with the reasons, as arguments."""
        return [f"{one.name}={one.reason}" for one in self.plan.omissions]

    # The cost of all plays, the league, the notebooks and the site.

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
        """The file of the league, where one is played."""
        return [LEAGUE_FILE] if self.league_tables else []

    @cached_property
    def figure_stems(self) -> list[str]:
        """The figures of the site, without their endings."""
        return [f"{self.report}/figures/{name}" for name in (*self.figures, *self._league)]

    @cached_property
    def table_stems(self) -> list[str]:
        """The tables of the site, without their endings."""
        return [f"{self.report}/tables/{name}" for name in (*self.made, *self._cost, *self._league)]

    @cached_property
    def site_evidence(self) -> list[str]:
        """All that the site shows, without verdicts and notebooks."""
        overall = [f"{self.report}/tables/{name}.csv" for name in self._cost]
        overall += [f"{self.report}/{kind}/{name}.csv" for kind in ("figures", "tables") for name in self._league]
        return self.evidence_of(self.made.values()) + overall

    @cached_property
    def site_notebooks(self) -> list[str]:
        """The notebooks that the site links to: none, where the configuration wants none."""
        return self.notebook_pages if self.config["notebooks"] else []

    @cached_property
    def notebook_pages(self) -> list[str]:
        return [f"{self.report}/notebooks/{paper}.html" for paper in self.notebooks]

    @cached_property
    def site_sources(self) -> str:
        """Digest of the sources of the site, and of the words of algorithms, with which their pages begin."""
        from manybandits.report.looks import digest as looks_digest

        modules = sorted({play.module for play in self.plays.values()})
        return digest("manybandits.report.site") + looks_digest() + words(*modules)

    def scale_of(self, paper: str) -> list[str]:
        """Return the settings that replace those of a paper, in words, as arguments; none where none do."""
        own = self.config.get("per_paper", {}).get(paper, {})
        given = overlay(self.config, own).get("settings", {})
        scale = ", ".join(f"{name} {value}" for name, value in given.items() if name != "grid")
        return ["--scale", scale] if scale else []

    @property
    def _cost(self) -> list[str]:
        return [COST] if self.plays else []

    @property
    def _league(self) -> list[str]:
        return [LEAGUE] if self.league_tables else []
