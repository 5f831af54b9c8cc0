import numpy as np
import pytest

from manybandits.base.exceptions import Uncomputable
from manybandits.numerics import ridge
from manybandits.numerics.long_ridge import ROWS, LongRidge
from manybandits.numerics.ridge import Ridge

pytestmark = pytest.mark.usefixtures("form")


def one(learners: int, dimension: int, regularization: float = 1.0) -> Ridge:
    """The ridge regressions of one replica."""
    return ridge.new_ridge(regularization, learners, dimension)


@pytest.mark.parametrize("dimension", [10, 20])
@pytest.mark.parametrize("regularization", [0.01, 1.0])
@pytest.mark.parametrize("form", ["compiled"], indirect=True)
def test_the_inverse_stays_exact_over_100_000_observations(dimension, regularization):
    rng = np.random.default_rng(0)
    state = one(1, dimension, regularization)
    worst = 0.0
    for step in range(100_000):
        x = rng.normal(size=dimension)
        ridge.observe(state, 0, x / np.linalg.norm(x), rng.normal())
        if step % 9_973 == 0:  # a prime, so the checks fall anywhere between two refreshes
            worst = max(worst, np.abs(state.inverse[0] - np.linalg.inv(state.gram[0])).max())
    exact = np.linalg.inv(state.gram[0])
    assert max(worst, np.abs(state.inverse[0] - exact).max()) < 1e-8
    assert np.abs(state.estimate[0] - exact @ state.moment[0]).max() < 1e-8


def test_without_refresh_nearly_parallel_contexts_would_lose_the_accuracy():
    """The refresh is needed: rank-one updates alone drift on ill-conditioned data."""
    rng = np.random.default_rng(1)
    direction = np.ones(10) / np.sqrt(10)
    inverse, gram = np.eye(10) / 1e-6, np.eye(10) * 1e-6
    for _ in range(2_000):
        x = direction + 1e-6 * rng.normal(size=10)
        along = inverse @ x
        inverse -= np.outer(along, along) / (1 + x @ along)
        gram += np.outer(x, x)
    drift = np.abs(inverse @ gram - np.eye(10)).max()
    state = one(1, 10, 1e-6)
    rng = np.random.default_rng(1)
    for _ in range(2_000):
        ridge.observe(state, 0, direction + 1e-6 * rng.normal(size=10), 0.0)
    assert np.abs(state.inverse[0] @ state.gram[0] - np.eye(10)).max() < drift


@pytest.mark.parametrize("arms", [1, 2, 3, 4, 5, 10, 11])
def test_predict_agrees_with_matrix_algebra(arms):
    rng = np.random.default_rng(arms)
    state = one(3, 6, 0.5)
    for _ in range(40):
        ridge.observe(state, 1, rng.normal(size=6), rng.normal())
    contexts = rng.normal(size=(arms, 6))
    mean, spread = np.empty(arms), np.empty(arms)
    ridge.predict(state, 1, contexts, mean, spread)
    np.testing.assert_allclose(mean, contexts @ np.linalg.solve(state.gram[1], state.moment[1]), atol=1e-12)
    np.testing.assert_allclose(spread, np.einsum("ki,ij,kj->k", contexts, np.linalg.inv(state.gram[1]), contexts))
    np.testing.assert_allclose(spread[0], ridge.quadratic(state.inverse[1], contexts[0]))


@pytest.mark.parametrize("zeros", [0.0, 0.75])
def test_long_contexts_give_the_bits_that_short_ones_would(zeros):
    rng = np.random.default_rng(2)
    dimension = ROWS + 6
    long = one(2, dimension, 0.3)
    assert isinstance(long, LongRidge)
    plain = Ridge(*(array.copy() for array in long))
    contexts = rng.normal(size=(12, dimension)) * (rng.random((12, dimension)) >= zeros)
    contexts[:, 29:36] = 0.0  # beside a boundary of rows that are used together
    contexts[4, 34] = 1.0
    for arms in (1, 2, 4, 7):
        for x in contexts:
            ridge.observe(long, 1, x, x.sum())
            ridge.observe(plain, 1, x, x.sum())
        ridge.refresh(long, 1)
        ridge.refresh(plain, 1)
        assert [array.tobytes() for array in long] == [array.tobytes() for array in plain]
        found, expected = np.empty((2, arms)), np.empty((2, arms))
        ridge.predict(long, 1, contexts[:arms], *found)
        ridge.predict(plain, 1, contexts[:arms], *expected)
        assert found.tobytes() == expected.tobytes()
    exact = np.linalg.inv(long.gram[1])
    np.testing.assert_allclose(long.inverse[1], exact, atol=1e-10)
    np.testing.assert_allclose(expected[1], np.einsum("ki,ij,kj->k", contexts[:arms], exact, contexts[:arms]))


def test_pool_and_transfer_are_the_regression_on_all_data():
    rng = np.random.default_rng(0)
    users, target, whole = one(4, 5, 0.3), one(4, 5, 0.3), one(1, 5, 0.3)
    for step in range(60):
        x, reward = rng.normal(size=5), rng.normal()
        ridge.observe(users, step % 4, x, reward)
        if step % 4 in (1, 3):
            ridge.observe(whole, 0, x, reward)
    ridge.pool(target, 2, users, np.array([0, 7, 0, 7]), 7, 0.3)
    ridge.transfer(target, 0, users, 1, 1, 0.3)
    ridge.transfer(target, 0, users, 3, 1, 0.3)
    ridge.transfer(target, 0, users, 2, 1, 0.3)
    ridge.transfer(target, 0, users, 2, -1, 0.3)
    ridge.refresh(target, 0)
    for slot in (0, 2):
        np.testing.assert_allclose(target.gram[slot], whole.gram[0], atol=1e-12)
        np.testing.assert_allclose(target.inverse[slot], whole.inverse[0], atol=1e-12)
        np.testing.assert_allclose(target.estimate[slot], whole.estimate[0], atol=1e-12)
        assert target.count[slot] == whole.count[0] == 30


def test_accumulate_and_refresh_are_observe():
    rng = np.random.default_rng(0)
    fast, slow = one(1, 4), one(1, 4)
    for _ in range(10):
        x = rng.normal(size=4)
        ridge.observe(fast, 0, x, 1.0)
        ridge.accumulate(slow, 0, x, 1.0)
    ridge.refresh(slow, 0)
    for a, b in zip(fast, slow, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize(("size", "computed"), [(2e5, True), (2e7, False)])
def test_columns_that_repeat_each_other_are_computed_until_lambda_is_less_than_their_rounding_errors(size, computed):
    state = one(1, 3)
    x = np.array([0.5, size, size + 1.0])

    for reward, factor in ((1.0, 1.0), (0.0, 2.0)):
        ridge.accumulate(state, 0, factor * x, reward)
    if computed:
        ridge.refresh(state, 0)
        assert ridge.spread_at(state, 0, x) == pytest.approx(x @ np.linalg.solve(state.gram[0], x), rel=1e-3)
    else:
        with pytest.raises(Uncomputable):
            ridge.refresh(state, 0)


@pytest.mark.parametrize("spread", [-1e-9, np.nan])
def test_a_negative_spread_is_no_width(spread):
    assert ridge.root(4.0) == 2.0
    with pytest.raises(Uncomputable):
        ridge.root(spread)
