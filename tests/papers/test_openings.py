"""Choices that a paper leaves open, and the set of readings of a headline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.base.exceptions import InputError
from manybandits.base.protocols import AS_WRITTEN
from manybandits.base.typed import typed
from manybandits.papers.openings import MOST, Admissible, OpenChoice, OpenFile, name_of, readings


def opening(count: int, headlines=("best",)) -> OpenChoice:
    others = {f"v{k}": Admissible(why="so", options={"club": {"alpha": k}}) for k in range(1, count)}
    return OpenChoice(
        asks="what?", place="line 1", values={"v0": Admissible(why="text"), **others}, headlines=headlines
    )


@given(st.lists(st.integers(2, 5), min_size=1, max_size=12))
def test_the_set_has_the_default_every_single_change_and_no_reading_twice(sizes):
    openings = {f"q{place}": opening(size) for place, size in enumerate(sizes)}
    found = readings(openings, "best", "paper")
    assert found[0] == ()
    singles = {((key, value),) for key, one in openings.items() for value in list(one.values)[1:]}
    assert singles <= set(found)
    assert len(set(found)) == len(found)
    total = 1
    for size in sizes:
        total *= size
    assert len(found) == min(total, max(MOST, 1 + len(singles)))


def test_a_set_is_the_same_wherever_it_is_made_and_differs_between_papers():
    openings = {f"q{place}": opening(3) for place in range(8)}
    assert readings(openings, "best", "paper") == readings(dict(openings), "best", "paper")
    assert readings(openings, "best", "paper") != readings(openings, "best", "another")


def test_headlines_that_the_same_choices_touch_have_the_same_readings_and_others_share_what_they_can():
    openings = {f"q{place}": opening(3, ("best", "other")) for place in range(8)}
    best = readings(openings, "best", "paper")
    assert readings(openings, "other", "paper") == best
    more = {**openings, "mine": opening(2, ("other",))}
    without = {tuple(pair for pair in one if pair[0] != "mine") for one in readings(more, "other", "paper")}
    assert len(without & set(readings(more, "best", "paper"))) >= MOST - 2


def test_a_choice_that_does_not_touch_a_headline_is_no_part_of_its_readings():
    openings = {"mine": opening(2), "other": opening(4, ("elsewhere",))}
    assert readings(openings, "best", "paper") == [(), (("mine", "v1"),)]


def test_readings_have_names():
    assert name_of(()) == AS_WRITTEN
    assert name_of((("learners", "served"), ("first", "own"))) == "learners = served; first = own"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"a": {"why": "x", "with": {"user": "arm"}}, "b": {"why": "y"}}, "default 'a', which changes something"),
        ({"a": {"why": "x"}, "b": {"why": "y"}}, "value 'b', which changes nothing"),
        ({"a": {"why": "x"}}, "two admissible values"),
    ],
)
def test_a_choice_without_a_default_or_an_alternative_is_refused(values, words):
    content = {"open": {"it": {"asks": "?", "place": "p", "headlines": ["best"], "values": values}}}
    with pytest.raises(InputError, match=words):
        typed(OpenFile, content, "open.yaml")
