"""What LNUCB-TA leaves open: readings play what they say, under the same budget of tuning, and rounds alike."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import pytest

from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay, read_yaml
from manybandits.papers.files import Paper, names, read_paper
from manybandits.planning.configuration import Configuration, Scope, checked
from manybandits.planning.jobs import Play
from manybandits.planning.readings import PlannedReading, readings_of

HEADLINES = ("benchmarks", "news", "parts", "robust", "ablation", "enhanced")
ONE_ORDER = Scope(with_={"order": ["shuffled"]})
"""Experiments play both orders of the log; for readings one is played, which the choice "order" may change."""
NEIGHBOURS = ("count", "weights", "ties")


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(root / "workflow/papers/lnucb_ta")


@pytest.fixture(scope="module")
def config(root) -> Configuration:
    content = overlay(read_yaml(root / "config.yaml"), {"papers": ["lnucb_ta"], "league": False})
    return checked(content, names(root)).for_paper("lnucb_ta")


@pytest.fixture(scope="module")
def planned(paper, config) -> dict[str, list[PlannedReading]]:
    return {headline: readings_of(paper, headline, config, ONE_ORDER) for headline in HEADLINES}


def judged(reading: PlannedReading) -> list[Play]:
    """Return the plays that the claims of a reading select."""
    titles = {one.of for claim in reading.claims for one in claim.compared}
    return [play for figure in reading.figures.values() for play in figure.plays if play.spec.title in titles]


def single(readings: list[PlannedReading], key: str, value: str) -> PlannedReading:
    """Return the reading that differs from the default in one answer."""
    (found,) = (one for one in readings if one.answers == ((key, value),))
    return found


def singles(paper: Paper, headline: str) -> Iterator[tuple[str, str]]:
    for key, opening in paper.openings.items():
        if headline in opening.headlines:
            yield from ((key, value) for value in list(opening.values)[1:])


@pytest.mark.parametrize("headline", HEADLINES)
def test_a_reading_plays_every_algorithm_that_its_claims_compare(planned, headline):
    for reading in planned[headline]:
        titles = {one.of for claim in reading.claims for one in claim.compared}
        assert titles == {play.spec.title for play in judged(reading)}, reading.name


@pytest.mark.parametrize("headline", HEADLINES)
def test_each_value_changes_plays_that_the_headline_is_judged_on(paper, planned, headline):
    default = {play.name for play in judged(planned[headline][0])}
    for key, value in singles(paper, headline):
        assert {play.name for play in judged(single(planned[headline], key, value))} - default, (key, value)


def test_claims_of_a_reading_in_the_logs_own_order_are_about_that_order(planned):
    for headline in HEADLINES[1:]:
        assert {claim.selection.where["order"] for claim in planned[headline][0].claims} == {"shuffled"}
        own = single(planned[headline], "order", "own")
        assert {claim.selection.where["order"] for claim in own.claims} == {"logged"}


@pytest.mark.parametrize("headline", HEADLINES)
def test_algorithms_of_a_reading_are_tuned_on_as_many_points_and_in_the_same_way(planned, headline):
    for reading in planned[headline]:
        for game in {play.spec.game for play in judged(reading)}:
            # What Figure 6 sweeps is not tuned: its plays are called by the option.
            specs = [one.spec for one in judged(reading) if one.spec.game == game and ", by " not in one.spec.title]
            points = {prod(len(values) for values in spec.grid.values()) for spec in specs}
            assert len(points) == 1, (reading.name, points)
            assert len({(spec.tuning, spec.tuning_seeds, spec.tuning_rounds) for spec in specs}) == 1


def test_plays_of_one_name_are_the_same_play(planned):
    """An option that is fixed by a list of one value is not part of a name."""
    specs: dict[str, set[str]] = {}
    for reading in (reading for readings in planned.values() for reading in readings):
        for play in judged(reading):
            specs.setdefault(play.name, set()).add(play.spec.to_json())
    assert [name for name, found in specs.items() if len(found) > 1] == []


@pytest.mark.parametrize("key", NEIGHBOURS)
def test_what_is_said_of_neighbours_holds_for_all_that_have_those_of_algorithm_2(paper, key):
    having = {name for name in catalogue.names() if "theta_max" in {one.name for one in catalogue.load(name).OPTIONS}}
    for value in list(paper.openings[key].values.values())[1:]:
        assert set(value.options) == having


def test_distances_count_for_all_three_rivals_that_have_them(paper, planned):
    assert {"knn_ucb", "knn_kl_ucb", "lin_knn_ucb"} == set(paper.openings["phi"].values["one"].options)
    played = judged(single(planned["parts"], "phi", "one"))
    found = {play.spec.algorithm: play.spec.grid.get("phi") for play in played}
    assert found == {"lnucb_ta": None, "linucb": None, "knn_ucb": [1], "lin_knn_ucb": [1]}


def test_a_largest_theta_of_17_lets_rewards_of_0_and_1_have_all_five_neighbours(paper):
    (low, most) = (1, 5)
    (high,) = {options["theta_max"] for options in paper.openings["count"].values["full"].options.values()}
    assert low + (high - low) * 0.25 == most
