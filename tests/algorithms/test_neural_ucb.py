"""NeuralUCB and NeuralTS with the network of their papers scale as theirs do, in which inputs have two equal halves."""

import numpy as np
import pytest
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._dead import dead_units
from manybandits.algorithms.neural._learning import tables_of, view_of
from manybandits.algorithms.plain._draws import Random
from manybandits.algorithms.plain._networks import f, flat, g, plain_weights, slopes
from manybandits.algorithms.plain._networks import symmetric_weights as symmetric_twin
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.numerics.networks import Inputs, factors, initial_weights, learner_weights
from manybandits.numerics.networks.symmetric import symmetric_weights
from tests.algorithms.test_neural import DENSE, GAMES, SMALL, chosen

LIKE = torch.zeros(0)
EVERY_ROUND = {"network": "scaled", "width": 6, "batch": 0, "early": 1, "steps": 4, "rate": 0.03}
SOME = {"network": "scaled", "width": 8, "steps": 3, "batch": 4, "rate": 0.01, "early": 5}
DRAWN = [
    ("neuucb_one", {**SOME, "alpha": 0.3}),
    ("neuucb_ind", {**SOME, "alpha": 0.3, "layers": 3}),
    ("neuucb_ind", {**SOME, "alpha": 0.3, "budget": "served", "origin": "first"}),
    ("neural_ts", {**SOME, "covariance": "full"}),
    ("neural_eps_greedy", SOME),
    ("bootstrap_nn", {**SOME, "networks": 3}),
]


@pytest.mark.parametrize(("name", "option"), [("neuucb_one", "alpha"), ("neuucb_ind", "alpha"), ("neural_ts", "nu")])
def test_who_does_not_explore_plays_alone_as_among_those_who_do_and_keeps_no_account(name, option):
    greedy, exploring = ({**SOME, option: value} for value in (0.0, 0.5))
    together, _ = chosen(DENSE, name, [greedy, exploring], [0, 0], 60)
    alone, player = chosen(DENSE, name, [greedy], [0], 60)
    assert (alone[0] == together[0]).all()
    assert (together[0] != together[1]).any()
    if name != "neural_ts":
        assert all((layer == layer.flatten()[0]).all() for layer in player.covariance.tensors)


@pytest.mark.parametrize("layers", [2, 3])
def test_a_twin_takes_contexts_and_the_papers_network_inputs_with_two_equal_halves(layers):
    """f and all inner products of gradients, on which NeuralUCB depends alone, are those of (x, x) / sqrt(2)."""
    (W,) = symmetric_twin(Random(streams.words(np.array([0]), "policy")[0]), 1, 4, 6, layers)
    half, nothing = np.sqrt(2) * W[0][:3], np.zeros((3, 4))
    of_halves = [np.block([[half, nothing], [nothing, half]]), *W[1:]]
    contexts = np.random.default_rng(0).normal(size=(5, 4))
    halves = np.hstack([contexts, contexts]) / np.sqrt(2)
    each = np.ones(len(contexts))
    moved = [layer + 0.1 * slope for layer, slope in zip(W, slopes(W, contexts, each), strict=True)]
    of_moved = [layer + 0.1 * slope for layer, slope in zip(of_halves, slopes(of_halves, halves, each), strict=True)]
    for one, two in ((W, of_halves), (moved, of_moved)):
        np.testing.assert_allclose(f(one, contexts), f(two, halves), atol=1e-12)
        at, of_at = (np.array([flat(g(net, x)) for x in xs]) for net, xs in ((one, contexts), (two, halves)))
        np.testing.assert_allclose(at @ at.T, of_at @ of_at.T, atol=1e-12)
    assert np.abs(f(W, contexts)).max() < 1e-12 < np.abs(f(moved, contexts)).max()


def test_the_gradient_of_a_twin_is_that_of_torch():
    (W,) = plain_weights(Random(streams.words(np.array([1]), "policy")[0]), 1, 4, 6, 3)
    X, c = np.random.default_rng(1).normal(size=(5, 4)), np.arange(5.0)
    layers = [torch.tensor(layer, requires_grad=True) for layer in W]
    hidden = torch.as_tensor(X)
    for layer in layers[:-1]:
        hidden = torch.relu(hidden @ layer.T)
    ((hidden @ layers[-1].T)[:, 0] * torch.as_tensor(c)).sum().backward()
    for ours, theirs in zip(slopes(W, X, c), layers, strict=True):
        np.testing.assert_allclose(ours, theirs.grad, atol=1e-12)


@pytest.mark.parametrize(("name", "options"), DRAWN)
@pytest.mark.parametrize("where", GAMES)
def test_a_replica_with_the_papers_network_does_not_depend_on_the_others(name, options, where):
    seeds = [0, 0, 1, 2]
    settings = [options] * 4
    together, player = chosen(GAMES[where], name, settings, seeds, 60)
    alone, own = chosen(GAMES[where], name, settings[1:3], seeds[1:3], 60)
    assert (alone == together[1:3]).all()
    for mine, theirs in zip(own.tensors, player.tensors, strict=True):
        assert torch.equal(mine, theirs[1:3])


@pytest.mark.parametrize("layers", [2, 3, 5])
@pytest.mark.parametrize("blocks", [1, 3])
def test_the_symmetric_network_is_zero_everywhere_at_first_and_the_plain_one_is_not(layers, blocks):
    shape = {"blocks": blocks, "width": 40, "layers": layers, "like": LIKE}
    random = streams.words(np.arange(3), "test")
    x = torch.as_tensor(np.random.default_rng(0).normal(size=(3, 1 if blocks > 1 else 4, 5))).to(LIKE)
    symmetric = factors(learner_weights(symmetric_weights(random, 1, 5, **shape), None), Inputs(x)).value
    plain = factors(learner_weights(initial_weights(random, 1, 5, **shape), None), Inputs(x)).value
    assert symmetric.abs().max() < 1e-6
    assert plain.abs().max() > 0.1


def test_initial_gradients_have_the_inner_products_of_an_infinite_network():
    angle = 1.1
    x = torch.tensor([[[1.0, 0.0], [np.cos(angle), np.sin(angle)]]])
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
    tables = tables_of(arrays, "cpu")
    player = module.Policy(problem, columns, streams.words(np.arange(50), "policy"), tables)
    nothing = torch.zeros(50, dtype=torch.int64)
    found = []
    for t in range(plays + 1):
        view = view_of(tables, t + 1, nothing[:, None], nothing[:, None], nothing[:, None], 1)
        arm = player.select(view)
        spread = player.covariance.spread(player.seen, None)[:, 0]
        found.append((player.scale * spread.sqrt() * player.training.gain).mean().item())
        player.learn(view, arm, torch.zeros(50))
    return np.array(found)


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
