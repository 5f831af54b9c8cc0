"""The chain through a real Slurm of one node: killed jobs are made again, and the bytes are those of one machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chain import checkout, command, differences

NODE = Path(__file__).with_name("node.sh")
PROFILE = (
    *("--workflow-profile", "profiles/slurm"),
    # A Slurm without accounting, and files that are seen at once.
    *("--slurm-no-account", "--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"),
    *("--seconds-between-status-checks", "1", "--latency-wait", "5"),
)
TOO_LITTLE = 100
"""MB of the first attempt of a job that needs more, with Snakemake, which runs in it."""


class Job(NamedTuple):
    """A job as Slurm remembers it. what: the rule, or the class of the plays that share the job."""

    number: str
    state: str
    megabytes: int
    what: str


class Chain(NamedTuple):
    """A finished run through Slurm."""

    folder: Path
    jobs: list[Job]
    cancelled: str  # the number of the job that was cancelled while it ran


def jobs() -> list[Job]:
    """Return all jobs that Slurm remembers, in the order in which they were submitted."""
    told = ["squeue", "--noheader", "--states=all", "--sort=i", "--noconvert", "--format=%i;%T;%m;%k"]
    rows = [line.split(";") for line in subprocess.check_output(told, text=True).splitlines()]
    return [Job(number, state, int(memory.rstrip("M")), what) for number, state, memory, what in rows]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A Slurm of one node, which runs as long as the tests of this file."""
    missing = [name for name in ("slurmctld", "slurmd", "munged", "sbatch") if shutil.which(name) is None]
    if missing or os.getuid() != 0:
        why = f"{', '.join(missing)} not installed" if missing else "only root can start a Slurm"
        pytest.skip(f"no Slurm on this machine: {why}")
    folder = tmp_path_factory.mktemp("node")
    started = subprocess.run([NODE, "up", folder], capture_output=True, text=True, check=False)
    if started.returncode != 0:
        pytest.skip(f"no Slurm on this machine: {started.stderr.strip()}")
    yield
    subprocess.run([NODE, "down", folder], check=True)


@pytest.fixture(scope="module")
def chain(slurm: None, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Chain:
    """The chain through Slurm: the job of plays is cancelled while it runs, that of regressions has little memory."""
    folder = checkout(root, tmp_path_factory.mktemp("chain") / "slurm")
    told = command(*PROFILE, "--set-resources", f"regression:mem_mb={TOO_LITTLE} * attempt ** 3", cores=1)
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(told, cwd=folder, **streams)
    cancelled, deadline = "", time.monotonic() + 540
    while process.poll() is None and time.monotonic() < deadline and not cancelled:
        running = [job.number for job in jobs() if job.state == "RUNNING" and "plays" in job.what]
        if running and any(folder.glob("artifacts/tiny/logs/play/*/*/*.log")):
            (cancelled,) = running
            subprocess.run(["scancel", cancelled], check=True)
        time.sleep(0.2)
    _, errors = process.communicate(timeout=deadline - time.monotonic())
    assert process.returncode == 0, errors
    return Chain(folder, jobs(), cancelled)


def test_the_bytes_are_those_of_one_machine_although_jobs_were_killed(chain, finished):
    assert differences(finished, chain.folder) == []


def test_a_cancelled_job_is_made_again(chain):
    plays = [(job.number, job.state) for job in chain.jobs if "plays" in job.what]
    assert plays[0] == (chain.cancelled, "CANCELLED")
    assert [state for _, state in plays[1:]] == ["COMPLETED"]


def test_a_job_that_outgrows_its_memory_is_made_again_with_more(chain):
    tried = [job for job in chain.jobs if "regression" in job.what]
    assert [job.megabytes for job in tried] == [TOO_LITTLE * attempt**3 for attempt in range(1, len(tried) + 1)]
    assert len(tried) > 1
    assert [job.state == "COMPLETED" for job in tried] == [False] * (len(tried) - 1) + [True]


def test_plays_of_seconds_share_a_job(chain):
    tables = list(chain.folder.glob("reports/tiny/runs/*/*/*.parquet"))
    completed = [job for job in chain.jobs if "plays" in job.what and job.state == "COMPLETED"]
    assert (len(tables), len(completed)) == (2, 1)
