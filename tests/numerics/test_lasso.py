"""Coordinate descent against scikit-learn."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from manybandits.numerics import lasso
from manybandits.numerics.lasso import PASSES, descend


def problem(rows=60, dimension=20, correlated=0.0, seed=0):
    """Gram matrix, moment, and the data that they are of."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, dimension)) + correlated * rng.normal(size=(rows, 1))
    y = x[:, :3] @ np.array([2.0, -1.0, 0.5]) + rng.normal(size=rows)
    return x.T @ x / rows, x.T @ y / rows, x, y


@pytest.mark.parametrize("penalty", [1e-3, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("correlated", [0.0, 3.0])
@pytest.mark.parametrize("rows", [12, 60])
def test_minimiser_is_that_of_scikit_learn(rows, correlated, penalty):
    gram, moment, x, y = problem(rows, correlated=correlated)
    b = np.zeros(len(moment))
    assert descend(gram, moment, penalty, b, np.empty_like(b)) > 0
    theirs = Lasso(alpha=penalty / 2, fit_intercept=False, tol=1e-12, max_iter=1_000_000).fit(x, y)
    np.testing.assert_allclose(b, theirs.coef_, atol=1e-5)


def test_no_start_leads_elsewhere_and_a_good_one_is_shorter():
    gram, moment, _, _ = problem(correlated=1.0)
    cold, warm = np.zeros(20), np.random.default_rng(1).normal(size=20)
    passes = descend(gram, moment, 0.2, cold, np.empty(20))
    descend(gram, moment, 0.2, warm, np.empty(20))
    np.testing.assert_allclose(cold, warm, atol=1e-7)
    assert descend(gram, moment, 0.2, cold, np.empty(20)) < passes


def test_without_a_penalty_it_is_least_squares():
    gram, moment, x, y = problem()
    b = np.zeros(20)
    descend(gram, moment, 0.0, b, np.empty(20))
    np.testing.assert_allclose(b, np.linalg.lstsq(x, y, rcond=None)[0], atol=1e-7)


def test_a_penalty_of_twice_the_largest_moment_leaves_nothing():
    gram, moment, _, _ = problem()
    for penalty, left in ((2.0 * np.abs(moment).max(), 0), (1.99 * np.abs(moment).max(), 1)):
        b = np.ones(20)
        descend(gram, moment, penalty, b, np.empty(20))
        assert np.count_nonzero(b) == left


def test_a_column_of_zeros_has_no_weight():
    gram, moment, _, _ = problem()
    gram[4] = gram[:, 4] = moment[4] = 0.0
    b = np.ones(20)
    assert 0 < descend(gram, moment, 0.01, b, np.empty(20)) < PASSES
    assert b[4] == 0.0


def test_what_is_left_of_the_moment_is_returned():
    gram, moment, _, _ = problem()
    b, residual = np.zeros(20), np.empty(20)
    descend(gram, moment, 0.1, b, residual)
    np.testing.assert_allclose(residual, moment - gram @ b, atol=1e-12)


def test_coordinates_that_converge_slowly_jump(monkeypatch):
    gram, moment, x, y = problem(rows=20, correlated=3.0)
    b = np.zeros(20)
    assert 0 < descend(gram, moment, 1e-3, b, np.empty(20)) < 1500
    theirs = Lasso(alpha=5e-4, fit_intercept=False, tol=1e-12, max_iter=1_000_000).fit(x, y)
    np.testing.assert_allclose(b, theirs.coef_, atol=1e-4)
    for name in ("PASSES", "PATIENCE"):
        monkeypatch.setattr(lasso, name, 1500)
    assert descend.py_func(gram, moment, 1e-3, np.zeros(20), np.empty(20)) == -1


def test_a_jump_ends_where_the_first_coordinate_becomes_zero():
    gram, moment = np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([1.0, 0.2])
    b, residual = np.array([0.1, 0.1]), np.empty(2)  # the minimiser for these signs, without a penalty, is (1.2, -0.4)
    assert lasso.jump(gram, moment, 0.0, b, residual)
    np.testing.assert_allclose(b, [0.32, 0.0], atol=1e-12)
    np.testing.assert_allclose(residual, moment - gram @ b, atol=1e-12)


def test_a_jump_within_a_singular_part_changes_nothing():
    b, residual = np.array([0.1, 0.1]), np.array([5.0, 6.0])
    assert not lasso.jump(np.ones((2, 2)), np.array([1.0, 1.0]), 0.1, b, residual)
    assert b.tolist() == [0.1, 0.1]
    assert residual.tolist() == [5.0, 6.0]
