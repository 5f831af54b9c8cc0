"""What the rules of Snakemake ask: facts about jobs, by the wildcard ``name``, and what every command begins with."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from manybandits.base.exceptions import pick
from manybandits.base.sources import digest_of_texts
from manybandits.planning.record import Job, Rule
from manybandits.planning.resources import Resources, priorities
from manybandits.planning.workflow import Workflow


class Lookup:
    """The jobs of one rule. resources: what they ask for; shared: whether other rules make files in the same folder."""

    def __init__(self, jobs: Sequence[Job], resources: Resources, shared: bool = False) -> None:
        self.rule, self._shared, self._on_gpu = jobs[0].rule, shared, resources.on_gpu
        self._jobs = {job.name: job for job in jobs}
        self._resources = cache(lambda name: resources.of(self._jobs[name]))
        seconds = [resources.model.of_job(job).seconds if job.plays else 0.0 for job in jobs]
        self._priorities = dict(zip(self._jobs, priorities(jobs, seconds), strict=True))
        self.plays = bool(jobs[0].plays)
        self.has_files = any(job.files for job in jobs)

    def job(self, wildcards: Any) -> Job:
        found = self._jobs.get(name := wildcards.get("name", ""))
        return found or self._jobs[pick(name, self._jobs, self.rule.name)]

    @property
    def constraints(self) -> dict[str, str]:
        """What the wildcard may be: names of jobs, where other rules make files in the same folder.

        Elsewhere it may be anything, since Snakemake reads the constraint again for each path.
        """
        names = "|".join(map(re.escape, sorted(self._jobs))) if self._shared else ".+"
        return {"name": names} if self.rule.is_named else {}

    def inputs(self, wildcards: Any) -> list[str]:
        return list(self.job(wildcards).inputs)

    def files(self, wildcards: Any) -> list[str]:
        return list(self.job(wildcards).files)

    def words(self, wildcards: Any, output: Any) -> list[str]:
        return self.job(wildcards).words(str(output[0]))

    def identity(self, wildcards: Any) -> str:
        """Return a digest of what makes a job run again, its words too: Snakemake does not compare those, as they
        depend on where outputs are.
        """
        job = self.job(wildcards)
        return digest_of_texts(job.identity, *job.words())

    def asked(self, what: str) -> Callable[[Any], Any]:
        """Return a function of what a job asks for, a field of `manybandits.planning.resources.Asked`."""
        return lambda wildcards: getattr(self._resources(self.job(wildcards).name), what)

    def priority(self, wildcards: Any) -> float:
        return self._priorities[self.job(wildcards).name]

    @property
    def resources(self) -> dict[str, Callable[..., int]]:
        """What a job asks for as resources of Snakemake; a second attempt asks for twice as much."""

        def growing(what: str) -> Callable[[Any, int], int]:
            return lambda wildcards, attempt: attempt * self.asked(what)(wildcards)

        found: dict[str, Callable[..., int]] = {what: growing(what) for what in ("mem_mb", "runtime", "disk_mb")}
        if self.plays and self._on_gpu:
            found["gpu"] = self.asked("gpus")
        return {**found, "shards": self.asked("shards")}

    def paper(self, wildcards: Any) -> str:
        """Return the paper of a job, which is its category in a report of Snakemake."""
        return self.job(wildcards).paper

    def labels(self, what: str) -> Callable[[Any], dict[str, str]]:
        """Return a function that labels a file in a report of Snakemake."""
        return lambda wildcards: {"what": what, "title": getattr(self.job(wildcards).of, "title", "")}


def lookups(run: Workflow) -> list[Lookup]:
    """Return the jobs of a run, by rule."""
    found: dict[str, list[Job]] = {}
    for job in run.jobs:
        found.setdefault(job.rule.name, []).append(job)
    resources = Resources(run.config)
    folders = Counter(folder for jobs in found.values() for folder in _folders(jobs[0].rule))
    return [
        Lookup(jobs, resources, shared=any(folders[folder] > 1 for folder in _folders(jobs[0].rule)))
        for jobs in found.values()
    ]


def _folders(rule: Rule) -> set[str]:
    """Return the folders of what a rule makes, above the names of its jobs."""
    return {output.partition("{")[0].rpartition("/")[0] for output in rule.outputs}


def shell_prefix(config: Mapping[str, Any]) -> str:
    """Return what finds the Python and the mirror of a configuration.

    Jobs run with the Python that runs Snakemake, whether or not its virtual environment is activated, or with that of a
    container. The mirror is no parameter of a rule: where raw data come from changes no result.
    """
    folder, mirror = shlex.quote(str(Path(sys.executable).parent)), config["data"].get("mirror")
    prefix = f"printenv APPTAINER_CONTAINER > /dev/null || export PATH={folder}:$PATH; "
    return prefix + (f"export MANYBANDITS_MIRROR={shlex.quote(str(mirror))}; " if mirror else "")
