"""The page of the rules says what the code does: its words and numbers, and the sections that docstrings cite."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from manybandits.claims.finding import LEAST, OUTER
from manybandits.claims.rules import SLOPE_TOLERANCE
from manybandits.results.flag_labels import KINDS
from manybandits.results.verdict_table import EXPLANATIONS


@pytest.fixture
def page(root) -> str:
    return (root / "docs/VERDICTS.md").read_text(encoding="utf-8")


def test_the_page_has_the_words_of_the_table(page):
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+?) \|$", page, re.MULTILINE)
    assert rows == list(EXPLANATIONS.items())


def test_the_page_has_the_numbers_of_the_rules(page):
    text = " ".join(page.split())
    numbers = {6: "six", 4: "four"}
    assert f"fewer than {numbers[LEAST]} runs nothing is certain" in text
    assert f"up to {numbers[OUTER]} tolerances away" in text
    assert f"with a tolerance of {SLOPE_TOLERANCE}" in text


def test_every_label_is_explained(page):
    text = " ".join(page.split()).replace("*control was not played*", "control not played")
    assert [kind for kind in KINDS if kind not in text.replace("*", "")] == []


def test_every_section_that_the_code_cites_exists(root, page):
    sections = set(re.findall(r"^## (\d)\.", page, re.MULTILINE))
    cited = set()
    for path in Path(root / "src").rglob("*.py"):
        for first, second in re.findall(r"VERDICTS, sections? (\d)(?: (?:and|to) (\d))?", path.read_text()):
            cited |= {first, second} - {""}
    assert cited
    assert cited <= sections
