"""Readings of a headline as plays: what they change, and what they share."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.papers.openings import Admissible, OpenChoice
from manybandits.papers.settings import Changes
from manybandits.planning.configuration import Configuration, Scope, checked
from manybandits.planning.figures import figure_of
from manybandits.planning.readings import PlannedReading, readings_of

SERVED = Admissible(why="the released code", options={"m_cnb": {"learners": "served"}})
BOTH = Admissible(why="section 3", with_={"context": "both"})
RATES = Admissible(why="not stated", options={"m_cnb": {"user_rate": [0.0001, 0.01]}})
WHOLE = Scope()
SHORT = Admissible(why="not stated", settings=Changes(tuning_rounds=100))


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(folder_of(root, "m_cnb"))


@pytest.fixture(scope="module")
def config(root) -> Configuration:
    return checked(overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml")), names(root))


def asked(**values: Admissible) -> dict[str, OpenChoice]:
    return {
        key: OpenChoice(
            asks="?", place="p", values={"text": Admissible(why="text"), "other": value}, headlines=("recommendation",)
        )
        for key, value in values.items()
    }


def planned(paper, config, scope=WHOLE, **values: Admissible) -> dict[str, PlannedReading]:
    given = replace(paper, openings=asked(**values))
    return {one.name: one for one in readings_of(given, "recommendation", config, scope)}


def plays(reading: PlannedReading) -> set[str]:
    return {play.name for figure in reading.figures.values() for play in figure.plays}


def test_the_default_reading_is_the_ordinary_run(paper, config):
    default = planned(paper, config, learners=SERVED)["as written"]
    ordinary = figure_of(paper, "fig2", config)
    assert all(play in ordinary.plays for play in default.figures["fig2"].plays)
    assert default.figures["fig2"].scale == ordinary.scale
    assert default.figures["fig2"].title == ordinary.title
    assert default.claims == tuple(c for c in paper.claims if c.key == "fig2" and c.reading == "paper")


def test_only_what_the_claims_select_is_played_beside_random(paper, config):
    default = planned(paper, config, learners=SERVED)["as written"]
    selected = {one.of for claim in default.claims for one in claim.selections}
    played = {play.spec.title for play in default.figures["fig2"].plays}
    assert played == selected | {"Random"}
    assert "LinUCB-ONE" not in played


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
        assert {one.of for one in claim.compared} <= titles
    assert all("context-both" in name for name in plays(found))


def test_another_code_of_a_baseline_takes_its_place_in_plays_and_claims(paper, config):
    copies = Admissible(why="the released code", instead={"club": "club_2022"})
    found = planned(paper, config, copies=copies)
    before, after = plays(found["as written"]), plays(found["copies = other"])
    assert {name.split("/")[-1] for name in before ^ after} == {"club", "club_2022"}
    titles = {one.of for claim in found["copies = other"].claims for one in claim.rivals}
    assert "CLUB 2022" in titles
    assert "CLUB" not in titles
    with pytest.raises(InputError, match="did you mean 'club_2022'"):
        planned(paper, config, copies=replace(copies, instead={"club": "club_2021"}))


@pytest.mark.parametrize("value", [RATES, SHORT], ids=["grid", "tuning"])
def test_what_is_tuned_otherwise_has_a_name_of_its_own(paper, config, value):
    found = planned(paper, config, it=value)
    before, after = found["as written"], found["it = other"]
    specs = {play.name: play.spec for figure in before.figures.values() for play in figure.plays}
    for figure in after.figures.values():
        for play in figure.plays:
            assert specs.get(play.name, play.spec) == play.spec
    assert plays(before) != plays(after)


def test_a_setting_that_is_swept_or_that_a_game_does_not_have_is_left_as_it_is(root, config):
    rmbandit = read_paper(folder_of(root, "rmbandit"))
    other = Admissible(why="so", with_={"correlation": 0.5, "dimension": 30, "context": "both"})
    opening = OpenChoice(asks="?", place="p", values={"a": Admissible(why="t"), "b": other}, headlines=("alone",))
    given = replace(rmbandit, openings={"it": opening})
    scope = Scope(with_={"dimension": [20, 80]})
    before, after = readings_of(given, "alone", config.for_paper("rmbandit"), scope)
    assert set(before.figures) == {"dimension"}  # the others have one dimension, which is not in the scope
    games = {play.environment.name for play in after.figures["dimension"].plays}
    assert games == {f"instances-instances-50-dimension-{value}-correlation-0.5" for value in (20, 80)}
    assert [claim.selection.where for claim in after.claims] == [claim.selection.where for claim in before.claims]
    assert not plays(before) & plays(after)


def test_an_option_whose_values_a_claim_compares_is_left_as_it_is(root, config):
    paper = read_paper(folder_of(root, "lnucb_ta"))
    found = readings_of(paper, "robust", config, Scope(only=({"count": "full"},)))
    names = {play.name.split("/")[2] for figure in found[1].figures.values() for play in figure.plays}
    assert "lnucb_ta-by-theta_max" in names
    assert not [name for name in names if name.startswith("lnucb_ta-by-theta_max-")]


def test_a_reading_of_a_regression_is_another_table_of_errors(root, config):
    rmbandit = read_paper(folder_of(root, "rmbandit"))
    noisy = Admissible(why="so", with_={"noise": 2.0, "dimension": 100})
    opening = OpenChoice(asks="?", place="p", values={"a": Admissible(why="t"), "b": noisy}, headlines=("estimator",))
    scope = Scope(with_={"dimension": [20, 70], "regime": ["poor"]})
    found = readings_of(replace(rmbandit, openings={"noise": opening}), "estimator", config, scope)
    first, second = (one.figures["table1"].regressions for one in found)
    assert [one.settings.get("noise") for one in (*first, *second)] == [None, 2.0]
    assert all(one.sweeps["dimension"] == [20, 70] and "rows" not in one.sweeps for one in (*first, *second))
    assert {one.name for one in first}.isdisjoint(one.name for one in second)


def test_a_scope_plays_a_part_of_the_data(paper, config):
    found = planned(paper, config, Scope(data=("facebook",), settings=Changes(horizon=100)), learners=SERVED)
    for reading in found.values():
        for play in reading.figures["fig2"].plays:
            assert play.environment.datasets == ("facebook-ego",)
            assert play.spec.horizon == 100


def test_what_cannot_be_tuned_is_shared_by_readings_of_the_tuning(paper, config):
    found = planned(paper, config, it=SHORT)
    shared = plays(found["as written"]) & plays(found["it = other"])
    assert shared == {name for name in plays(found["as written"]) if name.endswith("/random")}
