"""Full and read-only disks: a run says so, in every stage, and goes on with the same bytes once there is space."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.chain import checkout, copied, differences, run

STAGES = (
    "/data/tidy/",
    "/data/environments/",
    "/tiny/runs/meta_ban/meta-ban",
    "/tiny/regressions/",
    "/reports/tiny/figures/",
    "/reports/tiny/tables/",
    "/reports/tiny/verdicts/",
    "/reports/tiny/papers/",
)
"""Words in the paths of what each stage writes, from the first to the last."""
FULL = str(Path(__file__).parent / "full")


def full(stages: str) -> dict[str, str]:
    """Return the variables with which what these stages write finds no space."""
    places = [FULL, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"FULL_DISK": stages, "PYTHONPATH": os.pathsep.join(places)}


def without(folder: Path, *words: str) -> Path:
    """Delete all files of a run whose path holds one of some words; return the folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and any(word in str(path) for word in words):
            path.unlink()
    return folder


def test_a_disk_that_is_full_in_any_stage_is_named_and_nothing_is_lost(finished, root, tmp_path, long):
    """The long form goes through all stages of a new run, the short one through two of a run that has all else."""
    folder = checkout(root, tmp_path / "full") if long else copied(finished, tmp_path / "full")
    for stages in [[stage] for stage in STAGES] if long else [[STAGES[2], STAGES[5]]]:
        without(folder, *stages)  # of a new run, what an earlier one wrote although it had not reached this stage
        done = run(folder, **full(",".join(stages)))
        said = done.stdout + done.stderr
        assert done.returncode == 1
        assert re.search(
            r"jobs? failed:\n  \w+(, \w+)*: \S+: No space left on device: free space on that disk", said
        ), said
        assert "Traceback" not in said
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert differences(finished, folder) == []


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """Mount a file system in memory; skip the test where it may not."""
    folder.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "test", folder], capture_output=True).returncode:
        pytest.skip("this test needs to mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_disk_that_is_too_small_ends_with_the_same_bytes_once_it_is_larger(finished, root, tmp_path, long):
    with mounted(tmp_path / "disk", "size=64m") as disk:
        made = checkout(root, disk / "run") if long else copied(finished, disk / "run")
        folder = made if long else without(made, "/tiny/figures/", "/tiny/tables/")
        used = sum(path.stat().st_blocks * 512 for path in disk.rglob("*"))
        for more in (300_000, 700_000, 1_500_000) if long else (150_000,):
            size = f"remount,size={used + more}"
            subprocess.run(["mount", "-o", size, disk], check=True)
            done = run(folder)
            said = done.stdout + done.stderr
            assert done.returncode != 0
            assert "No space left on device" in said
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        done = run(folder)
        assert done.returncode == 0, done.stderr
        assert differences(finished, folder) == []


def test_a_folder_that_is_read_only_is_named(finished, tmp_path):
    with mounted(tmp_path / "disk", "size=64m") as disk:
        folder = copied(finished, disk / "run")
        (folder / "reports/tiny/index.html").unlink()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        done = run(folder)
        assert done.returncode != 0
        assert "Read-only file system" in done.stderr


def play(*arguments: str, limit: str = "") -> subprocess.CompletedProcess[str]:
    """Play ten rounds. limit: arguments of ulimit."""
    command = [sys.executable, "-m", "manybandits", "play", "random", "--game", "synthetic", "--horizon", "10"]
    if limit:
        command = ["bash", "-c", f'ulimit {limit}; exec "$@"', "bash", *command]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("/dev/null/a/run.parquet", r"/dev/null/a/run.parquet cannot be written \(Not a directory\)"),
        ("{folder}", "give a name that ends"),
    ],
)
def test_a_place_that_cannot_be_written_is_named_before_the_play(out, words, tmp_path):
    done = play("--out", out.format(folder=tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert re.match(rf"error: .*{words}", done.stderr)


def test_a_file_that_may_not_grow_is_named_and_the_old_one_stays(tmp_path):
    out = tmp_path / "run.parquet"
    assert play("--out", str(out)).returncode == 0
    before = out.read_bytes()
    done = play("--out", str(out), limit="-f 4")
    assert done.returncode == 2
    assert "File too large: allow larger files (ulimit -f), and run again." in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_bytes() == before
