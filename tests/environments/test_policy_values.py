"""The four estimates are their formulas, event by event, and the numbers of another library."""

from __future__ import annotations

import math

import numpy as np
import pytest

from manybandits.environments.policy_values import effective_events, estimate_values


def a_log(events: int = 400, arms: int = 3) -> dict[str, np.ndarray]:
    """A log whose propensities, policy and model differ in every event."""
    random = np.random.default_rng(0)
    logged = random.dirichlet(np.ones(arms), events)
    chances, pays = random.dirichlet(np.ones(arms) * 0.5, events), random.random((events, arms))
    shown = np.array([random.choice(arms, p=row) for row in logged])
    each = np.arange(events)
    reward = (random.random(events) < pays[each, shown]).astype(float)
    guess = np.clip(pays + random.normal(size=(events, arms)) * 0.1, 0, 1)
    return {
        **{"chances": chances, "shown": shown, "reward": reward, "propensity": logged[each, shown], "guess": guess},
        "pays": pays,
    }


def by_hand(log: dict[str, np.ndarray], largest: float) -> dict[str, float]:
    """The formulas, with a loop over events and arms."""
    ips = weights = robust = switch = 0.0
    events, arms = log["chances"].shape
    for i in range(events):
        a, r = log["shown"][i], log["reward"][i]
        w = log["chances"][i, a] / log["propensity"][i]
        q = sum(log["chances"][i, k] * log["guess"][i, k] for k in range(arms))
        ips, weights = ips + w * r, weights + w
        robust += q + w * (r - log["guess"][i, a])
        switch += q + (w * (r - log["guess"][i, a]) if w <= largest else 0)
    return {"ips": ips / events, "snips": ips / weights, "dr": robust / events, "switch": switch / events}


def test_the_estimates_are_their_formulas():
    log = a_log()
    log.pop("pays")
    found = estimate_values(**log, largest_weight=2.0)
    assert {name: value for name, (value, *_) in found.items()} == pytest.approx(by_hand(log, 2.0), rel=1e-12)


def test_the_estimates_are_those_of_the_open_bandit_pipeline():
    """obp 0.4.1: its four estimators, SwitchDoublyRobust with tau = 2, on this log."""
    log = a_log()
    log.pop("pays")
    found = estimate_values(**log, largest_weight=2.0)
    assert {name: value for name, (value, *_) in found.items()} == pytest.approx(
        {
            "ips": 0.6202098585488662,
            "snips": 0.5738160039812524,
            "dr": 0.5294797539174242,
            "switch": 0.5318987487091322,
        },
        rel=1e-9,
    )


@pytest.mark.parametrize("name", ["ips", "snips", "dr", "switch"])
def test_an_interval_of_95_percent_contains_the_value_of_the_policy_in_some_95_percent_of_logs(name):
    random, covered = np.random.default_rng(1), []
    pays, logged, policy = np.array([0.2, 0.5, 0.7]), np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.2, 0.7])
    for _ in range(400):
        shown = random.choice(3, 500, p=logged)
        reward = (random.random(500) < pays[shown]).astype(float)
        chances, guess = np.tile(policy, (500, 1)), np.tile(pays - 0.1, (500, 1))
        _, low, high = estimate_values(chances, shown, reward, logged[shown], guess, largest_weight=10.0)[name]
        covered.append(low <= pays @ policy <= high)
    assert 0.91 < np.mean(covered) < 0.985


def test_a_policy_whose_arms_were_never_shown_has_no_self_normalised_value():
    chances, shown = np.array([[0.0, 1.0]] * 3), np.zeros(3, int)
    found = estimate_values(chances, shown, np.ones(3), np.full(3, 0.5), np.full((3, 2), 0.25), largest_weight=10.0)
    assert math.isnan(found["snips"][0])
    assert found["ips"][0] == 0
    assert found["dr"][0] == 0.25


def test_the_effective_sample_size_is_the_number_of_events_if_all_weigh_the_same():
    assert effective_events(np.full(7, 3.0)) == pytest.approx(7)
    assert effective_events(np.array([1.0, 0, 0])) == 1
    assert effective_events(np.zeros(3)) == 0
