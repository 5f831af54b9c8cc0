"""M-CNB plays alone as among other replicas in every reading of the text, and its clusters are what they are said."""

import numpy as np
import pytest
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._learning import tables_of
from manybandits.algorithms.neural._m_cnb_meta import at_arms
from manybandits.base import seeds as streams
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.neural import play_batched
from manybandits.numerics.networks import squared_distance
from tests.algorithms.test_neural import DENSE, game_of_classes
from tests.harness.beside import made
from tests.harness.one_block import play_apart_by_hand, play_by_hand

M_CNB = catalogue.load("m_cnb")


GAMES = {"dense": DENSE, "told": game_of_classes(user="class"), "arms": game_of_classes(user="arm")}
SMALL = {"width": 7, "steps": 3, "batch": 20, "rate": 0.02, "early": 4, "until": 20, "late": 7}
MOVING = {**SMALL, "user_rate": 0.05, "meta_rate": 0.02, "gamma": 0.1}
CASES = [
    SMALL,
    MOVING,
    {**MOVING, "meta_optimiser": "plain", "meta_rate": 0.2, "draws": "round"},
    {**MOVING, "meta_optimiser": "plain", "meta_rate": 0.2, "user_optimiser": "plain", "user_rate": 0.5, "alpha": 1.0},
    {**MOVING, "draws": "round", "learners": "served", "S": 4.0},
    {**MOVING, "learning": "history", "learners": "served", "counts": "served"},
    {**MOVING, "learning": "history", "user_optimiser": "plain", "meta_training": "all", "first_data": "none"},
    {**MOVING, "meta_steps": 3, "layers": 3, "first": "own"},
    {**MOVING, "meta_steps": 2, "meta_optimiser": "plain", "draws": "round", "counts": "served", "gamma": 0.03},
    {**MOVING, "samples": 3},
    {**MOVING, "samples": 2, "meta_steps": 2, "meta_optimiser": "plain"},
    {**MOVING, "first_data": "none", "first": "own", "gamma": 0.2, "learners": "served", "meta_training": "all"},
]


def policy_of(game: UserGame, settings: list[dict], seeds: list[int], horizon: int):
    """Return R replicas before line 3."""
    problem = contract.Problem(game.users, game.items, game.arms, game.dimension, horizon, blocks=game.blocks)
    full = [contract.complete(M_CNB, setting, "test") for setting in settings]
    random = streams.words(np.array(seeds), "policy")
    return M_CNB.Policy(problem, contract.stack(full), random, tables_of(game.arrays, "cpu"))


def chosen(game: UserGame, settings: list[dict], seeds: list[int], horizon: int):
    """Return the arms of R replicas, (R, horizon), and the policy that played them."""
    player, arms = policy_of(game, settings, seeds, horizon), []
    select = player.select
    player.select = lambda view: arms.append(select(view)) or arms[-1]
    play_batched(game, player, Batch(np.array(seeds), np.array([horizon])))
    return torch.stack(arms, dim=1).numpy(), player


@pytest.mark.parametrize("where", GAMES)
@pytest.mark.parametrize("options", CASES)
def test_a_replica_does_not_depend_on_the_others(options, where):
    game, horizon = GAMES[where], 60
    settings = [{**options, "alpha": alpha, "S": norm} for alpha in (0.001, 0.1, 1.0) for norm in (1.0, 3.0)] * 2
    seeds = [r // 6 for r in range(12)]
    together, player = chosen(game, settings, seeds, horizon)
    for part in (slice(0, 1), slice(4, 11)):
        others, own = chosen(game, settings[part], seeds[part], horizon)
        assert (others == together[part]).all()
        for mine, theirs in zip(own.tensors, player.tensors, strict=True):
            assert torch.equal(mine, theirs[part])


@pytest.mark.parametrize("where", GAMES)
@pytest.mark.parametrize("options", [CASES[1], {**MOVING, "learning": "history"}])
def test_users_differ_after_line_3(options, where):
    """VERDICTS 7.0: line 3 of Algorithm 1 was passed over, so that all users had one network."""
    game = GAMES[where]
    player = policy_of(game, [options] * 3, [0, 1, 2], 30)
    observed = game.first_observations(np.array([0, 1, 2]))
    player.observe_first(type(observed)(*map(torch.as_tensor, observed)))
    assert (player.mu == 1).all()
    for learner in range(1, game.users):
        assert all((layer[:, 0] != layer[:, learner]).flatten(1).any(1).all() for layer in player.users.weights)


def test_without_line_3_users_stay_alike():
    _, player = chosen(DENSE, [{**MOVING, "gamma": 0.001, "first_data": "none"}], [0], 100)
    assert player.members.all()
    for layer, start in zip(player.users.weights, player.start, strict=True):
        assert (layer == layer[:, :1]).all()
        assert (layer != start).any()


@pytest.mark.parametrize("where", GAMES)
def test_with_line_3_a_cluster_can_be_smaller_than_everybody(where):
    sizes = set()
    player = policy_of(GAMES[where], [MOVING], [0], 60)
    learn = player.learn
    player.learn = lambda view, arm, reward: (sizes.add(int(player.cluster(view, arm).sum())), learn(view, arm, reward))
    play_batched(GAMES[where], player, Batch(np.array([0]), np.array([60])))
    assert min(sizes) >= 1
    assert len(sizes) > 1


@pytest.mark.parametrize("where", ["dense", "arms"])
def test_the_clusters_that_are_reported_are_those_of_the_arms_played(where):
    game, horizon = GAMES[where], 40
    player = policy_of(game, [MOVING], [0], horizon)
    found = play_batched(game, player, Batch(np.array([0]), np.arange(1, horizon + 1)))
    twin, sizes = made(game, "m_cnb", MOVING, 0, horizon), []
    learn = twin.learn
    twin.learn = lambda *round_: (sizes.append(len(twin.tried[twin.arm][0])), learn(*round_))
    (play_apart_by_hand if where == "arms" else play_by_hand)(game, twin, 0, horizon)
    assert found["size"][0].tolist() == sizes


@pytest.mark.parametrize(("where", "changes"), [("dense", False), ("told", False), ("arms", True)])
def test_s_changes_choices_only_where_each_arm_has_its_user(where, changes):
    settings = [{**MOVING, "alpha": 1.0, "learners": "served", "S": norm} for norm in (0.1, 100.0)]
    arms, _ = chosen(GAMES[where], settings, [0, 0], 60)
    assert (arms[0] != arms[1]).any() == changes


@pytest.mark.parametrize("draws", ["arm", "round"])
@pytest.mark.parametrize("where", ["dense", "arms"])
def test_a_step_of_adam_that_is_not_built_says_what_the_built_network_says(where, draws):
    game, pairs = GAMES[where], []
    player = policy_of(game, [{**MOVING, "draws": draws}] * 2, [0, 1], 30)
    evaluate = player.meta.evaluate

    def both(drawn, history, view):
        evaluated, built = evaluate(drawn, history, view), player.meta.build(drawn, history)
        pairs.append((squared_distance(evaluated.factors, at_arms(built.weights, view)), evaluated.factors.value))
        pairs.append((evaluated.factors.value - at_arms(built.weights, view).value, evaluated.factors.value))
        return evaluated

    player.meta.evaluate = both
    play_batched(game, player, Batch(np.array([0, 1]), np.array([30])))
    assert len(pairs) == 60
    assert all(difference.abs().max() < 1e-4 for difference, _ in pairs)
    assert any((value != 0).any() for _, value in pairs)


@pytest.mark.parametrize("meta", [{}, {"meta_optimiser": "plain"}, {"meta_steps": 3}, {"layers": 3}])
def test_a_cluster_without_data_leaves_theta_as_it_is(meta):
    _, player = chosen(DENSE, [{**MOVING, **meta, "first_data": "none"}], [0], 1)
    for layer, start in zip(player.meta.weights, player.start, strict=True):
        assert torch.equal(layer, start)
    _, player = chosen(DENSE, [{**MOVING, **meta}], [0], 1)
    assert not torch.equal(player.meta.weights[0], player.start[0])
