"""What is committed follows from the committed run tables: `make verify` for all, and here for the smallest paper."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from manybandits.base.artifacts import load_json
from manybandits.claims.verdicts import claims_digest
from manybandits.papers.files import read_papers
from manybandits.planning.verify import committed_runs
from manybandits.results.runs import ARENA
from tests.chain import checkout


def test_committed_verdicts_are_on_the_claims_as_they_are(root):
    """Verdicts of readings, which have no run tables, named claims from before an edit."""
    found = {path: load_json(path)["settings"] for path in sorted(root.glob("reports/*/*.csv.json"))}
    if not found:
        pytest.skip("no run is committed with its verdicts")
    verdicts = {path: settings for path, settings in found.items() if "claims" in settings}
    assert verdicts
    papers = read_papers(root)
    for path, settings in verdicts.items():
        assert settings["claims"] == claims_digest([papers[name] for name in settings["papers"]]), path


def test_the_results_of_one_paper_follow_from_its_committed_run_tables(root, tmp_path):
    """The whole of a run takes minutes; a paper whose tables are the smallest takes one."""
    names = [name for name in committed_runs(root) if (root / f"reports/{name}/runs").is_dir()]
    if not names:
        pytest.skip("no run is committed with its run tables and what was made of them")
    folder = checkout(root, tmp_path / "reviewer")
    for name in names:
        shutil.copytree(root / f"reports/{name}", folder / f"reports/{name}", ignore=shutil.ignore_patterns("*.html"))
        papers = [path for path in (root / f"reports/{name}/runs").iterdir() if not path.name.startswith(ARENA)]
        paper = min(papers, key=lambda path: sum(one.stat().st_size for one in path.rglob("*.parquet"))).name
        told = [sys.executable, "-m", "manybandits.planning.verify", name, "--paper", paper]
        done = subprocess.run(told, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "files have the committed bytes" in done.stdout
