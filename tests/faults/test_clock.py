"""A clock that went backwards: a run names the file that is dated in the future, and `repair` mends it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tests.chain import copied, differences, run


def test_files_dated_tomorrow_are_named_and_mended_with_the_same_bytes(finished, tmp_path):
    folder = copied(finished, tmp_path / "tomorrow")
    tomorrow = time.time() + 86_400
    for path in (folder / "reports/tiny/runs").rglob("*.parquet"):
        os.utime(path, (tomorrow, tomorrow))
    (folder / "reports/tiny/figures/meta_ban_fig1.svg").unlink()
    done = run(folder)
    assert done.returncode == 1
    assert "parquet is dated in the future, so the clock went back: `manybandits repair` dates it" in done.stderr
    repair = [sys.executable, "-m", "manybandits", "repair"]
    said = subprocess.run(repair, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert "2 files mended" in said
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert differences(finished, folder) == []
    again = run(folder)
    assert "Nothing to be done" in again.stdout + again.stderr
