"""Display names: every title of the papers has one name, and names do not coincide."""

from __future__ import annotations

import pytest

from manybandits.algorithms import catalogue
from manybandits.base.configuration import read_yaml
from manybandits.environments.kinds.exploration import ExplorationGame
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.arguments import TUNING
from manybandits.planning.plan import make_plan
from manybandits.results.display_names import ALGORITHMS, LOSSES, OPTIONS, TUNINGS, algorithm_name, column_name


@pytest.fixture(scope="module")
def titles(root) -> set[str]:
    """Return the titles of all algorithms that the default configuration plays."""
    return {play.spec.title for play in make_plan(read_yaml(root / "config.yaml"), root).plays.values()}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("CLUB", "CLUB"),
        ("k-NN UCB", "k-NN UCB"),
        ("k-NN UCB, phi 1", "k-NN UCB (distance counted)"),
        ("M-CNB, learners served, first own", "M-CNB, users start apart"),
        ("M-CNB, nu 1.1", "M-CNB, nu = 1.1"),
        ("LNUCB-TA, attention no", "LNUCB-TA, without attention"),
        ("CLUB, tuned, graph erdos-renyi, alpha 1", "CLUB, tuned, random first graph, alpha = 1"),
    ],
)
def test_a_title_is_shown_by_the_name_of_the_list(title, name):
    assert algorithm_name(title) == name


def test_no_two_titles_have_the_same_name_or_names_that_differ_by_case_only(titles):
    named = titles | {catalogue.load(name).TITLE for name in catalogue.names()}
    assert len({algorithm_name(title).lower() for title in named}) == len(named)


def test_the_list_names_titles_and_options_that_are_played(titles):
    options = {option for title in titles for option in title.split(", ")[1:]}
    assert set(OPTIONS) <= options
    bases = {title.partition(",")[0] for title in titles}
    assert {title.partition(",")[0] for title in ALGORITHMS} <= bases
    assert {title for title in ALGORITHMS if ", " in title} <= titles


def test_every_tuning_rule_has_words():
    assert set(TUNINGS) == set(TUNING)


def test_a_column_without_a_name_of_its_own_is_shown_without_underscores():
    assert (column_name("regret_per_round"), column_name("final_regret")) == ("regret per round", "final regret")


def test_a_lost_run_is_told_as_its_game_tells_it():
    assert {"replay": ReplayGame.nan_reason, "exploration": ExplorationGame.nan_reason} == LOSSES
