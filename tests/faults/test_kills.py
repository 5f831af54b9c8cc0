"""Runs and jobs that are killed at random moments: started again, they end with the same bytes."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys

from tests.chain import WAYS, checkout, copied, differences, disturbed, run

LONGEST = 12.0
"""Seconds after which something is killed at the latest: a third of the chain, so that several kills hit one run."""


def test_runs_killed_at_random_moments_end_with_the_same_bytes(finished, root, tmp_path, long):
    chance, wanted = random.Random(24), 20 if long else 3
    killed = dict.fromkeys(WAYS, 0)
    while sum(killed.values()) < wanted:
        folder = checkout(root, tmp_path / "killed")
        kills = min(4, wanted - sum(killed.values()))
        for way, count in disturbed(folder, (chance.uniform(2.0, LONGEST) for _ in range(kills)), chance).items():
            killed[way] += count
        done = run(folder)
        assert done.returncode == 0, done.stderr
        assert differences(finished, folder) == []
        shutil.rmtree(folder)
    print(killed)


def test_what_killed_jobs_left_is_deleted_by_repair(finished, tmp_path):
    folder = copied(finished, tmp_path / "left")
    left = folder / "reports/tiny/runs/.club-ab12_z9q.parquet"
    left.write_bytes(b"PAR1")
    command = [sys.executable, "-m", "manybandits", "repair"]
    said = subprocess.run([*command, "--dry-run"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert "a job that was killed left it" in said
    assert left.exists()
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    assert not left.exists()
    assert differences(finished, folder) == []
