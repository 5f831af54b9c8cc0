"""Neighbours are those that scikit-learn finds."""

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from manybandits.numerics.neighbours import KEPT, UNTIL, Neighbours, nearest, new_neighbours, remember, variance


def memory(arms: int, dimension: int, observations: int) -> Neighbours:
    """One replica's."""
    return new_neighbours(arms, dimension, observations)


@pytest.mark.parametrize("k", [1, 5])
def test_neighbours_are_those_of_scikit_learn(k):
    rng = np.random.default_rng(0)
    seen = memory(3, 4, 200)
    kept = [[], [], []]
    distances, rewards = np.empty(k), np.empty(k)
    for _ in range(200):
        arm, x, reward = rng.integers(3), rng.normal(size=4), rng.random()
        remember(seen, arm, x, reward)
        kept[arm].append((x, reward))
        asked, at = rng.integers(3), rng.normal(size=4)
        found = nearest(seen, asked, at, distances, rewards)
        assert found == min(k, len(kept[asked]))
        if found:
            places = NearestNeighbors(n_neighbors=found, algorithm="brute").fit([x for x, _ in kept[asked]])
            far, near = places.kneighbors([at])
            assert np.allclose(distances[:found], far[0])
            assert np.array_equal(rewards[:found], [kept[asked][place][1] for place in near[0]])


@pytest.mark.parametrize(("earliest", "expected"), [(False, [3.0, 2.0]), (True, [1.0, 2.0])])
@pytest.mark.parametrize("recurring", [False, True])
def test_of_equally_near_ones_the_latest_or_the_earliest_come_first(earliest, expected, recurring):
    seen = new_neighbours(1, 1, 4, recurring, earliest=earliest)
    distances, rewards = np.empty(2), np.empty(2)
    for reward in (1.0, 2.0, 3.0):
        remember(seen, 0, np.zeros(1), reward)
        nearest(seen, 0, np.ones(1), distances, rewards)
    assert nearest(seen, 0, np.ones(1), distances, rewards) == 2
    assert np.array_equal(rewards, expected)
    assert np.array_equal(distances, [1.0, 1.0])


@pytest.mark.parametrize("places", [8, 512])
def test_answers_do_not_depend_on_what_is_kept_of_recurring_contexts(places):
    """With 8 places for some 250 contexts, hardly any is kept until it is asked about again."""
    rng = np.random.default_rng(0)
    plain = memory(3, 3, 300)
    width = new_neighbours(3, 3, 1, recurring=True).kept.shape[1]
    keeping = memory(3, 3, 300)._replace(kept=np.zeros((places, width)))
    for _ in range(300):
        arm, x, reward = rng.integers(3), np.round(2 * rng.normal(size=3)), rng.random()
        for seen in (plain, keeping):
            remember(seen, arm, x, reward)
        for k in (1, 5, KEPT, KEPT + 3):
            asked, at = rng.integers(3), np.round(2 * rng.normal(size=3))
            answers = []
            for seen in (plain, keeping):
                distances, rewards = np.empty(k), np.empty(k)
                found = nearest(seen, asked, at, distances, rewards)
                answers.append((distances[:found].tolist(), rewards[:found].tolist()))
            assert answers[0] == answers[1]
    assert (keeping.kept[:, UNTIL] > 0).sum() > 0.2 * places


def test_variance_is_that_of_the_rewards_of_the_arm():
    seen = memory(2, 1, 9)
    rewards = [0.0, 1.0, 1.0, 0.25]
    assert variance(seen, 1) == 0.0
    for reward in rewards:
        remember(seen, 1, np.zeros(1), reward)
        remember(seen, 0, np.zeros(1), 0.5)
    assert variance(seen, 1) == pytest.approx(np.var(rewards))
    assert variance(seen, 0) == 0.0
