"""The jobs of a rule as Snakemake asks for them: by the wildcard ``name``, one fact at a time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from manybandits.base.exceptions import pick
from manybandits.base.sources import digest_of_texts
from manybandits.planning.record import Job, Rule
from manybandits.planning.resources import Resources
from manybandits.planning.workflow import Run


class Lookup:
    """The jobs of one rule. resources: what they ask for; shared: whether other rules make files in the same folder."""

    def __init__(self, jobs: Sequence[Job], resources: Resources, shared: bool = False) -> None:
        self.rule, self._resources, self._shared = jobs[0].rule, resources, shared
        self._jobs = {job.name: job for job in jobs}
        self.asked = cache(lambda name: resources.asked(self._jobs[name]))
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

    def threads(self, wildcards: Any) -> int:
        return self._resources.threads(self.job(wildcards))

    def shards(self, wildcards: Any) -> int:
        return self._resources.shards(self.job(wildcards))

    def gpus(self, wildcards: Any) -> int:
        return self._resources.gpus(self.job(wildcards))

    def group(self, wildcards: Any) -> str | None:
        return self._resources.group(self.job(wildcards))

    @property
    def resources(self) -> dict[str, Callable[..., int]]:
        """What a job asks for; a second attempt asks for twice as much."""

        def growing(kind: str) -> Callable[[Any, int], int]:
            return lambda wildcards, attempt: attempt * self.asked(wildcards.get("name", ""))[kind]

        found = {kind: growing(kind) for kind in ("mem_mb", "runtime", "disk_mb")}
        if not self.plays:
            return found
        return {**found, "shards": self.shards, **({"gpu": self.gpus} if self._resources.on_gpu else {})}

    def paper(self, wildcards: Any) -> str:
        """Return the paper of a job, which is its category in a report of Snakemake."""
        return self.job(wildcards).paper

    def labels(self, what: str) -> Callable[[Any], dict[str, str]]:
        """Return a function that labels a file in a report of Snakemake."""
        return lambda wildcards: {"what": what, "title": getattr(self.job(wildcards).of, "title", "")}


def lookups(run: Run) -> list[Lookup]:
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
