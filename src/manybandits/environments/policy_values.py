"""Off-policy estimates of the value of a policy, its mean reward, from a log of arms that another policy showed.

Event i showed the arm a_i with probability p_i, and its reward was r_i. The policy chooses arm a with probability
pi(a | x_i). With w_i = pi(a_i | x_i) / p_i, a model's predictions q(x, a) of rewards, and their mean under the policy
q(x, pi) = sum of pi(a | x) q(x, a), its value is estimated as

    ips      mean of w_i r_i                                    Dudík, Langford and Li 2011, section 2
    snips    sum of w_i r_i / sum of w_i                        Swaminathan and Joachims 2015, section 4
    dr       mean of q(x_i, pi) + w_i (r_i - q(x_i, a_i))       Dudík, Langford and Li 2011, section 2
    switch   dr with w_i = 0 where w_i > largest_weight         Wang, Agarwal and Dudík 2017 (SWITCH-DR)

ips and dr are unbiased if the propensities are right and every arm that the policy chooses could be shown. snips has
a bias of order 1 / n. switch trades bias for variance where a few events have large weights.

Source: Dudík, Langford and Li 2011, *Doubly robust policy evaluation and learning*; Swaminathan and Joachims 2015, *The
self-normalized estimator for counterfactual learning*; Wang, Agarwal and Dudík 2017, *Optimal and adaptive off-policy
evaluation in contextual bandits*; Kish 1965, *Survey sampling*.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

Value = tuple[float, float, float]
"""An estimate, and the ends of its interval."""


def estimate_values(
    chances: np.ndarray,
    shown: np.ndarray,
    reward: np.ndarray,
    propensity: np.ndarray,
    guess: np.ndarray,
    largest_weight: float,
    level: float = 0.95,
) -> dict[str, Value]:
    """Return the estimates of a policy's value by name, each with a normal interval.

    chances: (n, K), the probabilities with which the policy chooses each arm; shown, reward, propensity: (n,), of the
    arms that the log showed; guess: (n, K), predicted rewards; largest_weight: that ``switch`` uses; level: of the
    intervals. snips is linearised for its interval, and NaN if all weights are 0.
    """
    each = np.arange(len(shown))
    weight = chances[each, shown] / propensity
    expected, rest = (chances * guess).sum(axis=1), reward - guess[each, shown]
    with np.errstate(invalid="ignore"):
        ratio = (weight * reward).sum() / weight.sum()
        linearised = ratio + weight * (reward - ratio) / weight.mean()
    terms = {
        "ips": weight * reward,
        "snips": linearised,
        "dr": expected + weight * rest,
        "switch": expected + np.where(weight > largest_weight, 0.0, weight) * rest,
    }
    return {name: mean_with_interval(one, level) for name, one in terms.items()}


def mean_with_interval(terms: np.ndarray, level: float) -> Value:
    """Return the mean of terms, (n,), and the ends of its normal interval, which are NaN for a single term."""
    mean = float(terms.mean())
    half = float(ndtri((1 + level) / 2) * terms.std(ddof=1) / np.sqrt(len(terms))) if len(terms) > 1 else np.nan
    return mean, mean - half, mean + half


def effective_events(weight: np.ndarray) -> float:
    """Return the effective sample size of weights, (n,): (sum w)^2 / sum w^2 (Kish 1965), 0 if all are 0."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0
