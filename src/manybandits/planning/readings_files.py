"""The files and jobs of the readings of headlines, which the rules in ``workflow/rules/readings.smk`` share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from manybandits.planning.plan import Plan

PARTS = ".csv", ".choices.csv"
"""The endings of the tables of a headline: its readings, and what each choice explains."""


class Readings:
    """What is played and judged for the readings of headlines. work, report: the folders of the run."""

    def __init__(self, plan: Plan, config: Mapping[str, Any], work: str, report: str) -> None:
        self.config, self.work, self.report = config, work, report
        self.committed = f"reports/{plan.name}/readings"
        self.folder = f"{report}/readings"
        self.curves = {curve.name.removeprefix("readings_"): curve for curve in plan.curves}
        self.batches = plan.batches
        self.regressions = {one.name: one for curve in plan.curves for one in curve.regressions}
        self.batch_of = {play.name: name for name, batch in self.batches.items() for play in batch.plays}

    @cached_property
    def summaries(self) -> list[str]:
        """The table with one row a headline; none if no readings are played."""
        return [f"{self.report}/readings.csv"] if self.curves else []

    @cached_property
    def derived(self) -> list[str]:
        """The tables and figures of all readings."""
        tables = [f"{self.folder}/{name}{part}" for name in self.curves for part in PARTS]
        endings = "png", "svg", "csv", "csv.json"
        figures = [f"{self.report}/figures/readings_{name}.{ending}" for name in self.curves for ending in endings]
        csv = [*tables, *self.summaries]
        return [*csv, *(f"{table}.json" for table in csv), *figures]

    @cached_property
    def config_text(self) -> str:
        """The whole configuration as JSON, from which readings are planned again."""
        return json.dumps(self.config, default=str, sort_keys=True)

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
