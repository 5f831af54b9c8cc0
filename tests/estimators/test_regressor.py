"""The estimator for users: scikit-learn's own checks, and what the paper's algorithm says of easy cases."""

import doctest

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LinearRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from manybandits.algorithms.plain._robust import robust_multitask
from manybandits.base.exceptions import InputError
from manybandits.estimators import regressor
from manybandits.estimators.regressor import RobustMultitaskRegressor


def data(instances=8, rows=30, dimension=6, moved=(), seed=0):
    """Rows of instances that share a parameter, all but the components of `moved`, which instance 0 has elsewhere."""
    rng = np.random.default_rng(seed)
    beta = np.tile(rng.normal(size=dimension), (instances, 1))
    beta[0, list(moved)] += 3.0
    x, instance = rng.normal(size=(instances * rows, dimension)), np.repeat(np.arange(instances), rows)
    return x, (x * beta[instance]).sum(axis=1) + 0.2 * rng.normal(size=len(x)), instance, beta


@parametrize_with_checks([RobustMultitaskRegressor(), RobustMultitaskRegressor(method="average", penalty=0.5)])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def test_the_example_of_the_docstring_runs():
    assert doctest.testmod(regressor).attempted > 5
    assert doctest.testmod(regressor).failed == 0


def test_one_instance_is_plain_least_squares():
    x, y, _, _ = data(1)
    ours = RobustMultitaskRegressor(penalty=5.0).fit(x, y)
    np.testing.assert_allclose(ours.coef_[0], LinearRegression(fit_intercept=False).fit(x, y).coef_, rtol=1e-9)
    np.testing.assert_array_equal(ours.shared_, ours.independent_[0])


def test_where_all_are_poor_each_is_a_plain_lasso():
    x, y, instance, _ = data()
    ours = RobustMultitaskRegressor(penalty=0.5, poor=range(8)).fit(x, y, instance)
    assert not ours.shared_.any()
    for j in range(8):
        own = instance == j
        alpha = 0.5 * np.sqrt(np.log(6) / 30) / 2
        theirs = Lasso(alpha=alpha, fit_intercept=False, tol=1e-12, max_iter=100_000).fit(x[own], y[own])
        np.testing.assert_allclose(ours.coef_[j], theirs.coef_, atol=1e-7)


def test_instances_of_equal_designs_that_differ_in_nothing_are_all_their_mean():
    x, y, instance, beta = data()
    x = np.tile(x[:30], (8, 1))
    y = x @ beta[1] + 0.01 * np.random.default_rng(0).normal(size=len(x))
    ours = RobustMultitaskRegressor(omega=0.0, penalty=5.0).fit(x, y, instance)
    mean = LinearRegression(fit_intercept=False).fit(x, y).coef_
    np.testing.assert_allclose(ours.coef_, np.tile(mean, (8, 1)), atol=1e-8)


def test_what_one_instance_has_elsewhere_moves_the_mean_and_not_the_trimmed_mean():
    x, y, instance, beta = data(moved=[2])
    robust = RobustMultitaskRegressor(penalty=0.5).fit(x, y, instance)
    average = RobustMultitaskRegressor(penalty=0.5, method="average").fit(x, y, instance)
    assert abs(robust.shared_[2] - beta[1, 2]) < 0.1
    assert abs(average.shared_[2] - beta[1, 2]) > 0.3
    assert np.abs(robust.coef_ - beta).max() < 0.15


def test_it_is_algorithm_1_as_the_text_has_it():
    x, y, instance, _ = data(moved=[2])
    ours = RobustMultitaskRegressor(penalty=0.5, omega=0.15).fit(x, y, instance)
    rows = [(x[instance == j], y[instance == j]) for j in range(8)]
    penalties = [0.5 * np.sqrt(np.log(6) / 30)] * 8
    theirs = robust_multitask(rows, penalties, 0.15)
    np.testing.assert_allclose(ours.coef_, theirs, atol=1e-7)
    assert ours.trimmed_ == 1


def test_two_instances_cannot_be_trimmed_and_a_warning_says_so():
    x, y, instance, _ = data(instances=3, moved=[2])
    two = instance < 2
    with pytest.warns(UserWarning, match="of 2 instances a trimmed mean can cut none"):
        ours = RobustMultitaskRegressor().fit(x[two], y[two], instance[two])
    assert ours.trimmed_ == 0
    robust, mean = (RobustMultitaskRegressor(omega=omega).fit(x, y, instance) for omega in (0.1, 0.0))
    assert (robust.trimmed_, mean.trimmed_) == (1, 0)  # a tenth of three is none, and one is cut
    assert not np.allclose(robust.shared_, mean.shared_)


def test_few_rows_take_the_ridge_and_are_counted():
    x, y, instance, _ = data()
    kept = (instance != 3) | (np.arange(len(x)) % 30 < 4)
    ours = RobustMultitaskRegressor(poor=[3]).fit(x[kept], y[kept], instance[kept])
    assert np.flatnonzero(ours.ridged_).tolist() == [3]
    with pytest.raises(InputError, match=r"instance 3 has 4 rows for 6 coefficients"):
        RobustMultitaskRegressor(fallback="error").fit(x[kept], y[kept], instance[kept])


def test_neither_threads_nor_the_order_of_labels_change_a_prediction():
    x, y, instance, _ = data(moved=[1])
    names = np.array(list("hgfedcba"))[instance]
    one = RobustMultitaskRegressor().fit(x, y, instance)
    many = RobustMultitaskRegressor(n_jobs=3).fit(x, y, names)
    assert one.predict(x, instance).tobytes() == many.predict(x, names).tobytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"omega": 0.5}, "omega is 0.5, the share that is cut at each end"),
        ({"penalty": -1.0}, "penalty is -1.0, a scale of the penalty"),
        ({"penalty": np.nan}, "penalty is nan, a scale of the penalty"),
        ({"method": "robus"}, "unknown method 'robus': did you mean 'robust'?"),
        ({"fallback": "rigde"}, "unknown fallback 'rigde': did you mean 'ridge'?"),
        ({"poor": ["x"]}, "poor names the instance 'x', which has no rows"),
    ],
)
def test_bad_options_stop_with_one_sentence(options, words):
    x, y, instance, _ = data()
    with pytest.raises(InputError) as error:
        RobustMultitaskRegressor(**options).fit(x, y, instance)
    assert words in str(error.value)


def test_bad_data_stop_with_one_sentence():
    x, y, instance, _ = data()
    model = RobustMultitaskRegressor()
    with pytest.raises(InputError, match="rows of X have from 2 to 3 features: all instances need the same ones"):
        model.fit([[1.0, 2.0], [1.0, 2.0, 3.0]], [0.0, 1.0], ["a", "b"])
    with pytest.raises(InputError, match="239 labels of instances for 240 rows"):
        model.fit(x, y, instance[:-1])
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.where(x == x[3, 3], np.nan, x), y, instance)
    model.fit(x, y, instance)
    with pytest.raises(InputError, match="8 instances were fitted: give the instance of each row"):
        model.predict(x)
    with pytest.raises(InputError, match=r"instance 9 was not fitted"):
        model.predict(x[:1], [9])
