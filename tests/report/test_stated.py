"""Published numbers beside those of a run: each difference in its unit, none where nothing can be compared."""

from __future__ import annotations

import pytest

from manybandits.papers.claim import Claim, Selection
from manybandits.report.stated import Stated, stated_numbers
from manybandits.results.verdict_table import JudgedClaim

ROW = {"claim": "p.a", "quantity": "regret of CLUB", "measured": "90", "published": "100", "n": "6"}


def claim(kind="value", measure="regret", published=100.0, **more):
    selection = Selection(of="CLUB", measure=measure)
    place = {"id": "p.a", "paper": "p", "experiment": "fig1", "place": "Table 1", "says": "so"}
    return Claim(**place, kind=kind, selection=selection, published=published, **more)


@pytest.mark.parametrize(
    ("made", "row", "difference"),
    [
        (claim(), {}, "-10 in regret (-10.0 %)"),
        (
            claim(measure="reward_per_round"),
            {"measured": "0.7", "published": "0.5"},
            "+0.2 in reward per round (+40.0 %)",
        ),
        (claim(measure="meta_seconds"), {"measured": "100"}, "0 in meta seconds (+0.0 %)"),
        (claim(), {"measured": "99.98"}, "-0.02 in regret (+0.0 %)"),
        (claim("ratio"), {"measured": "1.06", "published": "1"}, "+0.06 in the ratio (+6.0 %)"),
        (claim("slope"), {"measured": "0.4", "published": "0.5"}, "-0.1 in the slope"),
        (
            claim("order"),
            {"quantity": "lead in regret of CLUB over LOCB, relative", "measured": "0.05", "published": "0.081"},
            "-3.1 percentage points",
        ),
        (claim(published=0.0), {"measured": "0.2", "published": "0"}, "+0.2 in regret"),
        (claim(), {"measured": ""}, ""),
    ],
)
def test_a_difference_has_its_unit(made, row, difference):
    assert Stated(made, {**ROW, **row}).difference == difference


def test_a_published_number_has_its_bound_and_its_deviation():
    assert (
        Stated(claim("slope", published=0.5, bound="at-most"), {**ROW, "published": "0.5"}).published == "at most 0.5"
    )
    assert Stated(claim(std=4.0), ROW).published == "100 ± 4"
    assert Stated(claim(), {**ROW, "published": "", "measured": ""}).published == "100"
    assert Stated(claim("slope", published="robust"), {**ROW, "published": ""}).published == "a rate"


def test_only_numbers_that_the_paper_states_are_listed_each_with_its_experiment():
    claims = [claim(), claim("equality", published=None), claim(reading="another")]
    found = stated_numbers(claims, [JudgedClaim(ROW, [])])
    assert [(key, len(numbers)) for key, numbers in found.items()] == [("fig1", 1)]
    assert stated_numbers(claims, []) == {}


def test_pages_of_all_papers_have_every_number_beside_that_of_the_run(all_papers):
    from manybandits.papers.files import read_papers
    from tests.planted.all_papers import ROOT

    for name, paper in read_papers(ROOT).items():
        stated = {one.id for one in paper.claims if one.published is not None and one.reading == "paper"}
        text = (all_papers / f"papers/{name}.html").read_text(encoding="utf-8")
        assert text.count('data-label="Difference"') == len(stated), name
