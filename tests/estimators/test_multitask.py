"""The parts of the robust multitask estimator against scipy and scikit-learn."""

import numpy as np
import pytest
from scipy.stats import trim_mean
from sklearn.linear_model import Lasso

from manybandits.algorithms.plain import _robust as plain
from manybandits.base.exceptions import InputError
from manybandits.estimators.multitask import (
    RIDGE,
    averaged,
    debias,
    debiased,
    independent,
    pooled,
    trimmed,
    trimmed_mean,
)


@pytest.mark.parametrize("omega", [0.0, 0.05, 0.1, 0.29, 0.4999])
@pytest.mark.parametrize("instances", [1, 2, 9, 20, 100])
def test_trimmed_mean_is_that_of_scipy(instances, omega):
    rng = np.random.default_rng(instances)
    estimates, out = rng.standard_cauchy((instances, 5)), np.empty(5)
    trimmed_mean(estimates, np.ones(instances, bool), omega, out)
    if omega * instances >= 1 or omega == 0.0:
        # scipy cuts 28 of 100 values at 0.29, since the product is just below 29.
        np.testing.assert_allclose(out, trim_mean(estimates, omega + 1e-12, axis=0), rtol=1e-12)
    np.testing.assert_allclose(out, [plain.trimmed_mean(column.tolist(), omega) for column in estimates.T], rtol=1e-12)


@pytest.mark.parametrize("omega", [0.01, 0.12, 0.16, 0.49])
@pytest.mark.parametrize("instances", [3, 4, 6, 8, 15])
def test_one_wild_instance_of_three_or_more_never_moves_a_trimmed_mean_out_of_the_others(instances, omega):
    estimates, out = np.random.default_rng(instances).normal(size=(instances, 3)), np.empty(3)
    estimates[0] = 1e9
    trimmed_mean(estimates, np.ones(instances, bool), omega, out)
    assert (out <= estimates[1:].max(axis=0)).all()


def test_as_many_are_cut_as_the_share_asks_for_and_one_at_least():
    assert [trimmed(100, share) for share in (0.0, 0.001, 0.29, 0.4999)] == [0, 1, 29, 49]
    assert [trimmed(count, 0.15) for count in (0, 1, 2, 3, 6, 7, 13, 14)] == [0, 0, 0, 1, 1, 1, 1, 2]
    assert [trimmed(count, 0.49) for count in (3, 4, 5)] == [1, 1, 2]


def test_what_is_not_included_in_a_trimmed_mean_may_be_anything():
    rng = np.random.default_rng(0)
    estimates, included, out = rng.normal(size=(20, 5)), rng.random(20) < 0.7, np.empty(5)
    estimates[~included] = np.nan
    trimmed_mean(estimates, included, 0.2, out)
    np.testing.assert_allclose(out, trim_mean(estimates[included], 0.2, axis=0), rtol=1e-12)


def test_a_share_of_wild_instances_below_omega_does_not_move_a_trimmed_mean_out_of_the_others():
    estimates, out = np.random.default_rng(0).normal(size=(50, 3)), np.empty(3)
    estimates[:9] = 1e6
    trimmed_mean(estimates, np.ones(50, bool), 0.2, out)
    assert (out < estimates[9:].max(axis=0)).all()
    trimmed_mean(estimates, np.ones(50, bool), 0.1, out)
    assert (out > 9e4).all()


@pytest.mark.parametrize("penalty", [1e-2, 0.3, 100.0])
@pytest.mark.parametrize("rows", [15, 60])
def test_debiasing_is_a_lasso_on_the_difference_from_what_is_shared(rows, penalty):
    rng = np.random.default_rng(rows)
    x, y, shared, out = rng.normal(size=(rows, 20)), rng.normal(size=rows), rng.normal(size=20), np.empty(20)
    assert debias(x.T @ x / rows, x.T @ y / rows, penalty, shared, out) > 0
    theirs = Lasso(alpha=penalty / 2, fit_intercept=False, tol=1e-12, max_iter=1_000_000).fit(x, y - x @ shared)
    np.testing.assert_allclose(out, shared + theirs.coef_, atol=1e-6)


def stack(problems=7, rows=40, dimension=12, seed=0):
    """Gram matrices and moments of some regressions."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(problems, rows, dimension)), rng.normal(size=(problems, rows))
    return np.einsum("pni,pnj->pij", x, x) / rows, np.einsum("pni,pn->pi", x, y) / rows


def test_least_squares_is_that_of_lapack():
    gram, moment = stack()
    estimates, ridged = independent(gram, moment)
    np.testing.assert_allclose(estimates, np.linalg.solve(gram, moment[..., None])[..., 0], rtol=1e-9)
    assert not ridged.any()


def test_fewer_rows_than_coefficients_take_the_ridge_and_are_counted():
    few, enough = stack(3, rows=8), stack(4, rows=40)
    gram, moment = (np.concatenate(pair) for pair in zip(few, enough, strict=True))
    estimates, ridged = independent(gram, moment)
    assert ridged.tolist() == [True] * 3 + [False] * 4
    for gram, moment, estimate in zip(*few, estimates, strict=False):
        ridge = RIDGE * np.trace(gram) / 12 * np.eye(12)
        np.testing.assert_allclose(estimate, np.linalg.solve(gram + ridge, moment), rtol=1e-6)


def test_the_ridge_has_no_unit():
    gram, moment = stack(1, rows=8)
    estimates = [independent(gram * scale**2, moment * scale)[0] * scale for scale in (1e-5, 1.0, 1e6)]
    np.testing.assert_allclose(estimates[0], estimates[1], rtol=1e-6)
    np.testing.assert_allclose(estimates[2], estimates[1], rtol=1e-6)


def test_an_instance_without_rows_is_estimated_as_zero_and_counted():
    estimates, ridged = independent(np.zeros((1, 4, 4)), np.zeros((1, 4)))
    assert ridged.all()
    assert not estimates.any()


def test_what_is_alike_everywhere_is_pooled_and_averaged_to_the_same():
    gram, moment = stack()
    gram[:] = gram[0]
    rows, included = np.full(7, 40), np.ones(7, bool)
    mean = averaged(independent(gram, moment)[0], included)
    np.testing.assert_allclose(pooled(gram, moment, rows, included), mean, rtol=1e-9)


def test_pooling_weighs_instances_by_their_rows_and_leaves_out_what_is_not_included():
    gram, moment = stack()
    rows, included = np.arange(1, 8), np.arange(7) != 2
    total = np.einsum("n,nij->ij", rows * included, gram), np.einsum("n,ni->i", rows * included, moment)
    np.testing.assert_allclose(pooled(gram, moment, rows, included), np.linalg.solve(*total), rtol=1e-9)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_neither_threads_nor_the_rest_of_a_stack_change_a_byte(threads):
    gram, moment = stack(23)
    shared, penalty = np.random.default_rng(1).normal(size=(23, 12)), np.full(23, 0.3)
    whole = independent(gram, moment, threads)[0], debiased(gram, moment, penalty, shared, threads)
    for p in range(23):
        alone = gram[p : p + 1], moment[p : p + 1]
        assert whole[0][p].tobytes() == independent(*alone)[0].tobytes()
        assert whole[1][p].tobytes() == debiased(*alone, penalty[:1], shared[p : p + 1]).tobytes()


def test_leading_axes_may_be_any():
    gram, moment = stack(6)
    shared, penalty = np.zeros((6, 12)), np.full(6, 0.1)
    flat = debiased(gram, moment, penalty, shared)
    deep = debiased(*(a.reshape(2, 3, *a.shape[1:]) for a in (gram, moment, penalty, shared)))
    np.testing.assert_array_equal(deep.reshape(6, 12), flat)
    np.testing.assert_array_equal(
        independent(gram.reshape(2, 3, 12, 12), moment.reshape(2, 3, 12))[0].shape, (2, 3, 12)
    )


@pytest.mark.parametrize("omega", [-0.1, 0.5, np.nan])
def test_a_share_that_leaves_nothing_is_refused(omega):
    with pytest.raises(InputError, match=r"give a value from 0 to below 0\.5"):
        averaged(np.zeros((3, 2)), np.ones(3, bool), omega)
