"""RMBandit: forced samples, then batches of doubling length, each with robust multitask estimates from the last one.

Source: Xu and Bastani, *Learning Across Bandits in High Dimension via Robust Statistics*, Algorithm 2.

    batch 0     B_0 = q log T rounds: an instance plays its arms in turn
    batch m     the rounds 2^(m-1) B_0 < t <= 2^m B_0. Those arms are kept whose forced-sample estimate is within h / 2
                of the best; of these, the one is played whose all-sample estimate is best:
                beta_k^j(B_0, lambda_0, omega_0)                  forced-sample, fitted once
                beta_k^j(B_(m-1), lambda_(1,j,m-1), omega_(1,m-1))    all-sample, fitted anew at the end of a batch
    paths       omega_(1,m) = zeta + eta sqrt(log(d min_j |B_m^j|)), over the instances with an arrival in the batch
                lambda_(1,j,m) = lambda_1 sqrt(log(d |B_m^j|) / |B_m^j|)
    beta(B, lambda, omega)    Algorithm 1 on the batch's observations of an arm: the trimmed mean of least squares at
                every instance, and from there a LASSO at each; see `manybandits.estimators.multitask`

Choices that the paper leaves open, or that differ from it because its values cannot be run:

* q is proportional to K, d and 1/p_j in the theory (appendix C.1); the option `q` is the remaining factor, q / (N K d).
* omega is at most `MOST_TRIMMED`; runs count how often that changes it. With the theory's values it is above 1/2 unless
  there are more than a thousand instances, and no value would remain to average: eta = sqrt(9 / (rho N)) alone is 0.3
  with 100 instances, times a root of a logarithm.
* The paths begin with m = 1. As the paper is written, the first all-sample estimate, of batch 0, uses lambda_1 and
  zeta + eta themselves (`initial` = constant), so it is regularised more than those of later batches. With `initial` =
  path it follows the paths.
* Data-poor instances are left out of the trimmed mean (sections 3.2 and 4.2, footnote 2): those with fewer than `poor`
  times the mean number of observations of the arm in the batch. With `poor` = 0, only those without any.
* The text trains all-sample estimates "on all observations for arm k" and "all available samples" (sections 4.1 and
  4.5), but Algorithm 2 and Lemma 2 on the last batch alone, about half of them. `data` = batch is Algorithm 2; with
  `data` = all estimates are still fitted at the ends of batches only, on all observations so far, those of batch 0
  included, and |B_m^j| in the paths is their number at instance j.
* omega N is rounded down, but to one at least unless omega is 0: see `manybandits.estimators.multitask.trimmed`. With
  `rounding` = down it may become 0, and then nothing is trimmed.
* An instance without an observation of an arm has the shared estimate; an arm that was not played keeps its estimates.
* With fewer observations than dimensions, ridge regression replaces least squares; see `count_fits`. With a `ridge`
  above 0 it does so everywhere, with that weight of the identity, where an observation has the weight 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, fields_of, script
from manybandits.algorithms.multitask._arms import (
    H,
    Sums,
    add,
    count_fits,
    forget,
    new_fits,
    new_sums,
    prefer,
    worth_comparing,
)
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.estimators.multitask import debias, least_squares, trimmed, trimmed_mean
from manybandits.numerics.vectors import any_true, assign, count_of, fill, filled, largest, total

__all__ = ["count_fits"]

TITLE = "RMBandit"
REFERENCE = "Xu and Bastani, Algorithm 2"
Q = Option("q", 0.02, "rounds of batch 0, divided by N K d log T", low=0.0)
LAMBDA_0 = Option("lambda_0", 0.1, "regularisation of the forced-sample estimates", low=0.0)
LAMBDA_1 = Option("lambda_1", 0.3, "regularisation of the all-sample estimates: the first value of its path", low=0.0)
OMEGA_0 = Option("omega_0", 0.1, "share trimmed at each end for the forced-sample estimates", low=0.0, below=0.5)
ZETA = Option(
    "zeta", 0.1, "share trimmed at each end for the all-sample estimates, the constant part", low=0.0, below=0.5
)
ETA = Option("eta", 0.02, "the part of that share that the trimming path multiplies", low=0.0)
POOR = Option(
    "poor",
    0.1,
    "share of the mean observations below which an instance is left out of the trimmed mean",
    low=0.0,
    below=1.0,
)
INITIAL = Option("initial", "constant", "regularisation and trimming after batch 0", words=("constant", "path"))
DATA = Option("data", "batch", "what all-sample estimates have: the last batch, or everything", words=("batch", "all"))
RIDGE = Option("ridge", 0.0, "weight of the identity in least squares; with 0 a small one if they fail", low=0.0)
ROUNDING = Option(
    "rounding", "one", "what is trimmed if omega N is below 1: one at each end, or none", words=("one", "down")
)
OPTIONS = (Q, H, LAMBDA_0, LAMBDA_1, OMEGA_0, ZETA, ETA, POOR, INITIAL, DATA, RIDGE, ROUNDING)
MODEL_PER_USER = True

MOST_TRIMMED = 0.49
"""The largest omega: all but the middle values are trimmed."""


class State(NamedTuple):
    h: float
    lambda_0: float
    lambda_1: float
    omega_0: float
    zeta: float
    eta: float
    poor: float
    ridge: float
    follows: bool  # initial=path
    keeps: bool  # data=all
    down: bool  # rounding=down
    batch: np.ndarray  # (2,): m, and the round in which it ends
    arrivals: np.ndarray  # (N,): at every instance in this batch, |B_m^j|; with data=all, in all rounds so far
    sums: Sums  # of the same rounds
    forced: np.ndarray  # (N, K, d): the forced-sample estimates
    estimate: np.ndarray  # (N, K, d): the all-sample estimates
    fits: np.ndarray  # (6,): see `count_fits`
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round; raise InputError if batch 0 would take all of them."""
    shape = problem.users, problem.items, problem.dimension
    scale = problem.users * problem.arms * problem.dimension * np.log(problem.horizon)
    first = max(1, int(np.ceil(options["q"] * scale)))
    if first >= problem.horizon:
        raise InputError(
            f"batch 0 takes {first:,} of {problem.horizon:,} rounds and leaves none to play: lower the option q, "
            f"or play more rounds of {problem.users} instances, {problem.arms} arms and {problem.dimension} dimensions."
        )
    return State(
        **fields_of(State, options),
        follows=options["initial"] == "path",
        keeps=options["data"] == "all",
        down=options["rounding"] == "down",
        batch=np.array([0, first]),
        arrivals=np.zeros(problem.users, np.int64),
        sums=new_sums(*shape),
        forced=np.zeros(shape),
        estimate=np.zeros(shape),
        fits=new_fits(),
        random=random,
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    if state.batch[0] == 0:
        return (state.arrivals[user] + 1) % len(items)
    kept = worth_comparing(state.forced[user], state.h, items, contexts)
    return prefer(kept, state.estimate[user], items, contexts, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    state.arrivals[user] += 1
    add(state.sums, user, item, context, reward)
    if t == state.batch[1]:
        end_batch(state)


@part(inlined=False)
def end_batch(state: State) -> None:
    """Fit the estimates of the next batch, and begin it."""
    sums, dimension = state.sums, state.forced.shape[2]
    omega, path = trimming_and_regularisation(state, dimension)
    constant = filled(len(path), state.lambda_0)
    own, included = np.zeros((len(path), dimension)), np.empty(len(path), np.bool_)
    for k in range(sums.count.shape[1]):
        count = sums.count[:, k]
        least = state.poor * (total(count) / len(count))
        for j in range(len(count)):
            included[j] = count[j] > 0 and count[j] >= least
            if included[j]:
                gram = sums.gram[j, k].copy()
                for i in range(dimension):
                    gram[i, i] += state.ridge
                state.fits[1] += least_squares(gram, sums.moment[j, k], own[j])
                state.fits[0] += 1
        if not any_true(included):
            continue
        if state.batch[0] == 0:
            estimate_arm(state, k, own, included, state.omega_0, constant, state.forced)
        estimate_arm(state, k, own, included, omega, path, state.estimate)
    state.batch[0] += 1
    state.batch[1] *= 2
    if not state.keeps:
        fill(state.arrivals, 0)
        forget(sums)


@part
def trimming_and_regularisation(state: State, dimension: int) -> tuple[float, np.ndarray]:
    """Return omega_(1,m) and lambda_(1,j,m), (N,), at the end of batch m."""
    arrivals = state.arrivals
    penalty = filled(len(arrivals), state.lambda_1)
    trimmed = state.eta
    if state.batch[0] > 0 or state.follows:
        fewest = largest(arrivals)
        for j in range(len(arrivals)):
            if 0 < arrivals[j] < fewest:
                fewest = arrivals[j]
            seen = max(arrivals[j], 1)
            if penalty[j] < np.inf:  # an infinite one stays so, even where the logarithm is 0
                penalty[j] *= np.sqrt(np.log(dimension * seen) / seen)
        trimmed *= np.sqrt(np.log(dimension * fewest))
    state.fits[5] += state.zeta + trimmed > MOST_TRIMMED
    return min(state.zeta + trimmed, MOST_TRIMMED), penalty


@part
def estimate_arm(
    state: State, k: int, own: np.ndarray, included: np.ndarray, omega: float, penalty: np.ndarray, out: np.ndarray
) -> None:
    """Write the robust multitask estimates of arm k, Algorithm 1, to `out`, (N, K, d).

    own: (N, d), least squares at the instances that are `included`, (N,) bool; penalty: (N,).
    """
    sums, among = state.sums, count_of(included, True)
    if state.down and omega * among < 1.0:
        omega = 0.0
    shared = np.empty(own.shape[1])
    trimmed_mean(own, included, omega, shared)
    count_trimmed(state.fits, among, omega)
    for j in range(len(own)):
        count = sums.count[j, k]
        if count > 0:  # sums in place of means, so the penalty is multiplied by their number
            passes = debias(sums.gram[j, k], sums.moment[j, k], penalty[j] * count, shared, out[j, k])
            state.fits[2] += passes < 0
        else:
            assign(out[j, k], shared)


@part
def count_trimmed(fits: np.ndarray, count: int, omega: float) -> None:
    """Count a trimmed mean of `count` values that cuts more than omega asks for, or none although omega is not 0."""
    if omega > 0.0:
        fits[3] += omega * count < 1.0 and trimmed(count, omega) == 1
        fits[4] += trimmed(count, omega) == 0


if __name__ == "__main__":
    script(__file__)
