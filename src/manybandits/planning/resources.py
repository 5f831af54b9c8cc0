"""What the jobs of a run ask of a machine or a cluster: memory, run time, disk, threads, and which share a job.

All of it follows from `manybandits.planning.cost_model`. Whoever asks for too little is killed, and asks for more when
it is tried again; whoever asks for too much waits longer in a queue. So the margins are wide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from manybandits.planning.batches import LONGEST
from manybandits.planning.cost_model import MEASURED, START, CostModel, stages_of
from manybandits.planning.record import Job

PLAY_MEMORY = 2000
"""MB that a play takes at most beside the states of its replicas: the interpreter, numba, torch, and the game."""
MEMORY_MARGIN = 1.5
"""By how much memory is asked for than was measured."""
SNAKEMAKE = 600
"""MB of Snakemake itself, which runs twice within every job on a cluster."""
TIME_MARGIN, UNSURE_MARGIN = 5, 25
"""By how much more time is asked for than plays cost that were measured, and those that were not: machines differ, and
so do rounds early and late in a play."""
SHORTEST = 5
"""Minutes that every play may take besides, in which it may have to compile its algorithm."""
CLASSES = (64, 32, 16, 8, 4)
"""Seconds of plays, their start included. On a cluster, as many plays of a class share a job as take two minutes."""
TOGETHER = 120
"""Seconds from which a play has a job of its own."""
FIRST = 10**9
"""The priority of jobs that play nothing. They take seconds, and others wait for what they make."""
COMPILING = 10**6
"""What is added to the priority of the dearest play of an algorithm, which compiles it."""


class Asked(NamedTuple):
    """What a job asks for. What is tried again asks for a multiple of the first three.

    runtime: in minutes; shards: into how many a play is split; threads: the cores of a play, one for each shard at
    least, of which Snakemake gives it no more than the run has; group: the class of a play of which several share a job
    on a cluster, None for one that takes minutes.
    """

    mem_mb: int
    runtime: int
    disk_mb: int
    shards: int = 1
    gpus: int = 0
    threads: int = 1
    group: str | None = None


class Resources:
    """The resources of all jobs. config: of the run."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.most_threads = int(config["threads"])
        self.most_memory = PLAY_MEMORY + int(config["memory"]) // 2**20
        self.on_gpu = config["device"] != "cpu"
        self.model = CostModel()

    def of(self, job: Job) -> Asked:
        """Return what a job asks for: a play for what was measured with a margin, but for no memory it can never take.

        Networks on a GPU take one whole, and are not split.
        """
        if not job.plays:
            return Asked(*self.model.limits_of_step(job.rule.step))
        cost, neural = self.model.of_job(job), any(one.batched for one in job.plays)
        gpus = int(self.on_gpu and neural)
        shards = 1 if gpus else shards_of(job, cost.seconds)
        margin = TIME_MARGIN if cost.level <= MEASURED else UNSURE_MARGIN
        processes = shards if neural else 1  # others share the memory of one
        return Asked(
            mem_mb=SNAKEMAKE + processes * min(self.most_memory, math.ceil(MEMORY_MARGIN * cost.memory_mb)),
            runtime=SHORTEST + math.ceil(margin * cost.seconds / 60),
            disk_mb=1 + math.ceil(cost.disk_mb),
            shards=shards,
            gpus=gpus,
            threads=max(min(self.most_threads, _replicas(job)), shards),
            group=_group(START + cost.seconds),
        )


def _group(seconds: float) -> str | None:
    """Return the class of plays that take so long. ``profiles/slurm`` says how many of a class share a job."""
    return f"plays_{next(low for low in CLASSES if seconds >= low)}s" if seconds < TOGETHER else None


def priorities(jobs: Sequence[Job], seconds: Sequence[float]) -> list[float]:
    """Return the priority of each job, given the seconds that it takes: of those that could start, the highest does.

    What plays nothing comes first. Then comes the dearest play of each algorithm on each kind of game, which compiles
    it: side by side they would wait for one another. Of all others the dearest come first, so that none is left alone.
    """
    found = [round(taken, 3) if job.plays else FIRST for job, taken in zip(jobs, seconds, strict=True)]
    compiled = set()
    for place in sorted(range(len(jobs)), key=lambda place: -found[place]):
        kernels = {(play.spec.algorithm, play.environment.module) for play in jobs[place].plays}
        if kernels - compiled:
            compiled |= kernels
            found[place] += COMPILING
    return found


def shards_of(job: Job, seconds: float) -> int:
    """Return into how many shards of about `LONGEST` seconds plays are split: no more than they have replicas."""
    return min(max(math.ceil(seconds / LONGEST), 1), _replicas(job))


def _replicas(job: Job) -> int:
    """Return how many replicas a job plays at once."""
    return max((count for one in job.plays for count, _ in stages_of(one).values()), default=1)
