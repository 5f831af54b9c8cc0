"""Off-policy estimates of the reward of a policy, from a log of arms that another policy showed.

The log showed each of K arms with probability 1/K, whatever the contexts. Let x be the contexts of an event and a
the arm that the policy chooses. After e events, t of which showed the chosen arm and had c_t clicks in all, the value
of the policy is estimated as

    replay              c_t / t                                   Li, Chu, Langford and Wang 2011, Algorithm 2
    inverse propensity  K c_t / e                                 Dudík, Langford and Li 2011, section 2
    doubly robust       mean of q(x, a) + K 1[a was shown] (click - q(x, a))

Inverse propensity weighs an event that counts by the inverse of its probability, K^-1; replay divides by the sum of
these weights. The doubly robust estimate corrects the clicks q that a model predicts by the clicks of events that
count; with q = 0 it is inverse propensity. The model is fitted to other events than those that it predicts. So the
three estimates are unbiased, except for a bias of order 1 / t from stopping at the t-th event that counts. Early
estimates may lie outside 0 to 1.

Source: Dudík, Langford and Li 2011, *Doubly robust policy evaluation and learning*; Li et al. 2011, *Unbiased offline
evaluation of contextual-bandit-based news article recommendation algorithms*.
"""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

FOLDS = 2
"""Parts of a log. The events of each part are predicted by a model that is fitted to the other part."""
REGULARIZATION = 1.0
"""Weight of the identity in the model of clicks."""


def cumulative_estimate(
    chosen: np.ndarray, shown: np.ndarray, click: np.ndarray, guess: np.ndarray | None = None
) -> np.ndarray:
    """Return t times the estimated value of a policy after the t-th event that counts, for all T of them, (T,).

    chosen, shown, click: (e,), of the events in the order in which the policy saw them; guess: (e, K), the predicted
    clicks of each arm, all 0 for inverse propensity. Without a guess, the estimate is that of replay.
    """
    counted = np.flatnonzero(chosen == shown)
    if guess is None:
        return np.cumsum(click[counted])
    expected = guess[np.arange(len(chosen)), chosen]
    told = np.where(chosen == shown, guess.shape[1] * (click - expected), 0.0)
    return np.arange(1, len(counted) + 1) * np.cumsum(expected + told)[counted] / (counted + 1)


def fit_clicks(shown: np.ndarray, click: np.ndarray, contexts: np.ndarray) -> np.ndarray:
    """Return the clicks that one ridge regression per arm predicts for each event and arm, (n, K).

    shown, click: (n,); contexts: (n, K, d), to which a constant is added. Event i is in part i modulo `FOLDS`.
    """
    events, arms, dimension = contexts.shape
    fold = np.arange(events) % FOLDS
    inputs = np.concatenate([contexts, np.ones((events, arms, 1))], axis=2)
    guess = np.empty((events, arms))
    with threadpool_limits(1):  # the order of sums must not depend on the number of threads
        for part in range(FOLDS):
            for arm in range(arms):
                known = inputs[(fold != part) & (shown == arm), arm]
                gram = known.T @ known + REGULARIZATION * np.eye(dimension + 1)
                theta = np.linalg.solve(gram, known.T @ click[(fold != part) & (shown == arm)])
                guess[fold == part, arm] = inputs[fold == part, arm] @ theta
    return guess
