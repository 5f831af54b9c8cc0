"""A failed run says why, once and at the end, and does not pass for a finished one; what is missing is made again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from manybandits.base.configuration import overlay, read_yaml
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.workflow import Workflow
from tests.chain import CONFIGURATION, copied, differences, results, run

GAME = "artifacts/data/environments/meta-ban-paper-embedded-ratings.npz"
PLAY = "reports/tiny/runs/meta_ban/meta-ban-paper-embedded-ratings/random.parquet"


def repair(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "manybandits", "repair", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_run_asks_for_every_file_that_it_makes(finished, root):
    content = overlay(read_yaml(root / "config.yaml"), read_yaml(CONFIGURATION))
    asked = set(Workflow(load_plan(content, root, finished), content).products)
    made = {str(path.relative_to(finished)) for path in finished.glob("reports/**/*") if path.is_file()}
    made |= {name for name in results(finished) if name.startswith("artifacts/tiny/")}
    assert made <= asked
    assert all((finished / file).is_file() for file in asked)


def test_a_target_that_a_run_lacks_is_named_with_the_nearest_before_a_job_starts(finished):
    done = run(finished, "--dry-run", "--", "rmbandit_fig3")
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "unknown target of this configuration 'rmbandit_fig3': did you mean 'rmbandit_fig1'?" in said
    assert "No rule" not in said


def test_what_was_deleted_is_made_again_with_the_same_bytes(finished, tmp_path):
    folder = copied(finished, tmp_path / "gaps")
    shutil.rmtree(folder / "reports/tiny/papers")
    for name in ("figures/meta_ban_fig1.csv.json", "tables/rmbandit_fig1.tex", "verdicts.jsonl", "assets/site.css"):
        (folder / "reports/tiny" / name).unlink()
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert differences(finished, folder) == []
    assert (folder / "reports/tiny/papers/meta_ban.html").is_file()
    assert (folder / "reports/tiny/figures/meta_ban_fig1.csv.json").is_file()


def test_a_failed_run_says_why_once_at_the_end_fails_again_and_is_mended_by_repair(finished, tmp_path):
    folder = copied(finished, tmp_path / "failed")
    game = bytearray((folder / GAME).read_bytes())
    game[len(game) // 2] ^= 1
    (folder / GAME).write_bytes(game)
    for path in (folder / PLAY).parent.glob("*"):
        path.unlink()
    for _ in range(2):
        done = run(folder)
        assert done.returncode == 1
        said = done.stdout + done.stderr
        assert said.count(f"{GAME} is damaged") == 1
        assert f"2 jobs failed:\n  play: {GAME} is damaged" in said
        assert "`manybandits repair`" in said
        assert "Traceback" not in said
    assert repair(folder).startswith(f"{GAME}: it is damaged\n1 file mended")
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert differences(finished, folder) == []
