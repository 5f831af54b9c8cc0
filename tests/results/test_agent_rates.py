"""The bounds of Lemma 1, Theorem 1 and Theorem 2 of the multi-agent paper, against their sums as they are printed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.environments.agent_phases import exploration
from manybandits.results.agent_rates import lemma1, theorem1, theorem2

GAME = {"agents": 20, "clusters": 2, "z": 0, "dimension": 2, "exponent": 0.2, "delta": 1e-5}


@given(st.sampled_from([10, 20, 40, 80]), st.sampled_from([12_500, 100_000]), st.sampled_from([0.1, 0.2, 0.4]))
def test_the_bounds_are_the_displayed_sums(agents, rounds, alpha):
    settings = {**GAME, "agents": agents, "exponent": alpha}
    rho, share, log, ln = 0.5, 0.5, math.log(1e5), math.log(rounds)
    alone, known = 2 / rho * (agents * rounds) ** alpha, math.sqrt(2 * rounds / (rho * agents))
    early = 4 * 2 ** (1 / math.sqrt(share))
    assert theorem1(settings, rounds) == pytest.approx(early + (alone + known) * ln**2 * log)
    merged = 2 * rounds ** (1 - alpha) / agents**alpha * ln
    assert theorem2(settings, rounds) == pytest.approx(early + merged + known * log * ln**2)
    together = max(0.0, rounds - 2 * (agents * rounds) ** (2 * alpha) / rho * log)
    root = math.sqrt(2 * together / (rho * share * agents))
    assert lemma1(settings, rounds) == pytest.approx((alone + root) * log)


def test_the_root_of_lemma_1_is_of_the_rounds_after_t_explore():
    rounds = 100_000
    alone = 4 * (20 * rounds) ** 0.2
    root = (lemma1(GAME, rounds) / math.log(1e5) - alone) ** 2
    assert root == pytest.approx(4 * (rounds - exploration(GAME, rounds, 1e-5)) / 10)


def test_the_root_counts_as_zero_where_agents_learn_alone_to_the_end():
    assert lemma1(GAME, 1_000) == pytest.approx(4 * (20 * 1_000) ** 0.2 * math.log(1e5))


def test_the_smallest_cluster_of_imbalanced_ones_costs_the_most_phases():
    assert theorem1({**GAME, "z": 2}, 1_000) > theorem1(GAME, 1_000)
