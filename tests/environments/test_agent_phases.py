"""T_Explore against the phases of CMLB and SCLB, in the games on which the theorems on clusters are played."""

from __future__ import annotations

import math

import pytest

from manybandits.environments.agent_phases import exploration, first_phase, too_short
from manybandits.environments.agents import SETTINGS

MET = {
    **SETTINGS,
    **{"agents": 80, "clusters": 2, "dimension": 2, "separation": 1.2, "contexts": "sphere", "delta": 1e-5},
}


def test_t_explore_is_that_of_the_proof_of_lemma_1():
    assert exploration(MET, 100_000, 1e-5) == pytest.approx(2 * (80 * 100_000) ** 0.4 * math.log(1e5) / 0.5)


@pytest.mark.parametrize(
    ("change", "first"), [({}, 2), ({"clusters": 4}, 2), ({"clusters": 5}, 3), ({"sizes": "drawn"}, 1)]
)
def test_a_lemma_is_applied_from_the_phase_on_whose_size_parameter_is_no_more_than_a_share(change, first):
    settings = {**MET, "z": 0, **change}
    assert first_phase(settings) == first
    assert first**-2 <= (1 if "sizes" in change else 1 / settings["clusters"])


def test_the_share_of_imbalanced_clusters_is_that_of_the_largest():
    assert first_phase({**MET, "clusters": 10, "z": 0}) == 4
    assert first_phase({**MET, "clusters": 10, "z": 2}) == 2


@pytest.mark.parametrize("agents", [10, 20, 40, 80])
def test_cmlb_acts_together_in_a_hundred_thousand_rounds_and_the_first_phases_of_sclb_do_not(agents):
    settings = {**MET, "agents": agents}
    assert not too_short(settings, "cmlb", 100_000)
    assert "phase" in too_short(settings, "sclb", 100_000)
    assert "alone" in too_short(settings, "cmlb", 2_000)


def test_eighty_agents_of_sclb_act_together_in_four_hundred_rounds_of_a_hundred_thousand():
    together = 0.0
    for phase in range(1, 17):
        played = min(2**phase, 100_001 - 2**phase)
        together += max(0.0, played - exploration(MET, 2**phase, 1e-5 / 2**phase))
    assert together == pytest.approx(400, abs=1)


def test_phases_of_agents_that_are_nearly_all_different_are_long_enough():
    """With i* at 20 the first phase that counts has a million rounds, of which agents learn alone in a third."""
    settings = {**MET, "agents": 400, "clusters": 400, "delta": 1e-6, "z": 0}
    assert first_phase(settings) == 20
    assert not too_short(settings, "sclb", 2**21)


@pytest.mark.parametrize(("change", "algorithm"), [({}, "linucb_alone"), ({"population": "mean"}, "sclb")])
def test_only_cmlb_and_sclb_have_a_t_explore_and_only_among_clusters(change, algorithm):
    assert not too_short({**MET, **change}, algorithm, 10)
