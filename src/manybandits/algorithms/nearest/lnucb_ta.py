"""LNUCB-TA: ridge regression and nearest neighbours for every arm, and an exploration rate that falls with pulls.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Algorithms 1 to 3.

    k_a     = theta_min + (theta_max - theta_min) variance of the arm's rewards             Algorithm 2, lines 4 and 5
    f_a     = mean of its k_a nearest rewards, if it has so many, else 0                                 lines 6 and 7
    alpha_a = alpha / (N_a + 1) (kappa g + (1 - kappa) n_a)                                   Algorithm 3, lines 3 and 4
    a_t     = argmax_a  theta_a' x_a + f_a + alpha_a sqrt(x_a' A_a^-1 x_a)                          Algorithm 1, line 8

N_a and n_a are pulls and mean reward of the arm, g is the mean of all rewards. The paper's ablation is `attention` = no
(alpha_a = alpha) and `neighbours` = no (f_a = 0); without both it is LinUCB.

Protocol ``released``: g is the mean of the whole reward table of a log, which no bandit knows; neighbours have weight
1 / distance; k is rounded down; A_a^-1 is computed before the arm's newest observation is added to A_a, but b_a in
theta_a = A_a^-1 b_a already contains it. Each of these is also an option: `mean` = table, `weights` = distance,
`rounding` = floor, `lag` = yes.

Where the paper is silent: k is rounded to the nearest whole number; "len(x) >= k" (Algorithm 2,
line 6) is read as its text explains it, enough observations; the weight of the identity is 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Option, Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest._scores import HIGH, LOW, ROUNDING, WEIGHTS, adapted
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import Neighbours, new_neighbours, remember
from manybandits.numerics.ridge import Ridge, credit, mean_and_spread, new_contexts, new_ridge, observe
from manybandits.numerics.vectors import assign, total

TITLE = "LNUCB-TA"
REFERENCE = "Khosravi et al., Algorithms 1 to 3"
OPTIONS = (
    Option("alpha", 1.0, "alpha_0, exploration (Table 5)", low=0.0),
    Option("kappa", 0.5, "weight of the mean of all rewards (Appendix B)", low=0.0, high=1.0),
    LOW,
    HIGH,
    Option("attention", "yes", "whether the exploration rate falls with pulls", words=("yes", "no")),
    Option("neighbours", "yes", "whether nearest rewards are added", words=("yes", "no")),
    Option("mean", "seen", "the rewards whose mean is g", words=("seen", "table")),
    WEIGHTS,
    ROUNDING,
    Option("lag", "no", "whether A^-1 lacks the newest observation", words=("yes", "no")),
    LAMBDA,
)
RELEASED = (
    "g is the mean of the whole reward table; neighbours weigh 1 / distance; their number is cut, not rounded; "
    "the inverse lags an observation behind"
)
RELEASED_OPTIONS = ("alpha", "kappa", "theta_min", "theta_max", "attention", "neighbours")


class State(NamedTuple):
    alpha: float
    kappa: float
    theta_min: int
    theta_max: int
    attends: bool
    compares: bool
    table_mean: float  # of the whole reward table, NaN if g is the mean of the rewards seen
    near_more: bool
    floors: bool
    lags: bool
    newest: np.ndarray  # (K, d): the context of each arm that A^-1 lacks, if it lags
    arms: Ridge  # K learners
    seen: Neighbours
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round.

    Raises InputError if theta_max is below theta_min, if an inverse is to lag but contexts are not written out, and if
    g is to be the mean of a reward table that the game does not have.
    """
    if options["theta_max"] < options["theta_min"]:
        raise InputError("theta_max is below theta_min: an arm would have fewer neighbours the more its rewards vary.")
    lags = released or options["lag"] == "yes"
    if lags and problem.log is not None:
        raise InputError("an inverse that lags needs contexts written out, and these are too long: set lag to no.")
    asked = options["mean"] == "table"
    if asked and np.isnan(problem.mean_reward):
        raise InputError("the mean of the whole reward table is known of a log only: set mean to seen.")
    return State(
        **fields_of(State, options),
        attends=options["attention"] == "yes",
        compares=options["neighbours"] == "yes",
        table_mean=problem.mean_reward if asked or released else np.nan,
        near_more=released or options["weights"] == "distance",
        floors=released or options["rounding"] == "floor",
        lags=lags,
        newest=new_contexts(problem.items, *problem.contexts),
        arms=new_ridge(options["lambda"], problem.items, *problem.contexts),
        seen=new_neighbours(*problem.memory),
        random=random,
    )


@part
def rate(state: State, arm: int) -> float:
    """Return alpha_a, the exploration rate of an arm (Algorithm 3)."""
    if not state.attends:
        return state.alpha
    count, paid = state.seen.count, state.seen.total
    overall = state.table_mean
    if np.isnan(overall):
        overall = total(paid) / max(total(count), 1)
    own = paid[arm] / max(count[arm], 1)
    return state.alpha / (count[arm] + 1) * (state.kappa * overall + (1.0 - state.kappa) * own)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        values[k] = mean + rate(state, items[k]) * np.sqrt(spread)
        if state.compares:
            low, high = state.theta_min, state.theta_max
            values[k] += adapted(state.seen, items[k], contexts[k], low, high, state.floors, state.near_more)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    if state.lags:
        if state.seen.count[item] > 0:
            observe(state.arms, item, state.newest[item], 0.0)  # b already has its reward
        assign(state.newest[item], context)
        credit(state.arms, item, context, reward)
    else:
        observe(state.arms, item, context, reward)
    remember(state.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
