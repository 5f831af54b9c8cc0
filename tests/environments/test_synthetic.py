"""Synthetic games: separated clusters, linear rewards, and what cannot be made."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.environments.kinds.users import UserGame


def test_synthetic_clusters_are_separated_and_rewards_linear():
    arrays = synthetic.build(users=20, clusters=4, items=30, dimension=5, separation=0.9)
    centres = np.array([arrays["theta"][arrays["cluster"] == c][0] for c in range(4)])
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    assert gaps[~np.eye(4, dtype=bool)].min() >= 0.9
    rounds = synthetic.draw_block(arrays, 10, 2000, np.random.default_rng(0))
    assert abs((rounds.rewards - rounds.expected).mean()) < 0.005
    assert abs((rounds.rewards - rounds.expected).std() - 0.1) < 0.005


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"clusters": 60}, "60 clusters of 50 users"),
        ({"separation": 1.9, "clusters": 5, "dimension": 2}, "ask for less"),
        ({"items": 5}, "only 5 items: offer fewer arms"),
    ],
)
def test_an_impossible_synthetic_game_says_why(tmp_path, settings, words):
    with pytest.raises(InputError, match=words):
        synthetic.freeze(tmp_path / "game.npz", **settings)


def test_first_observations_are_one_of_each_user_with_its_own_reward():
    arrays = synthetic.build(users=20, clusters=4, items=30, dimension=5, noise=0.0)
    game = UserGame("test", {}, arrays, 20, 6, synthetic.draw_block, draw_first=synthetic.draw_first)
    first = game.first_observations(np.array([7]))
    assert (first.users[0] == np.arange(20)).all()
    assert np.allclose(first.rewards[0], (arrays["theta"] * arrays["item_table"][first.items[0]]).sum(axis=1))
    assert len(set(first.arms[0])) > 1


def test_a_game_without_data_of_single_users_has_no_first_observations():
    game = UserGame("test", {}, synthetic.build(), 50, 10, synthetic.draw_block)
    with pytest.raises(InputError, match="no data of single users to observe before round 1"):
        game.first_observations(np.array([0]))
