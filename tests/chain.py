"""The whole chain, as small as it goes, in a folder of its own: started, killed, and compared byte by byte.

Tests work in copies of one finished run, the fixture `finished`: a chain takes fifteen seconds of a core.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PLACES = ("Snakefile", "config.yaml", "configs", "profiles", "workflow", "notebooks")
VARIES = (".json", ".html", ".log", ".lock", "cost.csv", "cost.md")
"""What tells seconds and memory."""
CONFIGURATION = Path(__file__).with_name("chain.yaml")
AUDITING = str(Path(__file__).parent / "workflow/audit")
"""A folder of PYTHONPATH whose Python processes tell what they read and write."""
WAYS = ("the whole run", "the run without its jobs", "a job")
"""What is killed."""


def finish(root: Path, folder: Path) -> None:
    """Run the chain on one core in the folder `run` of an empty one; `audit` has what its processes read and wrote."""
    (folder / "audit").mkdir()
    places = [AUDITING, *filter(None, [os.environ.get("PYTHONPATH")])]
    told = {"AUDIT": str(folder / "audit"), "PYTHONPATH": os.pathsep.join(places)}
    done = run(checkout(root, folder / "run"), cores=1, **told)
    assert done.returncode == 0, done.stderr


def checkout(root: Path, folder: Path, configuration: Path = CONFIGURATION) -> Path:
    """Return a folder with the files of the project that a run reads."""
    folder.mkdir(parents=True)
    for place in PLACES:
        (shutil.copytree if (root / place).is_dir() else shutil.copy)(root / place, folder / place)
    shutil.copy(configuration, folder / "configs/chain.yaml")
    return folder


def copied(finished: Path, folder: Path) -> Path:
    """Return a copy of a finished run, with the times of all files."""
    shutil.copytree(finished, folder, symlinks=True)
    return folder


def command(*arguments: str, cores: int = 2) -> list[str]:
    """Return the command that runs the chain. arguments: further options, and after "--" what is made, if not all."""
    told = ["--quiet", "rules", "host", "--configfile", "configs/chain.yaml", "--cores", str(cores)]
    return [sys.executable, "-m", "snakemake", *told, *arguments]


def run(folder: Path, *arguments: str, cores: int = 2, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the chain to its end. environment: variables that are set."""
    told = {"cwd": folder, "env": {**os.environ, **environment}, "capture_output": True, "text": True}
    return subprocess.run(command(*arguments, cores=cores), check=False, **told)


def planned(folder: Path, *arguments: str, **environment: str) -> str:
    """Return what Snakemake says that it would run, job by job; fail if it fails."""
    done = run(folder, "--quiet", "host", "--dry-run", *arguments, cores=1, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def verified(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Make the committed results of the run in a folder again, and compare the bytes. arguments: further options."""
    told = [sys.executable, "-m", "manybandits.planning.verify", "tiny", "--cores", "2", *arguments]
    return subprocess.run(told, cwd=folder, capture_output=True, text=True, check=False)


@contextmanager
def started(folder: Path, cores: int = 2) -> Iterator[subprocess.Popen[str]]:
    """Start the chain in a session of its own, which is killed with all of its jobs in the end."""
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(cores=cores), cwd=folder, text=True, start_new_session=True, **silent)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def results(folder: Path) -> dict[str, bytes]:
    """Return the files that a run made, of which no two runs may differ: path -> content."""
    files = [*folder.glob("artifacts/**/*"), *folder.glob("reports/**/*")]
    kept = [path for path in files if path.is_file() and not path.name.endswith(VARIES)]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept if not path.name.startswith(".")}


def differences(one: Path, two: Path) -> list[str]:
    """Return the files that two runs do not have with the same bytes."""
    first, second = results(one), results(two)
    return sorted(name for name in {*first, *second} if first.get(name) != second.get(name))


def jobs_of(process: subprocess.Popen[str]) -> list[int]:
    """Return the processes of the jobs of a run: all of its session but itself."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and int(place.name) != process.pid:
            try:
                if os.getsid(int(place.name)) == process.pid:
                    found.append(int(place.name))
            except (ProcessLookupError, PermissionError):
                continue
    return found


def kill(process: subprocess.Popen[str], way: str, chance: random.Random) -> None:
    """Kill by SIGKILL what is one of `WAYS`."""
    jobs = jobs_of(process)
    if way == "a job" and jobs:
        os.kill(chance.choice(jobs), signal.SIGKILL)
    elif way == "the run without its jobs":
        process.kill()
        process.wait()
    else:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def disturbed(folder: Path, waits: Iterable[float], chance: random.Random, cores: int = 2) -> dict[str, int]:
    """Run the chain, and kill something of it after each of some waits, in seconds; return how often what was killed.

    A run that was killed, or failed because of it, is started again, with all that it had made, until one succeeds or
    there are no more waits.
    """
    killed, waits, ended = dict.fromkeys(WAYS, 0), iter(waits), None
    while ended != 0:
        with started(folder, cores) as process:
            for wait in waits:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(wait)
                if process.poll() is not None:
                    break
                way = chance.choice(WAYS)
                with suppress(ProcessLookupError):  # it ended in this moment
                    kill(process, way, chance)
                    killed[way] += 1
                if way != "a job":  # all other jobs go on
                    break
            else:
                return killed
            ended = process.poll()
    return killed
