"""The least horizons of the multi-agent theorems, against their conditions as they are printed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.base.artifacts import load_facts
from manybandits.environments.agent_conditions import conditions, least_horizon, theorems
from manybandits.environments.agents import SETTINGS, freeze

SEPARATED = {**SETTINGS, "clusters": 2, "dimension": 2, "separation": 1.2, "contexts": "sphere", "delta": 1e-5}
AROUND = {**SETTINGS, "population": "mean", "agents": 10, "arms": 5, "dimension": 2, "longest": 1.0}


def tau(dimension: int, delta: float, rounds: int) -> float:
    """Equation 3, with rho_min = 1 / d."""
    return (16 * dimension**2 + 8 * dimension / 3) * math.log(2 * dimension * rounds / delta)


@given(st.integers(2, 10**9))
def test_the_least_horizon_is_the_first_of_those_at_which_a_condition_holds(first):
    assert least_horizon(lambda rounds: rounds >= first) == first


def test_a_condition_that_never_holds_has_no_least_horizon():
    assert least_horizon(lambda rounds: False) is None


@pytest.mark.parametrize("agents", [10, 20, 40, 80])
def test_theorem_1_holds_within_a_hundred_thousand_rounds_for_up_to_eighty_agents(agents):
    least = conditions({**SEPARATED, "agents": agents}, agents // 2)["sclb_theorem1"]
    assert least <= 100_000
    for rounds, holds in ((least, True), (least - 1, False)):
        wanted = (tau(2, 1e-5, rounds) * 0.5 / (2 * math.log(1e5))) ** 2.5 / agents
        log = math.log(agents * rounds)
        assert holds == (
            rounds >= wanted
            and 5 / (agents * rounds) ** 0.2 <= 1.2
            and math.log(0.5 * rounds / (2 * agents / 2)) / (2 * log) >= 0.2
        )


@pytest.mark.parametrize(
    "change",
    [{"agents": 320}, {"contexts": "gaussian"}, {"delta": 0.4}, {"separation": 0.0}, {"dimension": 15}],
)
def test_theorem_1_does_not_hold_in_a_hundred_thousand_rounds_of_other_games(change):
    least = conditions({**SEPARATED, "agents": 80, **change}, 40)["sclb_theorem1"]
    assert least is None or least > 100_000


def test_corollary_1_holds_from_tau_squared_rounds_on():
    least = conditions(AROUND, 10)["pmlb_corollary1"]
    assert least == 1_288_435
    assert tau(2, 0.4, least) ** 2 <= least < tau(2, 0.4, least - 1) ** 2 + 1


@pytest.mark.parametrize("change", [{"longest": 0.0}, {"contexts": "sphere"}, {"population": "clusters"}])
def test_corollary_1_is_of_gaussian_contexts_and_vectors_in_the_unit_ball(change):
    assert conditions({**AROUND, **change}, 10)["pmlb_corollary1"] is None


def test_theorem_3_needs_a_constant_that_is_smaller_the_fewer_dimensions_there_are():
    found = conditions(AROUND, 10)
    log = 2 * math.log(5) + math.log(found["pmlb_corollary1"])
    assert found["pmlb_theorem3_constant"] == pytest.approx(2 / log)


def test_a_frozen_game_states_from_which_horizon_on_the_theorems_hold(tmp_path):
    freeze(tmp_path / "game.npz", **{**SEPARATED, "agents": 20})
    stated = load_facts(tmp_path / "game.npz")["conditions"]
    assert stated == conditions({**SEPARATED, "agents": 20}, 10)
    assert stated["sclb_theorem1"] == 3448


def ends_of(**change) -> dict:
    """Return the horizons at which the theorems hold in a game of twenty agents in two clusters."""
    return theorems({**SEPARATED, "agents": 20, **change}, 10)


@pytest.mark.parametrize("separation", [0.03, 0.15, 0.5])
def test_a_game_is_within_lemma_1_or_theorem_2_and_never_within_both(separation):
    ends = ends_of(separation=separation)
    first, last = ends["sclb_theorem2"]
    assert 5 / (20 * last) ** 0.2 == pytest.approx(separation)
    assert ends["sclb_lemma1"][0] >= last
    assert ends["sclb_lemma1"][0] == max(first, math.ceil(last))
    assert ends_of(separation=1.2)["sclb_theorem2"] is None


def test_clusters_that_are_all_close_are_so_for_fewer_rounds_than_theorem_2_holds():
    ends = ends_of(separation=0.03)
    assert 1 / (20 * ends["sclb_close"][1]) ** 0.2 == pytest.approx(0.03)
    assert ends["sclb_close"][0] == ends["sclb_theorem2"][0]
    assert ends["sclb_close"][1] < ends["sclb_theorem2"][1]


def test_theorem_1_needs_more_than_lemma_1():
    for agents in (10, 20, 40, 80):
        ends = ends_of(agents=agents)
        assert ends["sclb_theorem1"][0] >= ends["sclb_lemma1"][0]


@pytest.mark.parametrize(
    "change", [{"separation": 0.0}, {"contexts": "gaussian"}, {"delta": 0.4}, {"population": "mean"}]
)
def test_a_game_outside_of_section_4_is_within_none_of_its_theorems(change):
    ends = ends_of(**{"separation": 0.03, **change})
    assert [ends[name] for name in ("sclb_lemma1", "sclb_theorem1", "sclb_theorem2", "sclb_close")] == [None] * 4
