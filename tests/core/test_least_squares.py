"""Least squares from sums against numpy, and when ridge regression stands in."""

import numpy as np
import pytest

from manybandits.core.least_squares import RIDGE, solve


def fitted(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, bool]:
    b = np.empty(x.shape[1])
    return b, solve(x.T @ x, x.T @ y, len(x), b)


def problem(rows: int, dimension: int = 12) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(rows)
    x = rng.normal(size=(rows, dimension))
    return x, x @ rng.normal(size=dimension) + rng.normal(size=rows)


@pytest.mark.parametrize("rows", [12, 13, 30, 500])
def test_least_squares_are_those_of_numpy(rows):
    x, y = problem(rows)
    b, fell_back = fitted(x, y)
    assert not fell_back
    np.testing.assert_allclose(b, np.linalg.lstsq(x, y, rcond=None)[0], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("rows", [0, 1, 5, 11])
def test_with_fewer_rows_than_columns_it_is_ridge_regression(rows):
    x, y = problem(rows)
    b, fell_back = fitted(x, y)
    assert fell_back
    np.testing.assert_allclose(x.T @ (y - x @ b), max(rows, 1) * RIDGE * b, atol=1e-7)


def test_dependent_columns_are_noticed_though_there_are_enough_rows():
    x, y = problem(100)
    for column in (x[:, 0], x[:, 0] + x[:, 1], np.zeros(100), np.ones(100)):
        dependent = np.column_stack([x, column, np.ones(100)])
        b, fell_back = fitted(dependent, y)
        assert fell_back == (np.linalg.matrix_rank(dependent) < 14)
        assert np.isfinite(b).all()


def test_what_is_given_stays_as_it_is():
    x, y = problem(30)
    gram, moment = x.T @ x, x.T @ y
    solve(gram, moment, 30, np.empty(12))
    assert np.array_equal(gram, x.T @ x)
    assert np.array_equal(moment, x.T @ y)
