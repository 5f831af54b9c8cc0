"""The files and jobs of the readings of headlines, which the rules in ``workflow/rules/readings.smk`` share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from manybandits.planning.plan import Plan
from manybandits.results.readings_table import FIGURES, PARTS, SUMMARIES, TABLES


class Readings:
    """What is played and judged for the readings of headlines. data, work, report: the folders of the run.

    curves: the headlines whose readings are made. If nothing is played, those whose verdicts are committed: a run takes
    hours, so that its headlines are saved one after the other.
    """

    def __init__(self, plan: Plan, config: Mapping[str, Any], data: str, work: str, report: str) -> None:
        self.config, self.data, self.work, self.report = config, data, work, report
        self.committed = f"reports/{plan.name}/{TABLES}"
        self.folder = f"{report}/{TABLES}"
        curves = {curve.name.removeprefix("readings_"): curve for curve in plan.curves}
        if config["from_packs"]:
            curves = {name: one for name, one in curves.items() if Path(f"{self.committed}/{name}.csv").is_file()}
        self.curves = curves
        self.headlines = [f"{paper}_{key}" for paper in plan.papers for key in plan.headlines.get(paper, {})]
        self.batches = plan.batches
        self.regressions = {one.name: one for curve in curves.values() for one in curve.regressions}
        self.batch_of = {play.name: name for name, batch in self.batches.items() for play in batch.plays}

    @cached_property
    def summaries(self) -> list[str]:
        """The table with one row a headline; none if no readings are played."""
        return [f"{self.report}/{SUMMARIES}"] if self.curves else []

    @cached_property
    def derived(self) -> list[str]:
        """The tables and figures of all readings."""
        tables = [f"{self.folder}/{name}{part}" for name in self.curves for part in PARTS]
        endings = "svg", "csv", "csv.json"
        figures = [f"{self.report}/figures/readings_{name}.{ending}" for name in self.curves for ending in endings]
        csv = [*tables, *self.summaries]
        return [*csv, *(f"{table}.json" for table in csv), *figures]

    # What the site shows.

    @cached_property
    def place(self) -> str:
        """The report whose readings the site shows: its own, or that of the run ``readings_of``; empty if none."""
        if self.curves:
            return self.report
        return f"reports/{self.config['readings_of']}" if self.config.get("readings_of") else ""

    @cached_property
    def shown(self) -> list[str]:
        """The headlines of which the site shows the readings. Those of another run are shown as far as it has them."""
        if self.curves or not self.place or not Path(f"{self.place}/{SUMMARIES}").exists():
            return list(self.curves)
        return [name for name in self.headlines if all(Path(file).exists() for file in self._files_of(name))]

    @cached_property
    def site_inputs(self) -> list[str]:
        """The files that the site reads of them."""
        files = [file for name in self.shown for file in self._files_of(name)]
        return [f"{self.place}/{SUMMARIES}", *files] if files else []

    @cached_property
    def judged(self) -> list[str]:
        """The summary and the tables of set-ups from which headlines get their words."""
        tables = [f"{self.place}/{TABLES}/{name}.csv" for name in self.shown]
        return [f"{self.place}/{SUMMARIES}", *tables] if tables else []

    @cached_property
    def site_arguments(self) -> list[str]:
        """What the site is told of them. A report that has none is named, too, so that the site can say so."""
        return ["--readings-of", self.place, "--readings", *self.shown] if self.place else []

    def _files_of(self, name: str) -> list[str]:
        """Return the tables of the readings of a headline, and their picture; another run's only if it is there."""
        picture = f"{self.place}/{FIGURES}{name}.svg"
        drawn = [picture] if self.curves or Path(picture).is_file() else []
        return [*(f"{self.place}/{TABLES}/{name}{part}" for part in PARTS), *drawn]

    # What rules ask.

    @cached_property
    def config_text(self) -> str:
        """The whole configuration as JSON, from which readings are planned again."""
        return json.dumps(self.config, default=str, sort_keys=True)

    def games_of(self, wildcards: Any) -> list[str]:
        """Return the frozen games of a batch that are made of data."""
        return [f"{self.data}/environments/{game.name}.npz" for game in self.batches[wildcards.batch].frozen]

    def batch_arguments(self, wildcards: Any) -> list[str]:
        """Return what is played in a batch. Only neural plays have the argument ``--device``."""
        batch = self.batches[wildcards.batch]
        return [*batch.arguments(), *(["--device", self.config["device"]] if batch.neural else [])]

    def batches_of(self, wildcards: Any) -> list[str]:
        """Return the packed run tables of the readings of a headline."""
        needed = dict.fromkeys(self.batch_of[play.name] for play in self.curves[wildcards.curve].plays)
        return [f"{self.work}/batches/{name}.parquet" for name in needed]

    def errors_of(self, wildcards: Any) -> list[str]:
        """Return the tables of errors of the readings of a headline."""
        return [f"{self.work}/{one.file}" for one in self.curves[wildcards.curve].regressions]

    def headline_of(self, wildcards: Any) -> str:
        """Return the headline of a curve: ``m_cnb.recommendation``."""
        curve = self.curves[wildcards.curve]
        return f"{curve.paper}.{curve.headline}"
