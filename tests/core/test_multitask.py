"""The parts of the robust multitask estimator against scipy and scikit-learn."""

import numpy as np
import pytest
from scipy.stats import trim_mean
from sklearn.linear_model import Lasso

from manybandits.core.multitask import debias, trimmed_mean


@pytest.mark.parametrize("omega", [0.0, 0.05, 0.1, 0.29, 0.4999])
@pytest.mark.parametrize("instances", [1, 2, 9, 20, 100])
def test_trimmed_mean_is_that_of_scipy(instances, omega):
    rng = np.random.default_rng(instances)
    estimates, out = rng.standard_cauchy((instances, 5)), np.empty(5)
    trimmed_mean(estimates, np.ones(instances, bool), omega, out)
    np.testing.assert_allclose(out, trim_mean(estimates, omega, axis=0), rtol=1e-12)


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
