"""The three estimates find the value of a policy that is known, and the model of clicks is an ordinary one."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from manybandits.environments.offpolicy import FOLDS, REGULARIZATION, cumulative_estimate, fit_clicks

CHANCES = np.array([[0.1, 0.5, 0.3], [0.7, 0.2, 0.4]])
"""Of a click, for each of two kinds of contexts and each of three arms."""
POLICY = np.array([1, 2])
"""The arm that is picked for each kind; it is worth (0.5 + 0.4) / 2."""
VALUE = CHANCES[[0, 1], POLICY].mean()


def a_log(seed: int, events: int = 1500):
    random = np.random.default_rng(seed)
    kind, shown = random.integers(2, size=events), random.integers(3, size=events)
    click = (random.random(events) < CHANCES[kind, shown]).astype(float)
    return kind, shown, click


def model(kind, shown, click):
    contexts = np.broadcast_to(kind[:, None, None], (len(kind), 3, 1)).astype(float)
    return fit_clicks(shown, click, contexts)


@pytest.fixture(scope="module")
def estimates():
    """Each estimate of the value of POLICY after a log, for 300 logs: name -> (300,)."""
    found = {"replay": [], "inverse": [], "doubly-robust": []}
    for seed in range(300):
        kind, shown, click = a_log(seed)
        for name, guess in (
            ("replay", None),
            ("inverse", np.zeros((len(kind), 3))),
            ("doubly-robust", model(kind, shown, click)),
        ):
            curve = cumulative_estimate(POLICY[kind], shown, click, guess)
            found[name].append(curve[-1] / len(curve))
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.parametrize("name", ["replay", "inverse", "doubly-robust"])
def test_an_estimate_is_right_on_average(estimates, name):
    error = estimates[name].std(ddof=1) / np.sqrt(len(estimates[name]))
    assert abs(estimates[name].mean() - VALUE) < 4 * error
    assert error < 0.002  # so that the line above says something


def test_a_model_of_clicks_makes_the_estimate_steadier(estimates):
    assert estimates["doubly-robust"].std() < 0.8 * estimates["inverse"].std()


def test_estimates_are_what_their_formulas_say():
    kind, shown, click = a_log(0, events=200)
    chosen, guess = POLICY[kind], np.random.default_rng(1).random((200, 3))
    curves = [cumulative_estimate(chosen, shown, click, g) for g in (None, np.zeros((200, 3)), guess)]
    t = 0
    for e in range(200):
        if chosen[e] != shown[e]:
            continue
        t += 1
        past = range(e + 1)
        clicks = sum(click[i] for i in past if chosen[i] == shown[i])
        robust = sum(
            guess[i, chosen[i]] + (3 * (click[i] - guess[i, shown[i]]) if chosen[i] == shown[i] else 0) for i in past
        )
        expected = [clicks, t * 3 * clicks / (e + 1), t * robust / (e + 1)]
        assert np.allclose([curve[t - 1] for curve in curves], expected)
    assert all(len(curve) == t for curve in curves)


def test_a_policy_that_never_agrees_has_no_estimate():
    for guess in (None, np.zeros((2, 3))):
        assert len(cumulative_estimate(np.array([0, 1]), np.array([1, 2]), np.ones(2), guess)) == 0


def test_the_model_of_clicks_is_a_ridge_regression_on_the_other_part_of_the_log():
    random = np.random.default_rng(4)
    contexts, shown = random.normal(size=(101, 3, 4)), random.integers(3, size=101)
    click = random.integers(2, size=101).astype(float)
    guess = fit_clicks(shown, click, contexts)
    inputs = np.concatenate([contexts, np.ones((101, 3, 1))], axis=2)
    part = np.arange(101) % FOLDS
    for event in (0, 1, 57, 100):
        for arm in range(3):
            known = (part != part[event]) & (shown == arm)
            ridge = Ridge(alpha=REGULARIZATION, fit_intercept=False).fit(inputs[known, arm], click[known])
            assert np.isclose(guess[event, arm], ridge.predict(inputs[[event], arm])[0])


def test_the_model_knows_nothing_of_the_event_that_it_speaks_of():
    kind, shown, click = a_log(1, events=50)
    before = model(kind, shown, click)
    click[7] = 1 - click[7]
    after = model(kind, shown, click)
    assert np.array_equal(before[7], after[7])
    assert not np.array_equal(before[8], after[8])
