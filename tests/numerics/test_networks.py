"""Batched networks against autograd, plain Adam, networks written out, and each form against the other."""

from functools import partial

import numpy as np
import pytest
import torch

from manybandits.base import seeds as streams
from manybandits.numerics import networks
from manybandits.numerics.networks import (
    Factors,
    Inputs,
    Shift,
    climb,
    factors,
    factors_of,
    gradient,
    initial_weights,
    learner_weights,
    outputs,
    quadratic,
    squared_distance,
    users,
    vectors,
)
from manybandits.numerics.networks.optimisers import Adam

REPLICAS, WIDTH, DIMENSION, ARMS = 3, 6, 5, 4
LIKE = torch.zeros(0)
near = partial(torch.allclose, rtol=1e-4, atol=1e-5)
"""In single precision, as networks are played."""


def words(replicas: int = REPLICAS) -> np.ndarray:
    return streams.words(np.arange(replicas), "test")


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).normal(size=shape)).to(LIKE)


def with_zeros(x: torch.Tensor) -> torch.Tensor:
    """Set one input in two to zero, as most pixels of an image are."""
    return x * torch.as_tensor(np.random.default_rng(8).random(tuple(x.shape)) < 0.5)


def networks_of(layers: int = 2, blocks: int = 1, learners: int = 1):
    return initial_weights(
        words(),
        learners,
        DIMENSION,
        blocks=blocks,
        width=WIDTH,
        layers=layers,
        like=LIKE,
    )


def written_out(weights, replica: int):
    """One network as plain matrices that want a gradient: inputs x units, the first over all blocks."""
    own = [layer[replica].clone() for layer in weights]
    own[0] = own[0].flatten(0, 1)
    return [layer.requires_grad_() for layer in own]


def value(matrices, x, blocks: int, block: int):
    """f at one context, written out with zeros in all other blocks."""
    long = torch.zeros(blocks, len(x))
    long[block] = x
    below = long.flatten()
    for place, matrix in enumerate(matrices):
        below = below @ matrix
        if place < len(matrices) - 1:
            below = below.relu()
    return below[0]


CASES = [(layers, blocks) for layers in (2, 3, 5) for blocks in (1, 3)]


@pytest.fixture(params=["fused", "general"])
def form(request, monkeypatch):
    """Both forms of every pass over two layers."""
    if request.param == "general":
        for module in (networks, users):
            monkeypatch.setattr(module, "fusible", lambda *_: False)
        monkeypatch.setattr(users, "trainable", lambda *_: False)
    return request.param


@pytest.mark.parametrize(("layers", "blocks"), CASES)
def test_value_and_gradient_are_those_of_autograd(layers, blocks, form):
    weights = learner_weights(networks_of(layers, blocks), None)
    block = torch.as_tensor(np.random.default_rng(1).integers(blocks, size=(REPLICAS, ARMS)))
    x = drawn(REPLICAS, ARMS, DIMENSION)
    at = factors(weights, Inputs(x, block))
    for r in range(REPLICAS):
        for q in range(ARMS):
            matrices = written_out(weights, r)
            f = value(matrices, x[r, q], blocks, int(block[r, q]))
            slopes = torch.autograd.grad(f, matrices)
            chosen = torch.zeros(REPLICAS, ARMS)
            chosen[r, q] = 1.0
            ours = gradient(at, chosen, weights)
            assert near(at.value[r, q], f)
            for mine, theirs in zip(ours, slopes, strict=True):
                assert near(mine[r].reshape(theirs.shape), theirs)


@pytest.mark.parametrize(("layers", "blocks"), CASES)
def test_outputs_without_gradients_have_the_same_bits(layers, blocks, form):
    weights = learner_weights(networks_of(layers, blocks), None)
    block = torch.as_tensor(np.random.default_rng(1).integers(blocks, size=(REPLICAS, ARMS)))
    for given in (Inputs(drawn(REPLICAS, ARMS, DIMENSION), block), Inputs(drawn(REPLICAS, 1, DIMENSION))):
        assert torch.equal(outputs(weights, given), factors(weights, given).value)


def test_the_gradient_is_the_limit_of_differences():
    weights = tuple(layer.double() for layer in learner_weights(networks_of(5), None))
    x = Inputs(drawn(REPLICAS, 1, DIMENSION).double())
    slopes = gradient(factors(weights, x), torch.ones(REPLICAS, 1).double(), weights)
    for place, slope in enumerate(slopes):
        direction = drawn(*slope.shape, seed=place).double()
        step = 1e-6
        ends = []
        for sign in (1, -1):
            moved = list(weights)
            moved[place] = weights[place] + sign * step * direction
            ends.append(factors(tuple(moved), x).value[:, 0])
        along = (slope * direction).flatten(1).sum(1)
        assert near((ends[0] - ends[1]) / (2 * step), along)


@pytest.mark.parametrize(
    ("layers", "blocks", "alike"), [(2, 1, False), (3, 3, False), (2, ARMS, True), (3, ARMS, True)]
)
def test_contexts_may_have_a_network_each(layers, blocks, alike, form):
    weights = tuple(drawn(REPLICAS, 4, *layer.shape[2:], seed=1) for layer in networks_of(layers, blocks))
    diagonal = tuple(layer.square() for layer in weights)
    learners = torch.as_tensor(np.random.default_rng(2).integers(4, size=(REPLICAS, ARMS)))
    block = torch.as_tensor(np.random.default_rng(1).integers(blocks, size=(REPLICAS, ARMS)))
    x = drawn(REPLICAS, ARMS, DIMENSION)
    if alike:  # one instance in every block in turn
        x, block = x[:, :1], None
    each = factors_of(weights, learners, Inputs(x, block))
    spread = quadratic(each, diagonal, learners)
    for u in range(4):
        one = torch.full((REPLICAS,), u)
        theirs = factors_of(weights, one, Inputs(x, block))
        mine = learners == u
        assert near(each.value[mine], theirs.value[mine])
        assert near(spread[mine], quadratic(theirs, diagonal, one)[mine])
        ours, others = (vectors(at, blocks) for at in (each, theirs))
        assert near(ours[mine], others[mine])


def test_one_instance_stands_in_every_block_in_turn(form):
    weights = learner_weights(networks_of(blocks=ARMS), None)
    x = drawn(REPLICAS, 1, DIMENSION)
    every = factors(weights, Inputs(x))
    blocks = torch.arange(ARMS).expand(REPLICAS, -1)
    one_by_one = factors(weights, Inputs(x.expand(-1, ARMS, -1), blocks))
    assert near(every.value, one_by_one.value)
    arm = torch.tensor([2, 0, 3])
    for mine, theirs in zip(every.arm(arm), one_by_one.arm(arm), strict=True):
        parts = (mine, theirs) if isinstance(mine, tuple) else ((mine,), (theirs,))
        for a, b in zip(*parts, strict=True):
            assert torch.equal(a, b) or near(a, b)


def flat(weights, at: Factors, q: int) -> torch.Tensor:
    """The gradient at context q as one vector a replica."""
    chosen = torch.zeros_like(at.value)
    chosen[:, q] = 1.0
    return torch.cat([slope.flatten(1) for slope in gradient(at, chosen, weights)], dim=1)


@pytest.mark.parametrize(("layers", "blocks"), [(2, 1), (2, 3), (5, 1)])
def test_squares_and_distances_of_gradients_are_those_of_the_vectors(layers, blocks):
    one = learner_weights(networks_of(layers, blocks), None)
    other = tuple(layer + 0.1 * drawn(*layer.shape, seed=place) for place, layer in enumerate(one))
    block = torch.as_tensor(np.random.default_rng(1).integers(blocks, size=(REPLICAS, ARMS)))
    given = Inputs(drawn(REPLICAS, ARMS, DIMENSION), block)
    a, b = factors(one, given), factors(other, given)
    diagonal = tuple(drawn(*layer.shape, seed=9).abs() for layer in one)
    long = torch.cat([layer.flatten(1) for layer in diagonal], dim=1)
    for q in range(ARMS):
        u, v = flat(one, a, q), flat(other, b, q)
        assert near(quadratic(a, tuple(layer.unsqueeze(1) for layer in diagonal), None)[:, q], (u * u * long).sum(1))
        assert near(squared_distance(a, b)[:, q], (u - v).square().sum(1))


@pytest.mark.parametrize(("layers", "blocks"), CASES)
def test_a_shift_is_the_network_that_it_stands_for(layers, blocks):
    weights = learner_weights(networks_of(layers, blocks), None)
    random = np.random.default_rng(2)
    at_samples = Inputs(drawn(REPLICAS, 7, DIMENSION), torch.as_tensor(random.integers(blocks, size=(REPLICAS, 7))))
    coefficients = drawn(REPLICAS, ARMS, 7, seed=5)
    given = Inputs(
        drawn(REPLICAS, ARMS, DIMENSION, seed=3), torch.as_tensor(random.integers(blocks, size=(REPLICAS, ARMS)))
    )
    samples = factors(weights, at_samples)
    shifted = factors(weights, given, Shift(samples, coefficients))
    for q in range(ARMS):
        built = tuple(layer.clone() for layer in weights)
        climb(built, samples, -coefficients[:, q])
        change = gradient(samples, coefficients[:, q], weights)
        for layer, part, new in zip(weights, change, built, strict=True):
            assert near(layer - part, new)
        direct = factors(built, Inputs(given.x[:, q : q + 1], given.block[:, q : q + 1]))
        assert near(shifted.value[:, q], direct.value[:, 0])
        for mine, theirs in zip((*shifted.inputs, *shifted.deltas), (*direct.inputs, *direct.deltas), strict=True):
            assert near(mine[:, q], theirs[:, 0])


@pytest.mark.parametrize(("layers", "blocks"), [(2, 1), (2, 3), (3, 1)])
def test_all_users_networks_are_evaluated_at_all_arms(layers, blocks, form):
    weights = networks_of(layers, blocks, learners=9)
    x = drawn(REPLICAS, 1 if blocks > 1 else ARMS, DIMENSION)
    together = users.outputs_of_all(weights, Inputs(x))
    for u in range(9):
        alone = factors(tuple(layer[:, u] for layer in weights), Inputs(x)).value
        assert near(together[:, u], alone)


def in_batches(learner, x, block, reward) -> users.Batches:
    """Batches of observations that stand in order. learner, block, reward: (R, S, B); x: (R, S, B, d)."""
    replicas, steps, batch = reward.shape
    order = torch.arange(steps * batch).view(steps, batch).expand(replicas, -1, -1)
    flat = (part.flatten(1, 2) for part in (learner, x, block, reward))
    return users.Batches(*flat, order, torch.full((replicas,), batch))


def test_observations_beyond_the_size_of_a_batch_do_not_count(form):
    weights, short = networks_of(blocks=3, learners=2), networks_of(blocks=3, learners=2)
    random = np.random.default_rng(6)
    learner, block = (torch.as_tensor(random.integers(n, size=(REPLICAS, 5))) for n in (2, 3))
    x, reward = with_zeros(drawn(REPLICAS, 5, DIMENSION)), drawn(REPLICAS, 5, seed=2)
    order = torch.as_tensor(random.integers(5, size=(REPLICAS, 3, 4)))
    size = torch.tensor([4, 2, 1])
    users.train(weights, Adam.over(weights), users.Batches(learner, x, block, reward, order, size), 0.1)
    for r in range(REPLICAS):
        one = slice(r, r + 1)
        own = tuple(layer[one].clone() for layer in short)
        taken = order[one, :, : size[r]]
        given = (part[one] for part in (learner, x, block, reward))
        users.train(own, Adam.over(own), users.Batches(*given, taken, size[one]), 0.1)
        assert all(near(mine[one], theirs) for mine, theirs in zip(weights, own, strict=True))


@pytest.mark.parametrize("layers", [3, 5])
def test_deep_networks_are_trained_alike_by_both_forms(layers, monkeypatch):
    learners, shape = 3, (REPLICAS, 4, 6)
    random = np.random.default_rng(7)
    learner, block = (torch.as_tensor(random.integers(n, size=shape)) for n in (learners, 2))
    x, reward = with_zeros(drawn(*shape, DIMENSION)), drawn(*shape, seed=4)
    members = torch.as_tensor(random.random((REPLICAS, learners)) < 0.6)
    results = []
    for fused_loops in (True, False):
        if not fused_loops:
            monkeypatch.setattr(users, "trainable", lambda *_: False)
        weights = networks_of(layers, blocks=2, learners=learners)
        adam = Adam.over(weights)
        users.train(weights, adam, in_batches(learner, x, block, reward), 0.05)
        users.adam_step(weights, adam, members, x[:, 0, 0], block[:, 0, 0], reward[:, 0, 0], 0.05)
        results.append((*weights, *adam.tensors))
    for mine, theirs in zip(*results, strict=True):
        assert near(mine, theirs)


@pytest.mark.parametrize("blocks", [1, 3])
def test_training_is_plain_adam_on_every_network_that_has_an_observation(blocks, form):
    steps, batch, learners, rate = 6, 5, 4, 0.05
    weights = networks_of(blocks=blocks, learners=learners)
    plain = [[written_out_blocks(weights, r, u) for u in range(learners)] for r in range(REPLICAS)]
    random = np.random.default_rng(3)
    shape = (REPLICAS, steps, batch)
    learner, block = (torch.as_tensor(random.integers(n, size=shape)) for n in (learners, blocks))
    x, reward = with_zeros(drawn(*shape, DIMENSION)), drawn(*shape, seed=4)
    adam = Adam.over(weights)
    users.train(weights, adam, in_batches(learner, x, block, reward), rate)
    for r in range(REPLICAS):
        optimisers: dict[int, list] = {}
        for s in range(steps):
            loss = torch.zeros(())
            for q in range(batch):
                u, b = int(learner[r, s, q]), int(block[r, s, q])
                first, last = plain[r][u][0][b], plain[r][u][1]
                loss = loss + ((x[r, s, q] @ first).relu() @ last[:, 0] - reward[r, s, q]) ** 2 / 2 / batch
            for u in range(learners):
                if not (learner[r, s] == u).any():
                    continue
                first, last = plain[r][u]
                own = [(b, (x[r, s][(learner[r, s] == u) & (block[r, s] == b)] != 0)) for b in range(blocks)]
                moving = [(first[b], present.any(0)) for b, present in own if len(present)]
                adam_of(optimisers, u, rate, loss, [*moving, (last, torch.ones(WIDTH, dtype=torch.bool))])
        for u in range(learners):
            assert near(torch.stack(plain[r][u][0]), weights[0][r, u])
            assert near(plain[r][u][1], weights[1][r, u])


def written_out_blocks(weights, replica: int, learner: int):
    first, last = (layer[replica, learner].clone() for layer in weights)
    return [block.clone().requires_grad_() for block in first], last.requires_grad_()


@pytest.mark.parametrize("layers", [2, 3])
@pytest.mark.parametrize("blocks", [1, 3])
def test_descent_is_that_of_autograd_on_the_penalised_loss(layers, blocks, form):
    learners, shape, rate = 3, (REPLICAS, 4, 6), 0.1
    random = np.random.default_rng(5)
    learner, block = (torch.as_tensor(random.integers(n, size=shape)) for n in (learners, blocks))
    learner[:, 0] = 1  # networks 0 and 2 do not change in the first step
    x, reward = with_zeros(drawn(*shape, DIMENSION)), drawn(*shape, seed=4)
    weights = networks_of(layers, blocks, learners=learners)
    start = tuple(layer + 0.1 * drawn(*layer.shape, seed=place) for place, layer in enumerate(weights))
    pull = torch.as_tensor(random.random((REPLICAS, learners))).to(LIKE)
    expected = [layer.clone() for layer in weights]
    for s in range(shape[1]):
        leaves = [layer.clone().requires_grad_() for layer in expected]
        loss = torch.zeros(())
        for r in range(REPLICAS):
            for q in range(shape[2]):
                u = int(learner[r, s, q])
                own = [layer[r, u] for layer in leaves]
                below = x[r, s, q] @ own[0][block[r, s, q]]
                for layer in own[1:]:
                    below = below.relu() @ layer
                away = sum(
                    (layer[r, u] - first[r, u]).square().sum() for layer, first in zip(leaves, start, strict=True)
                )
                loss = loss + ((below[0] - reward[r, s, q]) ** 2 + pull[r, u] * away) / 2 / shape[2]
        slopes = torch.autograd.grad(loss, leaves)
        expected = [layer - rate * slope for layer, slope in zip(expected, slopes, strict=True)]
    users.descend(weights, start, pull, in_batches(learner, x, block, reward), rate)
    for mine, theirs in zip(weights, expected, strict=True):
        assert near(mine, theirs)


def adam_of(optimisers, u, rate, loss, moving):
    """An Adam step of one network, written from the formula: a row whose input is zero keeps weights and moments.

    moving: parameters, (rows, units), each with which of its rows move.
    """
    state = optimisers.setdefault(u, {"step": 0, "moments": {}})
    state["step"] += 1
    slopes = torch.autograd.grad(loss, [parameter for parameter, _ in moving], retain_graph=True)
    for (parameter, present), slope in zip(moving, slopes, strict=True):
        m, v = state["moments"].setdefault(id(parameter), [torch.zeros_like(slope), torch.zeros_like(slope)])
        m[present] = (0.9 * m + 0.1 * slope)[present]
        v[present] = (0.999 * v + 0.001 * slope * slope)[present]
        c1, c2 = 1 - 0.9 ** state["step"], 1 - 0.999 ** state["step"]
        with torch.no_grad():
            parameter[present] -= (rate * (m / c1) / ((v / c2).sqrt() + 1e-8))[present]


def test_adam_is_torchs_where_every_network_moves():
    weights = networks_of()
    x, reward = drawn(REPLICAS, 8, 5, DIMENSION), drawn(REPLICAS, 8, 5, seed=4)
    nothing = torch.zeros((REPLICAS, 8, 5), dtype=torch.int64)
    theirs = [written_out_blocks(weights, r, 0) for r in range(REPLICAS)]
    users.train(weights, Adam.over(weights), in_batches(nothing, x, nothing, reward), 0.01)
    for r, ((first,), last) in enumerate(theirs):
        optimiser = torch.optim.Adam([first, last], lr=0.01)
        for s in range(8):
            optimiser.zero_grad()
            loss = (((x[r, s] @ first).relu() @ last)[:, 0] - reward[r, s]).square().mean() / 2
            loss.backward()
            optimiser.step()
        assert near(first, weights[0][r, 0, 0])
        assert near(last, weights[1][r, 0])


@pytest.mark.parametrize("blocks", [1, 3])
def test_members_take_one_step_each_and_the_others_none(blocks, form):
    learners = 4
    weights = networks_of(blocks=blocks, learners=learners)
    before = tuple(layer.clone() for layer in weights)
    expected = tuple(layer.clone() for layer in weights)
    members = torch.tensor([[True, False, True, False], [False] * 4, [True] * 4])
    x, reward = with_zeros(drawn(REPLICAS, DIMENSION)), drawn(REPLICAS, seed=5)
    block = torch.arange(REPLICAS) % blocks
    adam, alone = Adam.over(weights), Adam.over(expected)
    for _ in range(3):
        users.adam_step(weights, adam, members, x, block, reward, 0.02)
        for u in range(learners):
            alone_in_batch = (part[:, None, None] for part in (torch.full((REPLICAS,), u), x, block, reward))
            moved = tuple(layer.clone() for layer in expected)
            optimiser = Adam(
                *(tuple(p.clone() for p in part) for part in (alone.first, alone.second)), alone.steps.clone()
            )
            users.train(moved, optimiser, in_batches(*alone_in_batch), 0.02)
            for r in range(REPLICAS):
                if members[r, u]:
                    for mine, new in zip(
                        (*expected, *alone.first, *alone.second),
                        (*moved, *optimiser.first, *optimiser.second),
                        strict=True,
                    ):
                        mine[r, u] = new[r, u]
                    alone.steps[r, u] = optimiser.steps[r, u]
    for mine, theirs, old in zip(weights, expected, before, strict=True):
        assert near(mine, theirs)
        assert torch.equal(mine[~members], old[~members])


def test_initial_weights_have_the_spread_that_is_stated():
    first, hidden, last = initial_weights(words(20), 2, 30, width=50, layers=3, like=LIKE)
    spreads = [np.sqrt(2 / 50)] * 2 + [np.sqrt(1 / 50)]
    for layer, spread in zip((first, hidden, last), spreads, strict=True):
        assert abs(layer.std().item() / spread - 1) < 0.05
    alone = initial_weights(words(20)[7:8], 2, 30, width=50, layers=3, like=LIKE)
    assert all(torch.equal(a[0], b[7]) for a, b in zip(alone, (first, hidden, last), strict=True))
