"""What a verdict measured as a sentence: its direction, its interval, and what is published."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from manybandits.claims.sentences import has_interval, of, quantity, setups_sentence, tell
from manybandits.claims.verdict import SetUps, Verdict
from manybandits.papers.claim import Claim
from manybandits.papers.files import read_papers
from manybandits.results.measures import words_of
from tests.planted.verdicts import verdict

NUMBER = {"measured": -0.5, "low": -0.6, "high": -0.4, "published": -0.5}


def lead(measured: float, low: float | None, high: float | None, **more) -> Verdict:
    return verdict(of="A", than="B", measured=measured, low=low, high=high, comparisons=1, **more)


@pytest.mark.parametrize(
    ("numbers", "more", "words"),
    [
        ((-0.5, -0.6, -0.4), {}, "The regret of A is 50.0 % [40.0 %, 60.0 %] above that of B"),
        ((0.5, 0.4, 0.6), {}, "The regret of A is 50.0 % [40.0 %, 60.0 %] below that of B"),
        ((-0.02, -0.05, 0.01), {}, "The regret of A is 2.0 % [-1.0 %, 5.0 %] above that of B"),
        ((0.0, 0.0, 0.0), {}, "The regret of A differs by 0 % [0 %, 0 %] from that of B"),
        ((0.5, 0.4, 0.6), {"measure": "reward"}, "The reward of A is 50.0 % [40.0 %, 60.0 %] above that of B"),
        ((0.5, 0.4, 0.6), {"measure": "clusters"}, "The clusters of A are 50.0 % [40.0 %, 60.0 %] below those of B"),
        ((-0.5, None, None), {"measure": "seconds"}, "The time of A is 50 % above that of B"),
        ((-0.5, None, None), {"published": 0.077}, "The regret of A is 50 % above that of B; published: 7.7 % below"),
        ((0.5, 0.4, 0.6), {"kind": "equality"}, "The regret of A is 50.0 % [40.0 %, 60.0 %] above that of B"),
    ],
)
def test_a_lead_is_told_as_what_it_means(numbers, more, words):
    assert str(tell(lead(*numbers, **more))) == words


def test_other_kinds_have_their_sentences():
    slope = verdict(kind="slope", of="A", options={"nu": 1}, against="agents", bound="at-most", **NUMBER)
    assert str(tell(slope)) == (
        "The regret of A, nu 1, scales with agents to the power -0.50 [-0.60, -0.40]; published: at most -0.5"
    )
    ratio = verdict(kind="ratio", of="A", than="B", **{**NUMBER, "measured": 2.5, "low": 2.4, "high": 2.6})
    assert str(tell(ratio)) == "The regret of A is 2.50 [2.40, 2.60] times that of B; published: -0.5"
    value = verdict(kind="value", of="A", measure="clusters", **NUMBER)
    assert str(tell(value)) == "The clusters of A are -0.50 [-0.60, -0.40]; published: -0.5"


def test_words_about_the_game_that_its_note_says_are_not_said_twice():
    where = {"user": "arm", "noise": 0.1}
    bare = verdict(kind="value", of="A", where=where, data=(), **NUMBER)
    assert str(tell(bare)).startswith("The regret of A, user arm, noise 0.1, is")
    played = verdict(kind="value", of="A", where=where, data=("MNIST; user arm",), **NUMBER)
    assert str(tell(played)).startswith("The regret of A, noise 0.1, is")


def test_a_part_of_a_round_is_called_by_its_name():
    part = verdict(kind="value", of="", measure="seconds", where={"part": "clustering", "users": 500}, **NUMBER)
    assert str(tell(part)).startswith("The seconds of one core per run of clustering, users 500, are")


def measured_on(claim: Claim) -> Verdict:
    """Return a verdict on a claim with made-up numbers."""
    rival = claim.rivals[0] if claim.rivals else None
    return verdict(claim=claim, rival=rival, measure=words_of(claim.selection.measure), published=0.2)


def test_every_claim_of_every_paper_is_told_as_a_sentence_with_its_number(root):
    told = [tell(measured_on(claim)) for paper in read_papers(root).values() for claim in paper.claims]
    assert len(told) > 300
    assert all(one.before.startswith("The ") and one.value and "  " not in str(one) for one in told)


def test_a_lead_is_in_per_cent_and_its_quantity_says_so():
    found = lead(-12.31, None, None)
    assert of(-12.31, found) == "-1,231 %"
    assert of(0.00123, found) == "0.123 %"
    assert quantity(found) == "lead in regret of A over B, in % of the rival"
    many = verdict(of="A", than=("B", "C", "D"))
    assert quantity(many) == "lead in regret of A over B, in % of the rival, worst of 3 comparisons"


def test_another_number_keeps_its_unit():
    found = verdict(kind="value", of="LinUCB", relative="Random")
    assert of(-12.31, found) == "-12.31"
    assert quantity(found) == "regret of LinUCB relative to Random"


@pytest.mark.parametrize(("runs", "shown"), [(2, False), (5, False), (6, True), (0, True)])
def test_an_interval_of_too_few_runs_is_not_shown(runs, shown):
    assert has_interval(verdict(n=runs)) == shown
    assert not has_interval(verdict(n=runs, low=None, high=None))


def test_set_ups_are_told_with_what_decides_and_a_pair_is_called_an_interaction():
    setups = SetUps(played=64, judged=62, holds=5, fails=50, choices=("start", "a and b"))
    explained = "best explained by start and the interaction of a and b"
    assert setups_sentence(setups) == f"holds in 5 of 62 set-ups and fails in 50; the variation is {explained}"
    shares, asked = {"start": 0.5, "a and b": 0.125}, {"b": "B?"}
    assert setups_sentence(setups, shares, asked).endswith("start (50 %) and the interaction of a and B? (12 %)")
    always = replace(setups, holds=0)
    assert setups_sentence(always).endswith(f"fails in 50; the size of its effect is {explained}")
    assert setups_sentence(replace(always, choices=())).endswith("fails in 50; no single choice explains it")


def test_a_pair_of_questions_is_one_choice_and_each_question_is_named_once():
    setups = SetUps(played=9, judged=9, holds=5, fails=4, choices=("gradients and start", "start"))
    assert setups.questions == ["gradients", "start"]
    assert replace(setups, choices=()).questions == []
