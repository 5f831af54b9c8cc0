"""The documents say what the code does: words and numbers of the rules, sections that docstrings cite, examples."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import yaml

from manybandits.base.typed import typed
from manybandits.claims.finding import LEAST, OUTER
from manybandits.claims.rules import SLOPE_TOLERANCE
from manybandits.papers.claims_file import ClaimsFile, read_claims
from manybandits.results.flag_labels import KINDS
from manybandits.results.verdict_table import EXPLANATIONS


@pytest.fixture
def page(root) -> str:
    return (root / "docs/VERDICTS.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_are_true(root):
    found = doctest.testfile(str(root / "docs/VERDICTS.md"), module_relative=False)
    assert found.attempted > 8
    assert found.failed == 0


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


def test_the_examples_of_how_to_add_a_claim_are_valid(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    content = {}
    for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL):
        content |= yaml.safe_load(block)
    assert content.keys() == {"claims", "reasons", "headlines"}
    file = typed(ClaimsFile, content, "the examples")
    claims = read_claims(file, "m_cnb", ["fig2"], "the examples")
    assert file.headlines["best_on_recommendation"].members(claims, "the examples") == ["m_cnb.fig2"]
