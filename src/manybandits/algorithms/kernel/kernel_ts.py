"""KernelTS: a Gaussian process over contexts, and each arm is played with the probability that it is the best.

Source: Chowdhury and Gopalan 2017, *On kernelized multi-armed bandits*, Algorithm 2 (GP-TS), with one nu in place of
their v_t, on the arms of the round.

    f   ~ N(mu, nu^2 Sigma)             mu, Sigma: the posterior's mean, (K,), and covariance, (K, K), of the arms
    a_t = argmax_a  f_a

Arms are drawn jointly. The kernel and the number of observations kept are those of KernelUCB. The version of the code
published with Zhang et al. 2021 that keeps 1,000 observations draws arms independently, with sqrt(lambda nu) for nu.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.kernel import _prior
from manybandits.algorithms.kernel._prior import State, first_state
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.gaussian_process import observe, posterior
from manybandits.numerics.samplers import joint_normal

__all__ = ["State"]

TITLE = "KernelTS"
REFERENCE = "Chowdhury and Gopalan 2017, Algorithm 2"
OPTIONS = _prior.OPTIONS
RANDOMISED = True
NAMES_BLOCKS = True


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return first_state(problem, options, random, together=problem.arms)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    mean, covariance = np.empty(len(items)), np.empty((len(items), len(items)))
    drawn = np.empty(len(items))
    posterior(state.process, contexts, mean, covariance)
    joint_normal(mean, covariance, state.nu, state.random, drawn)
    return best(drawn, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.process, context, reward)


if __name__ == "__main__":
    script(__file__)
