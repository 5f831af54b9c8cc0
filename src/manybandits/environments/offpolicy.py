"""Off-policy estimates of the reward of a policy, from a log of arms that another policy showed.

Event i of the log showed one of K arms; p_i, its propensity, is the probability with which it was shown. In a uniform
log p_i = 1/K, whatever the contexts. Let x be the contexts of an event, a the arm that the policy chooses, and
w_i = 1 / p_i if the event showed that arm, else 0. After e events, t of which showed the chosen arm, the value of the
policy is estimated as

    replay              c_t / t, with c_t the clicks of these t     Li, Chu, Langford and Wang 2011, Algorithm 2
    inverse propensity  mean of w_i click_i                         Dudík, Langford and Li 2011, section 2
    self-normalised     sum of w_i click_i / sum of w_i             Swaminathan and Joachims 2015, section 4
    doubly robust       mean of q(x, a) + w_i (click_i - q(x, a))   Dudík, Langford and Li 2011, section 2

Replay needs a uniform log, where it equals the self-normalised estimate; another log is first thinned to a uniform one
(`manybandits.environments.replay`). The doubly robust estimate corrects the clicks q that a model predicts by the
clicks of events that count; with q = 0 it is inverse propensity. The model is fitted to other events than those that
it predicts. So all but the self-normalised one are unbiased if the propensities are right and no arm had probability
0, except for a bias of order 1 / t from stopping at the t-th event that counts; the self-normalised one has a further
bias of order 1 / t. Early estimates may lie outside 0 to 1.

If a policy learns, its mean value over the events is estimated. Under the three weighted estimates it learns from the
events that count as they are: in a log that is not uniform, some arms more often than others.

A few events with small propensities can decide a weighted estimate. Its effective sample size,
(sum of w_i)^2 / sum of w_i^2 (Kish 1965), is the number of equally weighted events that would be as precise; it is t in
a uniform log.

Source: Dudík, Langford and Li 2011, *Doubly robust policy evaluation and learning*; Li et al. 2011, *Unbiased offline
evaluation of contextual-bandit-based news article recommendation algorithms*; Swaminathan and Joachims 2015, *The
self-normalized estimator for counterfactual learning*; Kish 1965, *Survey sampling*.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError
from manybandits.numerics.collinear import fault_in, sentence

FOLDS = 2
"""Parts of a log. The events of each part are predicted by a model that is fitted to the other part."""
REGULARIZATION = 1.0
"""Weight of the identity in the model of clicks."""
TOO_FEW = 100
"""Effective events under which an estimate is called unreliable: the standard error of a rate can then exceed 0.05."""


def cumulative_estimate(
    chosen: np.ndarray,
    shown: np.ndarray,
    click: np.ndarray,
    guess: np.ndarray | None = None,
    propensity: np.ndarray | None = None,
) -> np.ndarray:
    """Return t times the estimated value of a policy after the t-th event that counts, for all T of them, (T,).

    chosen, shown, click: (e,), of the events in the order in which the policy saw them; guess: (e, K), the predicted
    clicks of each arm, all 0 for inverse propensity; propensity: (e,), of the arms shown, None for a uniform log.
    Without a guess, the estimate is the self-normalised one, which without propensities is that of replay.
    """
    counted = np.flatnonzero(chosen == shown)
    rounds = np.arange(1, len(counted) + 1)
    if guess is None:
        if propensity is None:
            return np.cumsum(click[counted])
        weight = 1.0 / propensity[counted]
        return rounds * np.cumsum(weight * click[counted]) / np.cumsum(weight)
    weights = guess.shape[1] if propensity is None else 1.0 / propensity
    expected = guess[np.arange(len(chosen)), chosen]
    told = np.where(chosen == shown, weights * (click - expected), 0.0)
    return rounds * np.cumsum(expected + told)[counted] / (counted + 1)


def effective_size(propensity: np.ndarray) -> np.ndarray:
    """Return the effective sample size of the first t events that count, for all T of them, (T,). propensity: (T,)."""
    weight = 1.0 / propensity
    return np.cumsum(weight) ** 2 / np.cumsum(weight**2)


def too_few(effective: float, whose: str) -> str:
    """Return a sentence if an effective sample size is below `TOO_FEW`, else "". whose: of what, in words."""
    if effective >= TOO_FEW:
        return ""
    return (
        f"The effective sample size of {whose} is {effective:,.0f}, below {TOO_FEW}: a few events with small "
        "propensities decide the estimate, so do not rely on it; play more rounds, log more events, or evaluate a "
        "policy that is closer to the logged one."
    )


def fit_clicks(
    shown: np.ndarray, click: np.ndarray, contexts: np.ndarray, columns: Mapping[str, int] | None = None
) -> np.ndarray:
    """Return the clicks that one ridge regression per arm predicts for each event and arm, (n, K).

    shown, click: (n,); contexts: (n, K, d), to which a constant is added. Event i is in part i modulo `FOLDS`. Raises
    InputError if rounding errors are all that is left of a regression. columns: column -> its place in a context.
    """
    from manybandits.numerics.triangles import TOLERANCE  # imports numba, which the others here do without

    events, arms, dimension = contexts.shape
    fold = np.arange(events) % FOLDS
    inputs = np.concatenate([contexts, np.ones((events, arms, 1))], axis=2)
    guess = np.empty((events, arms))
    with threadpool_limits(1):  # the order of sums must not depend on the number of threads
        for part in range(FOLDS):
            for arm in range(arms):
                known = inputs[(fold != part) & (shown == arm), arm]
                gram = known.T @ known + REGULARIZATION * np.eye(dimension + 1)
                own, fault = fault_in(gram, max(len(known), 1))
                if own <= TOLERANCE:
                    raise InputError(f"the clicks of arm {arm} cannot be estimated: {sentence(fault, columns)}")
                theta = np.linalg.solve(gram, known.T @ click[(fold != part) & (shown == arm)])
                guess[fold == part, arm] = inputs[fold == part, arm] @ theta
    return guess
