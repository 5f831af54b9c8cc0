"""The README says of the committed run what its site says, and what it tells of the project is so."""

from __future__ import annotations

import re

import pytest
import yaml

import manybandits as mb
from manybandits.papers.files import read_papers
from manybandits.report.addresses import BLOCK, PICTURES
from tests.docs.blocks import Page

COMMITTED = "reports/paper-scale"


def test_the_readme_opens_with_the_picture_and_the_findings_of_the_committed_run(root):
    path = root / COMMITTED / BLOCK
    if not path.is_file():
        pytest.skip(f"{COMMITTED} has no {BLOCK} yet")
    text = (root / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"<!-- headlines -->\n(.*?)<!-- end of headlines -->", text, re.DOTALL)
    assert block.strip() == path.read_text(encoding="utf-8").strip()
    for name in PICTURES.values():
        assert f"{COMMITTED}/{name}" in block
        assert (root / COMMITTED / name).is_file()


def test_the_readme_is_short_and_its_links_lead_to_files(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 130
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    assert len(links) > 10
    for link in links:
        assert link.startswith("https://") or (root / link).exists(), link


def test_the_readme_tells_no_counts_of_claims_over_papers_and_no_setting_of_tuning(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert not re.search(r"\d+ (?:claims|published numbers|cells)", text)
    assert not re.search(r"[Tt]un(?:ed|ing)[^.]*\d", text)


def test_the_citation_has_every_paper_with_its_address(root):
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    addresses = {one["title"]: one.get("url") or f"https://doi.org/{one['doi']}" for one in cited}
    for paper in read_papers(root).values():
        assert addresses[paper.title] in paper.links.values()
        names = {author["family-names"] for one in cited if one["title"] == paper.title for author in one["authors"]}
        assert all(name in paper.reference for name in names)


def test_the_python_of_the_readme_runs_and_its_commands_are_valid(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Page(root / "README.md").run()
    assert (tmp_path / "regret.png").stat().st_size > 0
    assert mb.restore("bandit.npz").observations == 1
