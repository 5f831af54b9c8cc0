"""Published numbers beside those of a run: each difference in its unit, none where nothing can be compared."""

from __future__ import annotations

import re

import pytest

from manybandits.claims.verdict import Verdict
from manybandits.papers.claim import Selection
from manybandits.report.stated import difference, published
from tests.planted.verdicts import claim, verdict


def stated(
    kind="value", measure="regret", measured: float | None = 90.0, number: float | None = 100.0, **more
) -> Verdict:
    """Return a verdict on a claim that a number of CLUB is 100, and is 90 here."""
    about = claim(
        **{"kind": kind, "published": number, "selection": Selection(of="CLUB", measure=measure), "rivals": (), **more}
    )
    return verdict(claim=about, measured=measured, published=number if isinstance(number, float) else None)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (stated(), "-10 in regret (-10.0 %)"),
        (stated(measure="reward_per_round", measured=0.7, number=0.5), "+0.2 in reward per round (+40.0 %)"),
        (stated(measure="meta_seconds", measured=100.0), "0 in meta seconds (+0.0 %)"),
        (stated(measured=99.98), "-0.02 in regret (+0.0 %)"),
        (stated("ratio", measured=1.06, number=1.0), "+0.06 in the ratio (+6.0 %)"),
        (stated("slope", measured=0.4, number=0.5), "-0.1 in the slope"),
        (stated("order", measured=0.05, number=0.081), "-3.1 percentage points"),
        (stated(measured=0.2, number=0.0), "+0.2 in regret"),
        (stated(measured=None), ""),
    ],
)
def test_a_difference_has_its_unit(made, words):
    assert difference(made) == words


def test_a_published_number_has_its_bound_and_its_deviation():
    assert published(stated("slope", number=0.5, bound="at-most")) == "at most 0.5"
    assert published(stated(std=4.0)) == "100 ± 4"
    assert published(stated("order", number=0.081)) == "8.1 %"
    assert published(stated("slope", number="robust", measured=None)) == "a rate"


def test_pages_of_all_papers_have_every_number_beside_that_of_the_run(all_papers):
    from manybandits.papers.files import read_papers
    from tests.planted.all_papers import ROOT

    for name, paper in read_papers(ROOT).items():
        numbers = {one.id for one in paper.claims if one.published is not None and one.reading == "paper"}
        text = (all_papers / f"papers/{name}.html").read_text(encoding="utf-8")
        tables = re.findall(r'<table class="claims stated">.*?</table>', text, re.DOTALL)
        assert sum(table.count('<tr><th scope="row">') for table in tables) == len(numbers), name
