"""What the jobs of a run ask of a machine or a cluster: memory, run time, disk, threads, and which share a job.

All of it follows from `manybandits.planning.cost_model`. Whoever asks for too little is killed, and asks for more when
it is tried again; whoever asks for too much waits longer in a queue. So the margins are wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from manybandits.planning.batches import Batch
from manybandits.planning.cost_model import MEASURED, START, Cost, CostModel, stages_of
from manybandits.planning.jobs import Play

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

Asked = Callable[[Any, int], int]
"""What Snakemake calls with the wildcards of a job and the number of the attempt."""


class Resources:
    """The resources of all jobs. plays: of the run; batches: those of readings; config: of the run."""

    def __init__(self, plays: Mapping[str, Play], batches: Mapping[str, Batch], config: Mapping[str, Any]) -> None:
        self.plays, self.batches = plays, batches
        self.most_threads = int(config["threads"])
        self.most_memory = PLAY_MEMORY + int(config["memory"]) // 2**20
        self.model = CostModel()

    def of_step(self, rule: str) -> dict[str, Asked]:
        """Return the resources of a rule that plays nothing; a second attempt asks for twice as much."""
        return {name: _growing(amount) for name, amount in self.model.limits_of_step(rule).items()}

    @property
    def of_plays(self) -> dict[str, Asked]:
        """The resources of a play, or of a batch of plays."""
        return {"mem_mb": self.memory, "runtime": self.runtime, "disk_mb": self.disk}

    def memory(self, wildcards: Any, attempt: int) -> int:
        """Return the memory of a play in MB: what was measured with a margin, but no more than it can ever take."""
        play = min(self.most_memory, math.ceil(MEMORY_MARGIN * self._cost(wildcards).memory_mb))
        return attempt * (SNAKEMAKE + play)

    def runtime(self, wildcards: Any, attempt: int) -> int:
        """Return the minutes of a play: what it is estimated to cost, with a margin."""
        cost = self._cost(wildcards)
        margin = TIME_MARGIN if cost.level <= MEASURED else UNSURE_MARGIN
        return attempt * (SHORTEST + math.ceil(margin * cost.seconds / 60))

    def disk(self, wildcards: Any, attempt: int) -> int:
        """Return the disk of a play in MB."""
        return attempt * (1 + math.ceil(self._cost(wildcards).disk_mb))

    def threads(self, wildcards: Any) -> int:
        """Return the threads of a play: no more than it has replicas to play at once."""
        job = self._job(wildcards)
        plays = job.plays if isinstance(job, Batch) else (job,)
        replicas = max(count for play in plays for count, _ in stages_of(play).values())
        return min(self.most_threads, replicas)

    def group(self, wildcards: Any) -> str | None:
        """Return the class of a play, of which several share a job on a cluster; None for one that takes minutes.

        ``profiles/slurm`` says how many plays of a class share a job. Snakemake groups nothing on one machine.
        """
        seconds = START + self._cost(wildcards).seconds
        return None if seconds >= TOGETHER else f"plays_{next(low for low in CLASSES if seconds >= low)}s"

    def _job(self, wildcards: Any) -> Play | Batch:
        if hasattr(wildcards, "batch"):
            return self.batches[wildcards.batch]
        return self.plays[f"{wildcards.paper}/{wildcards.environment}/{wildcards.algorithm}"]

    def _cost(self, wildcards: Any) -> Cost:
        job = self._job(wildcards)
        return self.model.of_batch(job) if isinstance(job, Batch) else self.model.of_play(job)


def _growing(amount: int) -> Asked:
    return lambda wildcards, attempt: attempt * amount
