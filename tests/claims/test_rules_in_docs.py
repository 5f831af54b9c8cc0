"""The page of the rules says what the code does: its words and numbers, and the sections that docstrings cite."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from manybandits.claims.rules import FACTOR, OTHERS, OUTER, RULES, SLOPE_TOLERANCE
from manybandits.claims.verdict import EARLY, FLAGS, MEANINGS, NEARLY_ALL
from manybandits.claims.words import RULES as WORDS
from manybandits.papers.openings import MOST


@pytest.fixture
def page(root) -> str:
    return (root / "docs/VERDICTS.md").read_text(encoding="utf-8")


def test_the_page_has_the_words_and_when_they_are_given_in_the_order_in_which_they_are_tried(page):
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+?) \|$", page, re.MULTILINE)
    assert rows == [(word.value, when) for word, (when, _) in WORDS.items()]


def test_the_page_has_the_answers_and_when_they_are_given(page):
    rows = re.findall(r"^\| \*([^*]+)\* \| (.+?) \|$", page, re.MULTILINE)
    assert rows == [(answer.value, when) for answer, when in MEANINGS.items()]


def test_the_page_has_the_numbers_of_the_rules(page):
    text = " ".join(page.split())
    numbers = {4: "four", 5: "five", 6: "six", 8: "eight"}
    assert f"fewer than {numbers[RULES.least]} runs nothing is certain" in text
    assert f"up to {numbers[OUTER]} tolerances away" in text
    assert f"with a tolerance of {SLOPE_TOLERANCE}" in text
    assert f"with a p of at most {100 * RULES.level:.0f} %" in text
    assert f"at least {NEARLY_ALL} %" in text
    assert f"in more than {100 - NEARLY_ALL} %" in text
    assert f"{MOST} in all" in text
    assert FACTOR == 2
    assert "more than twice, or less than half, the published one" in text


def test_the_page_names_the_other_rules_and_the_parts_of_the_rounds(page):
    section = " ".join(page[page.index("## 7.") : page.index("## 8.")].split())
    changed = {
        name for rules in OTHERS.values() for name in ("tolerance", "level", "least", "holm") if _differs(rules, name)
    }
    assert changed == {"tolerance", "level", "least", "holm"}
    assert "tolerances halved and doubled" in section
    assert "p of at most 1 % and 10 %" in section
    assert "five and with eight runs" in section
    assert len(OTHERS) == 7
    assert EARLY == (0.1, 1 / 3)
    assert "at a tenth and at a third of the rounds" in section


def _differs(rules, name: str) -> bool:
    return getattr(rules, name) != getattr(RULES, name)


def test_every_flag_is_explained(page):
    assert [kind for kind, meaning in FLAGS.items() if f"| {kind} | {meaning} |" not in page] == []


def test_every_section_that_the_code_cites_exists(root, page):
    sections = set(re.findall(r"^## (\d)\.", page, re.MULTILINE))
    cited = set()
    for path in Path(root / "src").rglob("*.py"):
        for first, second in re.findall(r"VERDICTS, sections? (\d)(?: (?:and|to) (\d))?", path.read_text()):
            cited |= {first, second} - {""}
    assert cited
    assert cited <= sections


def test_the_page_has_no_word_of_the_earlier_rules_but_where_it_speaks_of_them(page):
    rules = page[: page.index("## 8.")]
    words = (
        "supported",
        "undecided",
        "contradicted here",
        "not reproduced",
        "not testable here",
        "whatever the reading",
    )
    assert [word for word in words if word in rules] == []
