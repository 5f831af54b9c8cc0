"""The letters to authors: there is one for each paper, and its numbers are those of the committed results."""

from __future__ import annotations

import re

import pytest

from manybandits.base.table_files import read_rows
from manybandits.claims.reasons import sentence
from manybandits.papers.files import read_papers

COMMITTED = "reports/paper-scale"
NUMBER = re.compile(r"\d[\d,]*\.?\d*")
PLACES = re.compile(r"(?:Figures?|Tables?|[Ss]ections?|Algorithm|Theorems?|Corollary|equation) \d[\d.]*")
OURS = {"2023", "2024", "2022", "2017", "1M", "25"}
"""Numbers of a letter that are years or names."""


def numbers(text: str) -> set[str]:
    return {one.rstrip(".,").replace(",", "").removesuffix(".0") for one in NUMBER.findall(text)}


def findings(text: str) -> str:
    """Return the part of a letter that says what was found."""
    return text.split("## What we find")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", ["lnucb_ta", "m_cnb", "meta_ban", "rmbandit", "sclb_pmlb"])
def test_the_numbers_of_a_letter_are_those_of_the_committed_results(root, name):
    paper = read_papers(root, name)[name]
    tables, readings = root / COMMITTED / "tables", root / "reports/readings"
    rows = [row for row in read_rows(root / COMMITTED / "headlines.csv") if row["paper"] == name]
    known = [sentence(one, tables, name, readings) for one in paper.story]
    known += [row[column] for row in rows for column in ("sentence", "setups", "says")]
    known += [f"{paper.reference} {one.what} {one.value}" for one in paper.setup]
    letter = (root / f"docs/letters/{name}.md").read_text(encoding="utf-8")
    stated = numbers(PLACES.sub("", findings(letter)))
    assert stated
    assert {one for one in stated if len(one) > 1} - {one for text in known for one in numbers(text)} - OURS == set()


def test_every_paper_has_a_letter_which_the_documentation_lists(root):
    pages = (root / "mkdocs.yml").read_text(encoding="utf-8")
    for name in read_papers(root):
        assert (root / f"docs/letters/{name}.md").is_file()
        assert f"letters/{name}.md" in pages
