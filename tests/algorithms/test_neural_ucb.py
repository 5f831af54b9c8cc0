"""NeuralUCB and NeuralTS with the network of their papers choose as the papers' algorithms do, and scale as theirs."""

import numpy as np
import pytest
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._learning import tables_of, view_of
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.environments.kinds.users import UserGame
from manybandits.numerics.networks import Inputs, factors, initial_weights, learner_weights
from manybandits.numerics.networks.dead_units import dead_units
from manybandits.numerics.networks.symmetric import symmetric_weights
from tests.algorithms.test_neural import DENSE, GAMES, SMALL, arms_of_twin, chosen
from tests.oracles import neural_ucb
from tests.oracles.hybrid import normal
from tests.oracles.plain import SplitMix64

LIKE = torch.zeros(0, dtype=torch.float64)
EVERY_ROUND = {"network": "scaled", "width": 6, "batch": 0, "early": 1, "steps": 4, "rate": 0.03}
CASES = [
    ("neuucb_one", {"alpha": 0.5, "lambda": 0.1, "covariance": "full"}),
    ("neuucb_one", {"alpha": 0.3, "lambda": 0.5, "covariance": "full", "origin": "first", "steps": 9}),
    ("neuucb_one", {"alpha": 0.2, "lambda": 0.1, "layers": 3, "covariance": "full"}),
    ("neuucb_one", {"alpha": 0.5, "lambda": 0.1}),
    ("neural_ts", {"nu": 0.5, "lambda": 0.2, "covariance": "full"}),
    ("neural_ts", {"nu": 0.3, "lambda": 0.1, "origin": "first", "steps": 9}),
]
SOME = {"network": "scaled", "width": 8, "steps": 3, "batch": 4, "rate": 0.01, "early": 5}
DRAWN = [
    ("neuucb_one", {**SOME, "alpha": 0.3}),
    ("neuucb_ind", {**SOME, "alpha": 0.3, "layers": 3}),
    ("neuucb_ind", {**SOME, "alpha": 0.3, "budget": "served", "origin": "first"}),
    ("neural_ts", {**SOME, "covariance": "full"}),
    ("neural_eps_greedy", SOME),
    ("bootstrap_nn", {**SOME, "networks": 3}),
]


def first_weights(game: UserGame, options: dict, seed: int, halves: bool) -> list[np.ndarray]:
    """theta_0 of the policy as the oracle writes it: for inputs with two equal halves, or for contexts as they are."""
    random = streams.words(np.array([seed]), "policy")
    shape = {"blocks": game.blocks, "width": options["width"], "layers": options["layers"]}
    first, *others = (layer[0, 0].numpy() for layer in symmetric_weights(random, 1, game.dimension, **shape, like=LIKE))
    rows = np.concatenate(list(first)).T
    if halves:
        half, nothing = np.sqrt(2) * rows[: options["width"] // 2], np.zeros_like(rows[: options["width"] // 2])
        rows = np.block([[half, nothing], [nothing, half]])
    return [rows, *(layer.T for layer in others)]


class Player:
    """The oracle with the interface of a twin: contexts of blocks written out, and the policy's own random numbers."""

    def __init__(self, game: UserGame, name: str, options: dict, seed: int) -> None:
        self.game, self.options = game, options
        self.halves = options["covariance"] == "full"
        self.random = SplitMix64(int(streams.words(np.array([seed]), "policy")[0, 0]))
        kind = neural_ucb.NeuralTS if name == "neural_ts" else neural_ucb.NeuralUCB
        self.bandit = kind(
            first_weights(game, options, seed, self.halves),
            options["lambda"],
            options["nu"] if name == "neural_ts" else options["alpha"],
            lambda t: options["rate"] / t,
            options["steps"],
            options["origin"] == "first",
            not self.halves,
        )

    def context(self, x: torch.Tensor, block: int) -> np.ndarray:
        long = np.zeros((self.game.blocks, len(x)))
        long[block] = x
        return neural_ucb.doubled(long.ravel()) if self.halves else long.ravel()

    def choose(self, t, user, arms):
        contexts = [self.context(x, block) for x, block in arms]
        if isinstance(self.bandit, neural_ucb.NeuralTS):
            values = [
                mean + spread * normal(self.random) for mean, spread in zip(*self.bandit.moments(contexts), strict=True)
            ]
        else:
            values = list(self.bandit.indices(contexts))
        tied = [arm for arm, value in enumerate(values) if value >= max(values) - 1e-9]
        return tied[int(self.random.uniform() * len(tied)) if len(tied) > 1 else 0]

    def learn(self, t, user, arms, arm, reward):
        self.bandit.learn(self.context(*arms[arm]), reward)


@pytest.mark.parametrize(("name", "option"), [("neuucb_one", "alpha"), ("neuucb_ind", "alpha"), ("neural_ts", "nu")])
def test_who_does_not_explore_plays_alone_as_among_those_who_do_and_keeps_no_account(name, option):
    greedy, exploring = ({**SOME, option: value} for value in (0.0, 0.5))
    together, _ = chosen(DENSE, name, [greedy, exploring], [0, 0], 60, torch.float32)
    alone, player = chosen(DENSE, name, [greedy], [0], 60, torch.float32)
    assert (alone[0] == together[0]).all()
    assert (together[0] != together[1]).any()
    if name != "neural_ts":
        assert all((layer == layer.flatten()[0]).all() for layer in player.covariance.tensors)


@pytest.mark.slow
@pytest.mark.parametrize("where", GAMES)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_policy_chooses_the_arms_of_the_papers_algorithm(name, options, where):
    game, horizon = GAMES[where], 40
    full = contract.complete(catalogue.load(name), {**EVERY_ROUND, **options}, "test")
    ours, player = chosen(game, name, [full], [0], horizon)
    twin = Player(game, name, full, 0)
    theirs = arms_of_twin(game, twin, 0, horizon)
    differ = np.flatnonzero(ours[0] != theirs)
    assert len(differ) == 0, f"first in round {differ[0] + 1}"
    assert len(set(ours[0])) > 1
    last = player.weights[-1][0, 0, :, 0].numpy()
    assert np.allclose(last, twin.bandit.weights[-1][0])
    assert np.abs(last - twin.bandit.first[-1][0]).max() > 0.01


@pytest.mark.parametrize(("name", "options"), DRAWN)
@pytest.mark.parametrize("where", GAMES)
def test_a_replica_with_the_papers_network_does_not_depend_on_the_others(name, options, where):
    seeds = [0, 0, 1, 2]
    settings = [options] * 4
    together, player = chosen(GAMES[where], name, settings, seeds, 60, torch.float32)
    alone, own = chosen(GAMES[where], name, settings[1:3], seeds[1:3], 60, torch.float32)
    assert (alone == together[1:3]).all()
    for mine, theirs in zip(own.tensors, player.tensors, strict=True):
        assert torch.equal(mine, theirs[1:3])


@pytest.mark.parametrize("layers", [2, 3, 5])
@pytest.mark.parametrize("blocks", [1, 3])
def test_the_symmetric_network_is_zero_everywhere_at_first_and_the_plain_one_is_not(layers, blocks):
    shape = {"blocks": blocks, "width": 40, "layers": layers, "like": LIKE}
    random = streams.words(np.arange(3), "test")
    x = torch.as_tensor(np.random.default_rng(0).normal(size=(3, 1 if blocks > 1 else 4, 5)))
    symmetric = factors(learner_weights(symmetric_weights(random, 1, 5, **shape), None), Inputs(x)).value
    plain = factors(learner_weights(initial_weights(random, 1, 5, **shape), None), Inputs(x)).value
    assert symmetric.abs().max() < 1e-12
    assert plain.abs().max() > 0.1


def test_initial_gradients_have_the_inner_products_of_an_infinite_network():
    angle = 1.1
    x = torch.tensor([[[1.0, 0.0], [np.cos(angle), np.sin(angle)]]], dtype=torch.float64)
    weights = symmetric_weights(streams.words(np.arange(1), "test"), 1, 2, width=40000, like=LIKE)
    at = factors(learner_weights(weights, None), Inputs(x))
    products = sum((u @ u.mT) * (v @ v.mT) for u, v in zip(at.inputs, at.deltas, strict=True))[0]
    on = (np.pi - angle) / np.pi  # the share of units that are on at both, of those that are on at one
    assert products[0, 0].item() == pytest.approx(2.0, rel=0.05)
    assert products[0, 1].item() == pytest.approx(
        np.cos(angle) * on + (np.sin(angle) + np.cos(angle) * (np.pi - angle)) / np.pi, rel=0.05
    )


def bonuses(width: int, options: dict, regularization: float, plays: int) -> np.ndarray:
    """What is added to the value of the only arm, in units of the reward, before and after it is played."""
    options = {
        **options,
        "width": width,
        "covariance": "full",
        "alpha": 1.0,
        "lambda": regularization,
        "steps": 0,
    }
    module = catalogue.load("neuucb_one")
    arrays = {"item_table": np.array([[1.0]]), "user_table": np.zeros((1, 0))}
    columns = contract.stack([contract.complete(module, options, "test")] * 50)
    problem = contract.Problem(1, 1, 1, 1, plays + 1)
    tables = tables_of(arrays, "cpu", torch.float64)
    player = module.Policy(problem, columns, False, streams.words(np.arange(50), "policy"), tables)
    nothing = torch.zeros(50, dtype=torch.int64)
    found = []
    for t in range(plays + 1):
        view = view_of(tables, t + 1, nothing[:, None], nothing[:, None], nothing[:, None], 1)
        arm = player.select(view)
        spread = player.covariance.spread(player.seen, None)[:, 0]
        found.append((player.scale * spread.sqrt() * player.training.gain).mean().item())
        player.learn(view, arm, torch.zeros(50, dtype=torch.float64))
    return np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize("regularization", [0.1, 1.0])
def test_the_bonus_does_not_depend_on_the_width_unless_it_is_divided_by_it(regularization):
    plays = np.arange(4)
    expected = np.sqrt(2 / (regularization + 2 * plays))  # g'g / m is 2 at an input of length 1
    for width in (100, 400):
        assert bonuses(width, {"network": "scaled"}, regularization, 3) == pytest.approx(expected, rel=0.05)
        plain = bonuses(width, {"network": "plain"}, regularization, 0)  # its last layer has half the variance
        assert plain == pytest.approx(np.sqrt([1.5 / regularization]), rel=0.05)
    divided = {"network": "plain", "divisor": "width"}
    narrow, wide = (bonuses(width, divided, regularization, 0)[0] for width in (100, 400))
    assert narrow / wide == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("budget", ["shared", "served"])
def test_a_served_budget_trains_the_network_of_the_user_served_alone(budget):
    options = {**SMALL, "budget": budget, "early": 20, "steps": 10, "rate": 0.01}
    _, before = chosen(DENSE, "neuucb_ind", [options], [0], 19)
    _, after = chosen(DENSE, "neuucb_ind", [options], [0], 20)
    moved = (before.weights[0] != after.weights[0]).flatten(2).any(2)[0]
    served = int(after.history.user[0, 19])
    assert moved[served]
    assert (moved.sum() == 1) == (budget == "served")


def test_a_served_budget_needs_a_batch():
    with pytest.raises(InputError, match="give a batch of 1 or more"):
        chosen(DENSE, "neuucb_ind", [{**SMALL, "budget": "served", "batch": 0}], [0], 5)


def test_a_network_that_starts_at_zero_needs_an_even_width():
    with pytest.raises(InputError, match="give an even one"):
        chosen(DENSE, "neural_ts", [{"width": 7}], [0], 5)


@pytest.mark.parametrize("layers", [2, 3])
def test_dead_units_are_counted_per_replica_in_the_worst_layer(layers):
    weights = list(initial_weights(streams.words(np.arange(3), "test"), 1, 4, width=10, layers=layers, like=LIKE))
    x = torch.as_tensor(np.random.default_rng(1).normal(size=(3, 200, 4)).clip(0))
    weights[0] = weights[0].abs()
    weights[0][1, :, :, :, :5] *= -1
    weights[layers - 2][2] = -weights[layers - 2][2].abs()
    at = factors(learner_weights(tuple(weights), None), Inputs(x))
    shares = dead_units(at, 10)
    assert shares[0] <= 0.3
    assert shares[1] >= 0.5
    assert shares[2] == 1.0


@pytest.mark.parametrize("name", ["neuucb_one", "neuucb_ind", "neural_linear", "neural_eps_greedy", "bootstrap_nn"])
def test_a_policy_whose_units_died_says_so(name):
    _, player = chosen(DENSE, name, [{"width": 20}] * 2, [0, 1], 30)
    assert (player.dead_units() < 0.9).all()
    player.weights[0][1] = 0.0
    assert player.dead_units()[1] == 1.0
    assert player.dead_units()[0] < 0.9
