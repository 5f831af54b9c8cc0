"""Readings of a headline as plays: what they change, and what they share."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import overlay, read_yaml
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.papers.openings import Admissible, Opening
from manybandits.papers.settings import Changes
from manybandits.planning.configuration import Configuration, checked
from manybandits.planning.figures import figure_of
from manybandits.planning.readings import PlannedReading, readings_of

SERVED = Admissible(why="the released code", options={"m_cnb": {"learners": "served"}})
BOTH = Admissible(why="section 3", with_={"context": "both"})
RATES = Admissible(why="not stated", options={"m_cnb": {"user_rate": [0.0001, 0.01]}})
SHORT = Admissible(why="not stated", settings=Changes(tuning_rounds=100))


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(folder_of(root, "m_cnb"))


@pytest.fixture(scope="module")
def config(root) -> Configuration:
    return checked(overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/reduced.yaml")), names(root))


def asked(**values: Admissible) -> dict[str, Opening]:
    return {
        key: Opening(
            asks="?", place="p", values={"text": Admissible(why="text"), "other": value}, headlines=("recommendation",)
        )
        for key, value in values.items()
    }


def planned(paper, config, **values: Admissible) -> dict[str, PlannedReading]:
    given = replace(paper, openings=asked(**values))
    return {one.name: one for one in readings_of(given, "recommendation", config)}


def plays(reading: PlannedReading) -> set[str]:
    return {play.name for figure in reading.figures.values() for play in figure.plays}


def test_the_default_reading_is_the_ordinary_run(paper, config):
    default = planned(paper, config, learners=SERVED)["as written"]
    assert default.figures["fig2"] == figure_of(paper, "fig2", config, "paper")
    assert default.claims == tuple(c for c in paper.claims if c.key == "fig2" and c.reading == "paper")


def test_an_option_of_one_policy_is_played_once_a_game_and_all_rivals_are_shared(paper, config):
    found = planned(paper, config, learners=SERVED)
    before, after = plays(found["as written"]), plays(found["learners = other"])
    assert len(after - before) == 4
    assert all(name.endswith("/m_cnb-learners-served") for name in after - before)


def test_the_claims_of_a_reading_select_its_runs(paper, config):
    found = planned(paper, config, learners=SERVED, context=BOTH)["learners = other; context = other"]
    titles = {play.spec.title for figure in found.figures.values() for play in figure.plays}
    for claim in found.claims:
        assert claim.selection.of == "M-CNB, learners served"
        assert {one.of for one in (claim.selection, *claim.rivals)} <= titles
    assert all("context-both" in name for name in plays(found))


@pytest.mark.parametrize("value", [RATES, SHORT], ids=["grid", "tuning"])
def test_what_is_tuned_otherwise_has_a_name_of_its_own(paper, config, value):
    found = planned(paper, config, it=value)
    before, after = found["as written"], found["it = other"]
    specs = {play.name: play.spec for figure in before.figures.values() for play in figure.plays}
    for figure in after.figures.values():
        for play in figure.plays:
            assert specs.get(play.name, play.spec) == play.spec
    assert plays(before) != plays(after)
