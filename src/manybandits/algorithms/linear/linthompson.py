"""LinThompson: ridge regression, and each arm is played with the probability that it is the best.

Source: Agrawal and Goyal 2013, *Thompson sampling for contextual bandits with linear payoffs*, Algorithm 1, where the
weight of the identity is 1.

    a_t = argmax_a  x_a' theta~,    theta~ ~ N(theta, v^2 A^-1)

With `model` = one, all arms share one theta, as in the source. With `model` = arm, each arm has its own theta_a, and
arms are drawn independently: x_a' theta~_a ~ N(x_a' theta_a, v^2 x_a' A_a^-1 x_a).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, draw, mean_and_spread, new_ridge, observe, root
from manybandits.numerics.samplers import normal

TITLE = "LinThompson"
REFERENCE = "Agrawal and Goyal 2013, Algorithm 1"
V = Option("v", 0.1, "exploration: multiplies the posterior's standard deviation", low=0.0)
MODEL = Option("model", "one", "one for all arms, or one per arm", words=("one", "arm"), structural=True)
OPTIONS = (V, MODEL, LAMBDA)
RANDOMISED = True


class State(NamedTuple):
    v: float
    one: bool  # whether arms share a model
    models: Ridge  # one learner, or K
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(options["v"], options["model"] == "one", new_models(problem, options), random)


def new_models(problem: Problem, options: Options) -> Ridge:
    """Return one ridge regression, or one per arm."""
    count = 1 if options["model"] == "one" else problem.items
    return new_ridge(options["lambda"], count, *problem.contexts)


@part
def predict_and_draw(state: State, items: np.ndarray, contexts: np.ndarray, mean: np.ndarray, off: np.ndarray) -> None:
    """Fill mean, (K,), with x_a' theta_a, and off, (K,), with x_a' (theta~_a - theta_a), as drawn with v = 1."""
    if state.one:
        draw(state.models, 0, contexts, state.random, mean, off)
        return
    for k in range(len(items)):
        mean[k], spread = mean_and_spread(state.models, items[k], contexts[k])
        off[k] = root(spread) * normal(state.random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, off = np.empty(len(items)), np.empty(len(items))
    predict_and_draw(state, items, contexts, values, off)
    for k in range(len(items)):
        values[k] += state.v * off[k]
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.models, 0 if state.one else item, context, reward)


if __name__ == "__main__":
    script(__file__)
