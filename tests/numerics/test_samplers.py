"""What is drawn has the distribution that it is named after."""

import numpy as np
import pytest
from numba import njit
from scipy import stats

from manybandits.base.seeds import words
from manybandits.numerics import samplers

DRAWS = 20_000


@njit
def many_normal(random, out):
    for i in range(len(out)):
        out[i] = samplers.normal(random)


@njit
def many_gamma(shape, random, out):
    for i in range(len(out)):
        out[i] = samplers.gamma(shape, random)


@njit
def many_beta(a, b, random, out):
    for i in range(len(out)):
        out[i] = samplers.beta(a, b, random)


@pytest.fixture
def random():
    return words(np.array([5]), "samplers")[0]


def fits(drawn, distribution):
    return stats.kstest(drawn, distribution.cdf).pvalue > 1e-3


def test_normal(random):
    out = np.empty(DRAWS)
    many_normal(random, out)
    assert fits(out, stats.norm())
    assert not fits(out, stats.norm(scale=1.05))


@pytest.mark.parametrize("shape", [0.3, 1.0, 7.5])
def test_gamma(shape, random):
    out = np.empty(DRAWS)
    many_gamma(shape, random, out)
    assert fits(out, stats.gamma(shape))
    assert not fits(out, stats.gamma(shape * 1.1))


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.0, 1.0), (4.0, 40.0)])
def test_beta(a, b, random):
    out = np.empty(DRAWS)
    many_beta(a, b, random, out)
    assert fits(out, stats.beta(a, b))
    assert not fits(out, stats.beta(a, b * 1.1))


@njit
def many_joint(mean, covariance, random, out):
    for i in range(len(out)):
        samplers.joint_normal(mean, covariance.copy(), 0.5, random, out[i])


def test_joint_normal_has_its_mean_and_covariance_though_one_number_follows_another(random):
    root = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-0.6, 0.0, 0.8]])  # the second number is the first
    mean, out = np.array([0.0, 3.0, -1.0]), np.empty((DRAWS, 3))
    many_joint(mean, root @ root.T, random, out)
    np.testing.assert_allclose(out[:, 1] - out[:, 0], 3.0, atol=1e-12)
    assert fits(out[:, 0], stats.norm(scale=0.5))
    assert fits(out[:, 2], stats.norm(-1.0, 0.5))
    np.testing.assert_allclose(np.cov(out.T), 0.25 * root @ root.T, atol=0.01)
