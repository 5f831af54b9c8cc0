"""Ridge regression on block contexts that are not written out, against numpy on the contexts written out."""

import numpy as np
import pytest

from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.compiling.replicas import row
from manybandits.numerics import ridge
from manybandits.numerics.sparse_blocks.block_factors import BlockRidge
from manybandits.numerics.sparse_blocks.block_log import new_log

pytestmark = pytest.mark.usefixtures("form")

WIDTH, BLOCKS, ROUNDS = 9, 3, 160
FEATURES = np.random.default_rng(0).normal(size=(40, WIDTH)).astype(np.float32)
FEATURES[np.random.default_rng(1).random(FEATURES.shape) < 0.5] = 0
FEATURES[7] = 0


def pair(learners: int, regularization: float = 0.3, rounds: int = ROUNDS) -> tuple[BlockRidge, BlockRidge]:
    """Two sets of ridge regressions of one replica that share a log."""
    log = row(new_log(np.zeros(1, np.int64), FEATURES, BLOCKS, rounds), 0)
    one, other = (ridge.new_ridge(regularization, learners, WIDTH * BLOCKS, log, copies=learners) for _ in range(2))
    return one, other


def observations(count: int = ROUNDS, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """References to contexts, (count, 3), and rewards."""
    rng = np.random.default_rng(seed)
    items, blocks = rng.integers(len(FEATURES), size=count), rng.choice(BLOCKS, size=count, p=[0.7, 0.2, 0.1])
    return np.stack([np.arange(count), items, blocks], axis=1), rng.normal(size=count)


def written_out(x: np.ndarray) -> np.ndarray:
    """Return the context that a reference means."""
    context = np.zeros((BLOCKS, WIDTH))
    context[x[2]] = FEATURES[x[1]]
    return context.ravel()


def check(state: BlockRidge, learner: int, contexts, rewards, weights, regularization: float = 0.3) -> None:
    """A learner is the regression on the observations, each as often as its weight says."""
    rows = np.array([written_out(x) for x in contexts]) if len(contexts) else np.zeros((0, WIDTH * BLOCKS))
    gram = regularization * np.eye(WIDTH * BLOCKS) + rows.T @ (weights[:, None] * rows)
    theta = np.linalg.solve(gram, rows.T @ (weights * rewards))
    np.testing.assert_allclose(ridge.estimate_of(state, learner), theta, atol=1e-8)
    asked = np.array([[len(state.log.item) - 1, item, block] for item in (3, 7) for block in range(BLOCKS)])
    for offered in (asked[:BLOCKS], asked[BLOCKS:]):  # a round has one item
        state.log.measured[:] = -1
        state.log.spanned[:] = -1
        mean, spread = np.empty(BLOCKS), np.empty(BLOCKS)
        ridge.predict(state, learner, offered, mean, spread)
        full = np.array([written_out(x) for x in offered])
        np.testing.assert_allclose(mean, full @ theta, atol=1e-8)
        np.testing.assert_allclose(spread, np.einsum("ki,ki->k", full, np.linalg.solve(gram, full.T).T), atol=1e-8)
        x = offered[1]
        assert ridge.mean_and_spread(state, learner, x) == (mean[1], spread[1])
        assert ridge.spread_at(state, learner, x) == spread[1]
        np.testing.assert_allclose(ridge.mean_at(state, learner, x), mean[1], atol=1e-10)
        np.testing.assert_allclose(ridge.squared_norm(state, x), full[1] @ full[1], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("regularization", [1e-3, 0.3])
def test_many_observations_are_the_direct_solution_before_and_after_a_block_has_more_than_d(regularization):
    state, _ = pair(2, regularization)
    contexts, rewards = observations()
    for step, (x, reward) in enumerate(zip(contexts, rewards, strict=True), start=1):
        ridge.observe(state, 1, x, reward)
        if step in (1, 5, 12, 13, 14, 15, 16, 80, ROUNDS):
            check(state, 1, contexts[:step], rewards[:step], np.ones(step), regularization)
    assert state.full.any()
    assert not state.full.all()
    assert state.count.tolist() == [0, ROUNDS]


@pytest.mark.parametrize("form", ["compiled"], indirect=True)
def test_many_rows_without_a_block_that_is_full_are_the_direct_solution():
    features = np.random.default_rng(3).normal(size=(600, 500)).astype(np.float32)
    log = row(new_log(np.zeros(1, np.int64), features, 2, 600), 0)
    state = ridge.new_ridge(0.01, 1, 1000, log)
    rewards = np.random.default_rng(4).normal(size=600)
    for i in range(600):
        ridge.observe(state, 0, np.array([i, i, i % 2]), rewards[i])
    assert not state.full.any()
    for block in range(2):
        x = features[block::2].astype(float)
        exact = np.linalg.solve(0.01 * np.eye(500) + x.T @ x, x.T @ rewards[block::2])
        np.testing.assert_allclose(ridge.estimate_of(state, 0)[500 * block : 500 * (block + 1)], exact, atol=1e-8)


@pytest.mark.parametrize("count", [12, ROUNDS])
def test_data_that_come_and_go_leave_the_regression_on_what_remains(count):
    users, target = pair(4)
    contexts, rewards = observations(count)
    owner = np.arange(count) % 4
    for x, reward, user in zip(contexts, rewards, owner, strict=True):
        ridge.observe(users, user, x, reward)
    ridge.pool(target, 2, users, np.array([0, 7, 0, 7]), 7, 0.3)
    check(target, 2, contexts, rewards, (owner % 2 == 1) * 1.0)
    for learner, sign in ((1, 1), (3, 1), (2, 1), (2, -1), (1, 1)):
        ridge.transfer(target, 0, users, learner, sign, 0.3)
    ridge.refresh(target, 0)
    twice = (owner == 3) + 2.0 * (owner == 1)
    check(target, 0, contexts, rewards, twice)
    ridge.copy(target, 1, target, 0)
    ridge.transfer(target, 0, users, 3, -1, 0.3)
    check(target, 0, contexts, rewards, twice)  # the estimate waits for the refresh
    ridge.refresh(target, 0)
    check(target, 0, contexts, rewards, 2.0 * (owner == 1))
    check(target, 1, contexts, rewards, twice)
    assert target.count.tolist() == [2 * (owner == 1).sum(), 2 * (owner == 1).sum() + (owner == 3).sum(), count // 2, 0]


def test_accumulate_waits_for_refresh_and_a_round_may_be_observed_twice():
    state, _ = pair(1)
    contexts, rewards = observations(20)
    for x, reward in zip(contexts[:19], rewards[:19], strict=True):
        ridge.observe(state, 0, x, reward)
    ridge.observe(state, 0, contexts[18], rewards[18])
    weights = np.append(np.ones(18), 2.0)
    check(state, 0, contexts[:19], rewards[:19], weights)
    ridge.accumulate(state, 0, contexts[19], rewards[19])
    check(state, 0, contexts[:19], rewards[:19], weights)
    ridge.refresh(state, 0)
    check(state, 0, contexts, rewards, np.append(weights, 1.0))


def test_what_is_released_can_be_taken_again_without_end():
    users, target = pair(2)
    contexts, rewards = observations(ROUNDS)
    for x, reward in zip(contexts, rewards, strict=True):
        ridge.observe(users, 0, x, reward)
    for _ in range(50):
        ridge.pool(target, 0, users, np.array([0, 1]), 0, 0.3)
        ridge.copy(target, 1, target, 0)
        ridge.release(target, 0)
    check(target, 0, [], np.zeros(0), np.zeros(0))
    check(target, 1, contexts, rewards, np.ones(ROUNDS))


def test_what_cannot_fit_stops_with_its_size():
    log = row(new_log(np.zeros(1, np.int64), np.zeros((1, 3072), np.float32), 10, 100_000), 0)
    with pytest.raises(InputError, match=r"20 learners on 100,000 rounds of 10 blocks of 3,072 features take .* GiB"):
        ridge.new_ridge(1.0, 20, 30720, log, copies=20)
    with pytest.raises(InputError, match="a matrix of 900 x 900 per learner, more than the limit of 800 x 800"):
        ridge.new_ridge(1.0, 3, 900)


@pytest.mark.parametrize(("size", "computed"), [(1e3, True), (1e8, False)])
def test_numbers_beside_which_lambda_is_lost_are_refused(size, computed):
    features = (size * FEATURES[:4]).astype(np.float32)
    log = row(new_log(np.zeros(1, np.int64), features, 1, 8), 0)
    state = ridge.new_ridge(1.0, 1, WIDTH, log)
    twice = np.array([[0, 0, 0], [1, 0, 0]])
    ridge.observe(state, 0, twice[0], 1.0)
    if computed:
        ridge.observe(state, 0, twice[1], 1.0)
        assert ridge.estimate_of(state, 0) @ features[0] == pytest.approx(1.0, abs=1e-3)
        return
    with pytest.raises(Uncomputable):
        ridge.mean_and_spread(state, 0, twice[1])
    with pytest.raises(Uncomputable):
        ridge.observe(state, 0, twice[1], 1.0)
