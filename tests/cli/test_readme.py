"""The README's table of headlines is the one that the command line prints about the committed run."""

from __future__ import annotations

import re

import pytest

import manybandits as mb
from manybandits.cli.claims import markdown
from manybandits.results.verdict_table import load_headlines
from tests.docs.blocks import Page


def test_the_headlines_of_the_readme_are_those_of_the_committed_run(root):
    path = root / "reports/reduced/headlines.csv"
    if not path.is_file():
        pytest.skip("reports/reduced has no headlines yet")
    text = (root / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"<!-- headlines -->\n(.*?)<!-- end of headlines -->", text, re.DOTALL)
    assert block.strip() == markdown(load_headlines(path), root).strip()


def test_the_readme_tells_no_counts_of_claims_over_papers(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert not re.search(r"\d+ (?:claims|published numbers|cells)", text)


def test_the_python_of_the_readme_runs_and_its_commands_are_valid(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Page(root / "README.md").run()
    assert (tmp_path / "regret.png").stat().st_size > 0
    assert mb.restore("bandit.npz").observations == 1
