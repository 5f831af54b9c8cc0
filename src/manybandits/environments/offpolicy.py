"""What a policy would earn, estimated from a log of what another one showed.

The log showed each of K arms equally often, whatever the contexts; x are the contexts of an event, a is what the policy
picks there. After e events, t of which showed what the policy picked, and paid c_t clicks, its value is estimated as

    replay              c_t / t                                   Li, Chu, Langford and Wang 2011, Algorithm 2
    inverse propensity  K c_t / e                                 Dudík, Langford and Li 2011, section 2
    doubly robust       mean of q(x, a) + K 1[a was shown] (click - q(x, a))

Inverse propensity weighs an event that counts by one over the chance K^-1 that it does; replay divides by the sum of
these weights. Doubly robust corrects the clicks q that a model expects where the event tells; with q = 0 it is inverse
propensity. The model is fitted on events other than the one it speaks of, and so none of the three has a bias, but for
one of order 1 / t that comes from stopping where the t-th event counts. Early estimates may lie outside 0 to 1.

Source: Dudík, Langford and Li 2011, *Doubly robust policy evaluation and learning*; Li et al. 2011, *Unbiased offline
evaluation of contextual-bandit-based news article recommendation algorithms*.
"""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

FOLDS = 2
"""Parts of a log, each of which is spoken of by a model that was fitted on the other."""
REGULARIZATION = 1.0
"""Weight of the identity in the model of clicks."""


def cumulative_estimate(
    chosen: np.ndarray, shown: np.ndarray, click: np.ndarray, guess: np.ndarray | None = None
) -> np.ndarray:
    """Return t times the estimated value of a policy after the t-th event that counts, (T,), for the T that do.

    chosen, shown, click: (e,), of the events that the policy was asked about, in its order; guess: (e, K), the clicks
    that a model expects of every arm, all 0 for inverse propensity. Without a guess, the estimate is that of replay.
    """
    counted = np.flatnonzero(chosen == shown)
    if guess is None:
        return np.cumsum(click[counted])
    expected = guess[np.arange(len(chosen)), chosen]
    told = np.where(chosen == shown, guess.shape[1] * (click - expected), 0.0)
    return np.arange(1, len(counted) + 1) * np.cumsum(expected + told)[counted] / (counted + 1)


def fit_clicks(shown: np.ndarray, click: np.ndarray, contexts: np.ndarray) -> np.ndarray:
    """Return the clicks that a ridge regression an arm expects of every event and arm, (n, K).

    shown, click: (n,); contexts: (n, K, d), to which a constant is added. Events are dealt to `FOLDS` parts in turn.
    """
    events, arms, dimension = contexts.shape
    fold = np.arange(events) % FOLDS
    inputs = np.concatenate([contexts, np.ones((events, arms, 1))], axis=2)
    guess = np.empty((events, arms))
    with threadpool_limits(1):  # sums have one order
        for part in range(FOLDS):
            for arm in range(arms):
                known = inputs[(fold != part) & (shown == arm), arm]
                gram = known.T @ known + REGULARIZATION * np.eye(dimension + 1)
                theta = np.linalg.solve(gram, known.T @ click[(fold != part) & (shown == arm)])
                guess[fold == part, arm] = inputs[fold == part, arm] @ theta
    return guess
