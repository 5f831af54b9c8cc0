"""What a verdict measured as a sentence: its direction, its interval, and what is published."""

from __future__ import annotations

import pytest

from manybandits.report.findings import found
from manybandits.report.verdicts import read_claims, read_headlines

EMPTY = dict.fromkeys(("low", "high", "published", "bound", "comparisons", "against", "rival"), "")
LEAD = {**EMPTY, "kind": "order", "of": "A", "rival": "B", "measure": "regret", "n": "10"}


def lead(measured, low, high, measure="regret", words="regret", published=""):
    numbers = {"measured": str(measured), "low": str(low), "high": str(high), "published": published}
    return found({**LEAD, **numbers, "measure": measure, "quantity": f"lead in {words} of A over B, relative"})


def told(one) -> str:
    parts = (one.before, one.value, one.interval, one.after, one.published and f"; {one.published}")
    return " ".join(part for part in parts if part)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((-0.5, -0.6, -0.4), "The regret of A is 50.0 % [40.0 %, 60.0 %] above that of B"),
        ((0.5, 0.4, 0.6), "The regret of A is 50.0 % [40.0 %, 60.0 %] below that of B"),
        ((-0.02, -0.05, 0.01), "The regret of A is 2.0 % [-1.0 %, 5.0 %] above that of B"),
        ((0.0, 0.0, 0.0), "The regret of A differs by 0 % [0 %, 0 %] from that of B"),
        ((0.5, 0.4, 0.6, "reward", "reward"), "The reward of A is 50.0 % [40.0 %, 60.0 %] above that of B"),
        ((0.5, 0.4, 0.6, "clusters", "clusters"), "The clusters of A are 50.0 % [40.0 %, 60.0 %] below those of B"),
        ((-0.5, "", "", "seconds", "seconds of one core a run"), "The time of A is 50 % above that of B"),
        ((-0.5, "", "", "seconds", "seconds"), "The time of A is 50 % above that of B"),
        ((-0.5, "", "", "regret", "regret", "0.077"), "The regret of A is 50 % above that of B ; 7.7 % below"),
    ],
)
def test_a_lead_is_told_as_what_it_means(numbers, words):
    assert told(lead(*numbers)) == words


def test_other_kinds_have_their_sentences():
    number = {"measured": "-0.5", "low": "-0.6", "high": "-0.4", "published": "-0.5", "n": "10"}
    slope = {
        **EMPTY,
        **number,
        "kind": "slope",
        "of": "A",
        "measure": "regret",
        "against": "agents",
        "bound": "at-most",
    }
    slope["quantity"] = "slope of regret in agents, A, nu 1"
    assert (
        told(found(slope))
        == "The regret of A, nu 1, scales with agents to the power -0.50 [-0.60, -0.40] ; at most -0.5"
    )
    ratio = {**EMPTY, **number, "kind": "ratio", "of": "A", "rival": "B", "measure": "regret", "measured": "2.5"}
    ratio |= {"low": "2.4", "high": "2.6", "quantity": "regret of A over that of B, the best of 3"}
    assert told(found(ratio)) == "The regret of A is 2.50 [2.40, 2.60] times that of B, the best of 3 ; -0.5"
    value = {**EMPTY, **number, "kind": "value", "of": "A", "measure": "clusters", "quantity": "clusters of A"}
    assert told(found(value)) == "The clusters of A are -0.50 [-0.60, -0.40] ; -0.5"
    equality = {**LEAD, **number, "kind": "equality", "quantity": "relative difference of A and B in regret"}
    assert told(found(equality)) == "The regret of A is 50.0 % [40.0 %, 60.0 %] below that of B"


def test_a_quantity_that_is_no_sentence_is_shown_as_it_is():
    assert told(found({**LEAD, "measured": "3", "quantity": "gap of A and B", "n": "1"})) == "gap of A and B: 3"


def test_every_verdict_of_the_committed_run_is_told_as_a_sentence(root):
    claims = read_claims(root / "reports" / "paper-scale" / "verdicts.csv")
    told_so = [found(row) for claim in claims for row in (claim.row, *claim.others) if row["measured"]]
    assert told_so
    assert [one.before for one in told_so if one.before.endswith(":")] == []
    headlines = read_headlines(root / "reports" / "paper-scale" / "headlines.csv", claims)
    # A card tells the claim that decides, so that it has to be what the headline was judged by.
    assert all(one["quantity"] == one.decisive["quantity"] for one in headlines)
    assert all(one["measured"] == one.decisive["measured"] for one in headlines)
