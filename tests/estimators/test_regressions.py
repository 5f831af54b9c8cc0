"""Regressions are drawn as their settings say, though no row of them is."""

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.estimators.multitask import averaged, independent, pooled
from manybandits.estimators.regressions import Setting, draw, draw_root


@pytest.mark.parametrize("others", [2.0, 200.0])
@pytest.mark.parametrize(("instances", "hit"), [(50, 100), (20, 3 + 19 * 3)])
def test_worst_instances_meet_the_conditions_of_the_lower_bound(instances, hit, others):
    setting = Setting(instances=instances, others=others)
    one = draw(setting, 0)
    own = one.delta[0] != 0
    assert own.sum() == 3
    assert not one.delta[1:, own].any(), "condition (ii)"
    assert ((one.delta != 0).sum(axis=1) == 3).all()
    assert np.count_nonzero(one.delta.mean(axis=0)) == hit, "condition (iii)"
    widest = np.sqrt(32 * np.log(4 * setting.dimension / 0.5) / setting.rows)
    assert (one.delta[0, own] > 5 / 4 * instances / (instances - 1) * widest).all(), "condition (i)"
    np.testing.assert_array_equal(one.gram, np.tile(np.eye(100), (instances, 1, 1)))


def test_one_component_of_a_mixed_design_is_hit_by_all_others_and_the_rest_by_few():
    hits = (draw(Setting(design="mixed", instances=20, dimension=24), 0).delta != 0).sum(axis=0)
    assert hits[-1] == 19
    assert hits[:-1].max() == 2
    assert hits.sum() == 60


def test_a_generic_design_has_the_given_support_anywhere_and_either_sign():
    delta = draw(Setting(design="generic", rows=200), 0).delta
    assert ((delta != 0).sum(axis=1) == 3).all()
    assert set(np.unique(delta)) == {-2.0, 0.0, 2.0}
    assert len(np.unique(delta[0:2].nonzero()[1])) > 3


def test_instance_0_is_poor_and_left_out_in_the_poor_regime():
    one = draw(Setting(regime="poor"), 0)
    assert one.rows.tolist() == [400] + 49 * [400 * 100**2]
    assert one.included.tolist() == [False] + 49 * [True]


@pytest.mark.parametrize("rows", [5, 12, 300])
def test_a_root_is_that_of_rows_that_were_drawn(rows):
    """Its rank is that of so many rows, and its mean that of their covariance."""
    rng = np.random.default_rng(0)
    grams = [
        root @ root.T for root in (draw_root(rows, Setting(design="generic", dimension=12), rng) for _ in range(400))
    ]
    assert {np.linalg.matrix_rank(gram, tol=1e-9) for gram in grams} == {min(rows, 12)}
    # Scales are log-uniform from 1/sqrt 2 to sqrt 2, so their squares have the mean (2 - 1/2) / log 4.
    mean = np.mean(grams, axis=0)
    assert abs(np.trace(mean) / 12 - 1.5 / np.log(4)) < 0.06
    # Correlations rho of neighbours are uniform from 0 to 1/2, and those of all other pairs powers of them.
    size = (2 * (np.sqrt(2) - np.sqrt(0.5)) / np.log(4)) ** 2
    for lag, expected in ((1, 1 / 4), (2, 1 / 12), (11, 0.0)):
        assert abs(np.diag(mean, lag).mean() - size * expected) < 0.03


def test_an_autoregression_has_one_covariance_for_all_instances_and_pooling_is_then_not_averaging():
    rng, setting = np.random.default_rng(0), Setting(dimension=8, rows=40, covariance="autoregression")
    mean = np.mean([root @ root.T for root in (draw_root(40, setting, rng) for _ in range(2000))], axis=0)
    np.testing.assert_allclose(mean, 0.5 ** np.abs(np.subtract.outer(np.arange(8), np.arange(8))), atol=0.03)
    for covariance, equal in (("identity", True), ("autoregression", False)):
        one = draw(Setting(dimension=8, rows=40, instances=6, covariance=covariance), 0)
        average = averaged(independent(one.gram, one.moment)[0], one.included)
        assert np.allclose(pooled(one.gram, one.moment, one.rows, one.included), average, atol=1e-9) == equal


def test_the_regressions_that_were_drawn_before_there_was_a_covariance_are_the_same():
    from manybandits.base.seeds import stream

    before = ("worst", "standard", 400, 100, 50, 3, 2.0, 2.0, 0.0, 1.0)
    shared = stream("regressions", *map(str, before), 7).normal(size=100) / 100
    np.testing.assert_array_equal(draw(Setting(), 7).shared, shared)


def test_noise_has_the_covariance_of_the_rows():
    """Least squares err by noise^2 trace(gram^-1) / n on average."""
    squares = []
    for seed in range(30):
        one = draw(Setting(design="generic", rows=60, dimension=10, instances=20), seed)
        estimates = np.linalg.solve(one.gram, one.moment[..., None])[..., 0]
        spread = np.trace(np.linalg.inv(one.gram), axis1=1, axis2=2) / 60
        squares.append(((estimates - one.shared - one.delta) ** 2).sum(axis=1) / spread)
    assert abs(np.mean(squares) - 1) < 0.05


def test_a_seed_and_a_setting_are_all_that_a_draw_depends_on():
    first, again, other = (draw(Setting(design="generic", rows=150), seed) for seed in (3, 3, 4))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(first, again, strict=True))
    assert first.moment.tobytes() != other.moment.tobytes()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"design": "worse"}, "unknown design 'worse': did you mean 'worst'?"),
        ({"rows": 50}, "50 rows cannot have the covariance I in 100 dimensions"),
        ({"support": 51}, "support is 51, more than half of the dimension, 100"),
        ({"instances": 1}, "instances is 1; give a whole number from 2"),
        ({"rows": 100.5}, "rows is 100.5; give a whole number from 1"),
        ({"noise": -1.0}, "noise is -1, but it is a standard deviation"),
    ],
)
def test_what_cannot_be_drawn_is_named(given, words):
    with pytest.raises(InputError) as error:
        Setting(**given)
    assert words in str(error.value)
