"""Meta-Ban plays alone as among other replicas in every reading, and does what its lines say."""

import numpy as np
import pytest
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._own_rounds import Draws, OwnRounds
from manybandits.algorithms.plain._networks import f
from manybandits.base import seeds as streams
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.networks import Inputs, factors
from tests.algorithms.test_neural import BLOCKS, DENSE, chosen, game_of_classes
from tests.harness.beside import made

GAMES = {"dense": DENSE, "blocks": BLOCKS}
OF_USERS = {
    "block of its user": game_of_classes(user="arm"),
    "shift of its user": game_of_classes(user="arm", shifted=True),
}
SMALL = {"width": 7, "batch": 5, "user_steps": 2, "meta_steps": 3, "lambda": 0.02, "user_rate": 0.05, "meta_rate": 0.01}
READINGS = [
    {"gamma": 0.05},
    {"gamma": 0.05, "first_data": "none", "weights": "last", "meta_start": "previous", "user_start": "previous"},
    {"gamma": 0.2, "layers": 3, "weights": "redrawn", "loss": "sum", "meta_rate": 0.003, "batch": 3, "user_rate": 0.1},
    {"gamma": 0.1, "meta_start": "previous", "meta_optimiser": "adam", "scaled": "gradient", "alpha": 1.0},
    {"gamma": 0.1, "user_start": "previous", "user_optimiser": "plain", "user_rate": 0.5, "meta_rate": 0.3},
    {"gamma": 0.1, "gradient": "meta", "meta_rate": 0.3},
    {"gamma": 0.1, "gradient": "meta", "meta_optimiser": "adam", "meta_start": "previous", "layers": 3},
    {"gamma": 0.2, "gradient": "meta", "loss": "sum", "meta_rate": 0.01, "first_data": "none"},
]


def options_of(setting: dict) -> dict:
    return contract.complete(catalogue.load("meta_ban"), {**SMALL, **setting}, "test")


def test_groups_in_the_run_table_are_those_of_the_users_networks():
    horizon, options = 40, options_of({"gamma": 0.05})
    game, twin = DENSE, made(DENSE, "meta_ban", options, 0, horizon)
    table = play_replicas(game, catalogue.load("meta_ban"), [options], [0], horizon=horizon)
    last = table[table["round"] == horizon].iloc[0]
    rounds, sizes = game.rounds(np.array([0]), 0), []
    for b in range(horizon):
        user, items = int(rounds.users[0, b, 0]), rounds.items[0, b]
        contexts = game.arrays["item_table"][items]
        arm = twin.choose(b + 1, user, items, contexts)
        values = [float(f(theta, contexts[arm : arm + 1])[0]) for theta in twin.theta]
        sizes.append(sum(abs(value - values[user]) <= twin.reach for value in values))
        twin.learn(b + 1, user, items[arm], contexts[arm], rounds.rewards[0, b, arm])
    assert len(set(sizes)) > 1
    checkpoints = table["round"].tolist()
    since = checkpoints[-2] if len(checkpoints) > 1 else 0
    assert last["size"] == pytest.approx(np.mean(sizes[since:]))


@pytest.mark.parametrize("where", GAMES)
@pytest.mark.parametrize("setting", READINGS)
def test_a_replica_does_not_depend_on_the_others(setting, where):
    game, horizon = GAMES[where], 40
    settings = [{**options_of(setting), "alpha": alpha} for alpha in (0.001, 0.1, 1.0)] * 2
    seeds = [0, 0, 0, 1, 1, 1]
    together, player = chosen(game, "meta_ban", settings, seeds, horizon)
    for r in (0, 4):
        alone, own = chosen(game, "meta_ban", settings[r : r + 1], seeds[r : r + 1], horizon)
        assert (alone[0] == together[r]).all()
        for mine, theirs in zip(own.tensors, player.tensors, strict=True):
            assert torch.equal(mine[0], theirs[r])


def test_users_differ_after_line_3():
    """VERDICTS 7.0: line 3 of Algorithm 1 was passed over, so that all users had one network."""
    _, player = chosen(DENSE, "meta_ban", [options_of({"weights": "last"})], [0], 1)
    assert (player.lists.count[0, 1:] >= 1).all()
    weights = player.users.weights[0][0, 1:].flatten(1)
    assert (torch.cdist(weights, weights) + torch.eye(DENSE.users) > 0).all()
    _, without = chosen(DENSE, "meta_ban", [options_of({"first_data": "none", "weights": "last"})], [0], 1)
    moved = (without.users.weights[0][0, 1:] != without.start[0]).flatten(1).any(1)
    assert moved.sum() == 1  # the user served


def test_the_weights_that_form_groups_are_uniform_over_all_that_a_user_has_had():
    trainings, replicas = 4, 4000
    lists = OwnRounds(replicas, 1, trainings, streams.words(np.arange(replicas), "test"), torch.device("cpu"))
    kept = {"uniform": np.zeros(replicas, int), "redrawn": np.zeros(replicas, int)}
    for training in range(trainings):
        served = lists.add(np.zeros(replicas, int), training)
        kept["uniform"] = np.where(lists.newest_is_drawn(served), training + 1, kept["uniform"])
        kept["redrawn"] = lists.one_of_all(served) + 1
    for drawn in kept.values():
        shares = np.bincount(drawn, minlength=trainings + 1) / replicas
        assert np.abs(shares - 1 / (trainings + 1)).max() < 0.03  # more than four standard deviations


@pytest.mark.parametrize("optimiser", ["adam", "plain"])
@pytest.mark.parametrize("where", [*GAMES, "shift of its user"])
def test_a_training_on_each_observation_once_has_the_bits_of_one_on_every_draw(where, optimiser, monkeypatch):
    game = {**GAMES, **OF_USERS}[where]
    settings = [options_of({"user_optimiser": optimiser, "user_steps": 30, "alpha": alpha}) for alpha in (0.1, 1.0)]
    _, player = chosen(game, "meta_ban", settings, [0, 1], 60)
    served = player.lists.count.argmax(1)
    once = player.lists.draws(served, 30, 5)
    for rounds, order in zip(once.rounds, once.order, strict=True):
        own = rounds[: order.max() + 1]
        assert len(own.unique()) == len(own) > 5
    rows = once.rounds.gather(1, once.order.flatten(1))
    every = Draws(rows, torch.arange(150).view(30, 5).expand(2, -1, -1), once.size, once.used)
    learned = []
    for draws in (once, every):
        monkeypatch.setattr(player.lists, "draws", lambda *_, draws=draws: draws)
        learned.append([layer.clone() for layer in player.users.train(player.start, served)])
    assert all(map(torch.equal, *learned))
    assert not torch.equal(learned[0][0], player.start[0])


def loss_of(weights, player) -> float:
    """The mean squared error of one network on all observations of the only replica."""
    x, block, _, reward = player.history.rounds(torch.arange(player.history.length).unsqueeze(0))
    return float((factors(weights, Inputs(x, block)).value - reward).square().mean())


@pytest.mark.parametrize("where", GAMES)
def test_a_meta_learner_fits_the_data_of_its_group_only_with_gradients_at_theta(where):
    fitted = {"gamma": 100.0, "batch": 64, "user_steps": 100, "meta_steps": 100, "lambda": 1e-6, "alpha": 0.001}
    left = {}
    for gradient in ("meta", "user"):
        setting = options_of({**fitted, "width": 20, "gradient": gradient, "meta_rate": 0.1, "weights": "last"})
        _, player = chosen(GAMES[where], "meta_ban", [setting], [0], 20)
        left[gradient] = loss_of(player.meta, player) / loss_of(player.start, player)
    assert left["meta"] < 0.75
    assert left["user"] > left["meta"] + 0.2
