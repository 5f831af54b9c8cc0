"""LNUCB-TA: ridge regression and nearest neighbours for every arm, and an exploration rate that falls with pulls.

Source: Khosravi et al., *LNUCB-TA: Linear-nonlinear hybrid bandit learning with temporal attention*, Algorithms 1 to 3.

    k_a     = theta_min + (theta_max - theta_min) variance of the arm's rewards             Algorithm 2, lines 4 and 5
    f_a     = mean of its k_a nearest rewards, if it has so many, else 0                                 lines 6 and 7
    alpha_a = alpha / (N_a + 1) (kappa g + (1 - kappa) n_a)                                   Algorithm 3, lines 3 and 4
    a_t     = argmax_a  theta_a' x_a + f_a + alpha_a sqrt(x_a' A_a^-1 x_a)                          Algorithm 1, line 8

N_a and n_a are pulls and mean reward of the arm; g is the mean of all arms' means, 0 for an arm without pulls (equation
101). theta_a is the ridge regression of the arm's rewards, each less the f_a of its round (equation 18). The paper's
ablation is `attention` = no (alpha_a = alpha) and `neighbours` = no (f_a = 0); without both it is LinUCB.

Where the paper is silent or says two things: k is rounded to the nearest whole number; "len(x) >= k" (Algorithm 2, line
6) is read as its text explains it, enough observations; of equally near observations the latest come first; the weight
of the identity is 1. Lemma 3 adds gamma times a squared distance to A_a, which equation 18 does not; it is left out.

In the authors' code g is the mean of the whole reward table of a log, which no bandit knows (`mean` = table); theta_a
fits the rewards themselves (`target` = reward); theta_a and A_a^-1 are those from before the newest observation of the
arm (`lag` = yes); neighbours have weight 1 / distance (`weights` = distance), of equally near ones the earliest come
first (`ties` = earliest), and k is rounded down (`rounding` = floor).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Option, Options, Problem, fields_of, script
from manybandits.algorithms.linear._optimism import best
from manybandits.algorithms.nearest import _scores as nearest
from manybandits.algorithms.nearest._scores import Adapted, new_adapted, score
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.neighbours import remember
from manybandits.numerics.ridge import Ridge, mean_and_spread, new_contexts, new_ridge, observe, root
from manybandits.numerics.vectors import assign, total

TITLE = "LNUCB-TA"
REFERENCE = "Khosravi et al., Algorithms 1 to 3"
OPTIONS = (
    Option("alpha", 1.0, "alpha_0, exploration (Table 5)", low=0.0),
    Option("kappa", 0.5, "weight of g, the mean of all arms (Appendix B)", low=0.0, high=1.0),
    nearest.LOW,
    nearest.HIGH,
    Option("attention", "yes", "whether the exploration rate falls with pulls", words=("yes", "no")),
    Option("neighbours", "yes", "whether nearest rewards are added", words=("yes", "no")),
    nearest.MEAN,
    nearest.TARGET,
    nearest.WEIGHTS,
    nearest.ROUNDING,
    nearest.TIES,
    Option("lag", "no", "whether theta and A^-1 lack an arm's newest observation", words=("yes", "no")),
    LAMBDA,
)


class State(NamedTuple):
    alpha: float
    kappa: float
    attends: bool
    compares: bool
    by_arm: bool  # whether g is the mean of the arms' means
    table_mean: float  # of the whole reward table, NaN if g is made of the rewards seen
    fits_residual: bool  # whether ridge regression fits what the neighbours' score leaves
    delayed_update: bool
    newest: np.ndarray  # (K, d): the context of each arm that A^-1 lacks, if it lags
    newest_target: np.ndarray  # (K,): what ridge regression fits there
    arms: Ridge  # K learners
    near: Adapted
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round.

    Raises InputError if theta_max is below theta_min, if estimates are to lag but contexts are not written out, and if
    g is to be the mean of a reward table that the game does not have.
    """
    if options["theta_max"] < options["theta_min"]:
        raise InputError("theta_max is below theta_min: an arm would have fewer neighbours the more its rewards vary.")
    if options["lag"] == "yes" and problem.log is not None:
        raise InputError("an inverse that lags needs contexts written out, and these are too long: set lag to no.")
    if options["mean"] == "table" and np.isnan(problem.mean_reward):
        raise InputError("the mean of the whole reward table is known of a log only: set mean to arms.")
    return State(
        **fields_of(State, options),
        attends=options["attention"] == "yes",
        compares=options["neighbours"] == "yes",
        by_arm=options["mean"] == "arms",
        table_mean=problem.mean_reward if options["mean"] == "table" else np.nan,
        fits_residual=options["neighbours"] == "yes" and options["target"] == "residual",
        delayed_update=options["lag"] == "yes",
        newest=new_contexts(problem.items, *problem.contexts),
        newest_target=np.zeros(problem.items),
        arms=new_ridge(options["lambda"], problem.items, *problem.contexts),
        near=new_adapted(problem, options),
        random=random,
    )


@part
def global_mean(state: State) -> float:
    """Return g. An arm without pulls has the mean 0, as n_a has (section 2)."""
    if not np.isnan(state.table_mean):
        return state.table_mean
    count, paid = state.near.seen.count, state.near.seen.total
    if not state.by_arm:
        return total(paid) / max(total(count), 1)
    means = 0.0
    for arm in range(len(count)):
        means += paid[arm] / max(count[arm], 1)
    return means / len(count)


@part
def rate(state: State, arm: int, overall: float) -> float:
    """Return alpha_a, the exploration rate of an arm (Algorithm 3). overall: g."""
    if not state.attends:
        return state.alpha
    count = state.near.seen.count[arm]
    own = state.near.seen.total[arm] / max(count, 1)
    return state.alpha / (count + 1) * (state.kappa * overall + (1.0 - state.kappa) * own)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, overall = np.empty(len(items)), global_mean(state)
    for k in range(len(items)):
        mean, spread = mean_and_spread(state.arms, items[k], contexts[k])
        values[k] = mean + rate(state, items[k], overall) * root(spread)
        if state.compares:
            values[k] += score(state.near, items[k], contexts[k])
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    target = reward
    if state.fits_residual:
        target -= score(state.near, item, context)
    if state.delayed_update:
        if state.near.seen.count[item] > 0:
            observe(state.arms, item, state.newest[item], state.newest_target[item])
        assign(state.newest[item], context)
        state.newest_target[item] = target
    else:
        observe(state.arms, item, context, target)
    remember(state.near.seen, item, context, reward)


if __name__ == "__main__":
    script(__file__)
