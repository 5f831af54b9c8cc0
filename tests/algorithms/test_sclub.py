"""SCLUB's count of the clusters that each one could merge with, and the memory that its users take."""

import numpy as np

from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.compiling.kernels import replica_bytes
from manybandits.compiling.replicas import row
from tests.harness.one_block import play, start, synthetic_game

GAME = synthetic_game(users=40, clusters=4, items=100)
OPTIONS = [{"alpha": 0.1, "alpha_theta": 0.6, "alpha_p": 10.0}, {"alpha": 0.1, "alpha_theta": 0.6, "alpha_p": 0.1}]


def close_pairs(state) -> np.ndarray:
    """Return which clusters j < k of a replica are close enough to merge, (n, n), from their present estimates."""
    used, estimate = state.size > 0, state.clusters.estimate
    radius = np.array([confidence_radius(count) for count in state.clusters.count])
    width = state.alpha_theta / 2 * (radius[:, None] + radius)
    apart = np.linalg.norm(estimate[:, None] - estimate, axis=2)
    return np.triu((apart < width) & used[:, None] & used, 1)


def test_partners_are_the_later_clusters_that_are_close():
    found = 0
    for horizon in (20, 60, 200, 600):
        states = start(GAME, "sclub", OPTIONS, [3, 3])
        play(GAME, "sclub", states, [3, 3], horizon)
        for r in range(len(OPTIONS)):
            state = row(states, r)
            close = close_pairs(state)
            assert np.array_equal(state.pairs.later, close.sum(axis=1))
            assert (state.size[state.pairs.end[0] :] == 0).all()
            found += close.sum()
    assert found > 0


def test_the_memory_of_sclub_grows_with_its_users_not_with_their_pairs():
    few, many = (
        replica_bytes(start(synthetic_game(users=users, clusters=4), "sclub", [{}], [0])) for users in (1000, 4000)
    )
    assert many < 4.01 * few
