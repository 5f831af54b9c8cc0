"""The benchmark of the robust multitask estimator compares two ways to the same numbers."""

import numpy as np

from benchmarks import multitask
from manybandits.estimators.comparison import Point
from manybandits.estimators.multitask import debiased


def test_scikit_learn_is_timed_on_the_same_problems():
    point = Point.of({"design": "generic", "rows": 60, "dimension": 15, "instances": 10})
    given = multitask.problems(point, seeds=2)
    assert len(given[0]) == 4
    np.testing.assert_allclose(multitask.loop(*given), debiased(*given), atol=1e-7)
