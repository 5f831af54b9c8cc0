"""The robust multitask estimator of Xu and Bastani as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError, pick
from manybandits.estimators.multitask import averaged, debiased, independent, trimmed

METHODS = ("robust", "average")
FALLBACKS = ("ridge", "error")
UNTRIMMED = (
    "of 2 instances a trimmed mean can cut none, so the shared parameter is their mean, which one instance can move: "
    "fit three or more instances, or name one of the two in poor."
)


class RobustMultitaskRegressor(RegressorMixin, BaseEstimator):
    """Linear regressions of many instances whose parameters differ in few coefficients, without intercept.

    Each instance is first fitted alone, by least squares. The shared parameter is the trimmed mean of these estimates,
    coefficient by coefficient. The final estimate of each instance is the minimiser of

        (1/n_j) |X_j beta - y_j|^2 + lambda_j |beta - shared|_1,    lambda_j = penalty sqrt(log(d) / n_j).

    With a single instance, the shared parameter is its least-squares estimate, and so is its final estimate. If `poor`
    names all instances, the shared parameter is 0 and every instance is fitted by a plain LASSO.

    Parameters
    ----------
    omega : float, default=0.2
        Share of the instances that the trimmed mean cuts at each end, from 0 to below 1/2; it should exceed the share
        of instances that differ in the same coefficient. Rounded down to whole instances, but to one at least; 0 is
        the mean. Of two instances none can be cut, and a warning says so.
    penalty : float, default=2.0
        Scale of lambda_j. In the paper it is sqrt(32) times the standard deviation of the noise times the largest
        feature.
    method : {"robust", "average"}, default="robust"
        "average" uses the mean in place of the trimmed mean: the averaging multitask estimator.
    poor : sequence of labels, default=()
        Instances with far fewer rows than the others, which are left out of the shared parameter (section 3.5).
    fallback : {"ridge", "error"}, default="ridge"
        What to do for an instance whose least-squares problem has no unique solution, as with fewer rows than features:
        add a ridge of 1e-6 times the mean square of the features, or raise an error.
    n_jobs : int, default=1
        Number of threads. The result does not depend on it.

    Attributes
    ----------
    instances_ : ndarray of shape (N,)
        The labels of the instances, sorted.
    coef_ : ndarray of shape (N, d)
        The final estimate of each instance.
    shared_ : ndarray of shape (d,)
        The estimate of the shared parameter.
    independent_ : ndarray of shape (N, d)
        The least-squares estimate of each instance.
    ridged_ : ndarray of shape (N,)
        Which instances needed the ridge.
    trimmed_ : int
        How many instances were cut at each end.
    n_features_in_ : int
        The number of features, d.

    References
    ----------
    Kan Xu and Hamsa Bastani. Learning Across Bandits in High Dimension via Robust Statistics. Algorithm 1.

    Examples
    --------
    Ten instances share a parameter, and the last differs from it in one coefficient.

    >>> import numpy as np
    >>> from manybandits.estimators.regressor import RobustMultitaskRegressor
    >>> random = np.random.default_rng(0)
    >>> X, instance = random.normal(size=(300, 4)), np.repeat(np.arange(10), 30)
    >>> beta = np.tile([1.0, -1.0, 0.5, 0.0], (10, 1))
    >>> beta[9, 3] = 2.0
    >>> y = (X * beta[instance]).sum(axis=1) + 0.1 * random.normal(size=300)
    >>> model = RobustMultitaskRegressor(penalty=0.2).fit(X, y, instance)
    >>> model.coef_[[0, 9]].round(1) + 0.0
    array([[ 1. , -1. ,  0.5,  0. ],
           [ 1. , -1. ,  0.5,  2. ]])
    >>> bool(np.abs(model.shared_ - beta[0]).max() < 0.05)
    True
    """

    def __init__(
        self,
        *,
        omega: float = 0.2,
        penalty: float = 2.0,
        method: str = "robust",
        poor: Sequence[Any] = (),
        fallback: str = "ridge",
        n_jobs: int = 1,
    ) -> None:
        self.omega = omega
        self.penalty = penalty
        self.method = method
        self.poor = poor
        self.fallback = fallback
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, instance: Any = None) -> Self:
        """Fit all instances.

        X: (n, d), the rows of all instances; y: (n,); instance: (n,), the label of each row's instance; without it, all
        rows belong to one instance.
        """
        pick(self.method, METHODS, "method")
        pick(self.fallback, FALLBACKS, "fallback")
        if not self.penalty >= 0.0:
            raise InputError(f"penalty is {self.penalty}, a scale of the penalty: give a value from 0.")
        X, y = validate_data(self, same_width(X), y, dtype=np.float64, y_numeric=True)
        self.instances_, place = np.unique(labels_of(instance, len(X)), return_inverse=True)
        for label in self.poor:
            if label not in self.instances_:
                raise InputError(f"poor names the instance {label!r}, which has no rows: leave it out.")
        included = ~np.isin(self.instances_, list(self.poor))
        count, dimension = len(self.instances_), X.shape[1]
        gram, moment = np.empty((count, dimension, dimension)), np.empty((count, dimension))
        rows = np.bincount(place)
        with threadpool_limits(1):  # the order of sums in a BLAS product depends on its threads
            for j in range(count):
                own, rewards = X[place == j], y[place == j]
                gram[j], moment[j] = own.T @ own / rows[j], own.T @ rewards / rows[j]
        self.independent_, self.ridged_ = independent(gram, moment, self.n_jobs)
        if self.fallback == "error" and self.ridged_.any():
            j = int(self.ridged_.argmax())
            raise InputError(
                f"instance {self.instances_[j]} has {rows[j]} rows for {dimension} coefficients, or columns that "
                "depend on each other: least squares have no unique solution; give more rows, or fallback='ridge'."
            )
        omega = self.omega if self.method == "robust" else 0.0
        self.shared_ = averaged(self.independent_, included, omega)
        self.trimmed_ = trimmed(int(included.sum()), omega)
        if omega > 0.0 and included.sum() == 2:
            warnings.warn(UNTRIMMED, stacklevel=2)
        penalty = self.penalty * np.sqrt(np.log(dimension) / rows)
        self.coef_ = debiased(gram, moment, penalty, np.tile(self.shared_, (count, 1)), self.n_jobs)
        return self

    def predict(self, X: Any, instance: Any = None) -> np.ndarray:
        """Return the predicted y of each row, (n,). X: (n, d); instance: (n,), required if several were fitted."""
        check_is_fitted(self)
        X = validate_data(self, same_width(X), dtype=np.float64, reset=False)
        if instance is None and len(self.instances_) > 1:
            raise InputError(f"{len(self.instances_)} instances were fitted: give the instance of each row.")
        given = np.repeat(self.instances_, len(X)) if instance is None else labels_of(instance, len(X))
        known = np.isin(given, self.instances_)
        if not known.all():
            raise InputError(f"instance {given[~known][0]} was not fitted: include rows of it in fit.")
        predicted: np.ndarray = (X * self.coef_[np.searchsorted(self.instances_, given)]).sum(axis=1)
        return predicted


def labels_of(instance: Any, count: int) -> np.ndarray:
    """Return the label of every row, (n,); raise InputError where rows and labels differ in number."""
    if instance is None:
        return np.zeros(count, np.int64)
    labels: np.ndarray = column_or_1d(instance)
    if len(labels) != count:
        raise InputError(f"{len(labels)} labels of instances for {count} rows: give one label per row.")
    return labels


def same_width(X: Any) -> Any:
    """Return `X`; raise InputError if it is a list of rows of different lengths."""
    if isinstance(X, list | tuple):
        widths = sorted({len(row) for row in X if hasattr(row, "__len__")})
        if len(widths) > 1:
            raise InputError(
                f"rows of X have from {widths[0]} to {widths[-1]} features: all instances need the same ones."
            )
    return X
