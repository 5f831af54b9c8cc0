"""KernelUCB: a Gaussian process over contexts, and optimism.

Source: Valko, Korda, Munos, Flaounas and Cristianini 2013, *Finite-time analysis of kernelised contextual bandits*,
Algorithm 1; the index as in Chowdhury and Gopalan 2017, *On kernelized multi-armed bandits*, Algorithm 1 (IGP-UCB),
with one nu in place of their beta_t.

    a_t = argmax_a  mu(x_a) + nu sigma(x_a)

mu and sigma are the posterior's mean and standard deviation; Valko et al. write eta / sqrt(lambda) for nu. All arms and
users share one process. As in Zhang et al. 2021, whose numbers LNUCB-TA quotes, the kernel is a radial basis function,
and only the first `kept` observations are learned from. Ties are broken at random. With `kernel` = exponential it is
exp(-gamma |x - y|).

The code published with Zhang et al. has several versions. One has this kernel, gamma = 1, learns from all observations,
and adds sqrt(lambda nu) sigma^2, without a root. Another keeps the first 1,000 observations and adds sqrt(lambda nu)
sigma, but its kernel is exp(-|x - y|), that of our option.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.kernel import _prior
from manybandits.algorithms.kernel._prior import State, first_state
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.gaussian_process import marginals, observe

__all__ = ["State"]

TITLE = "KernelUCB"
REFERENCE = "Valko et al. 2013, Algorithm 1; Chowdhury and Gopalan 2017, Algorithm 1"
OPTIONS = _prior.OPTIONS
NAMES_BLOCKS = True


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return first_state(problem, options, random, together=1)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values, variance = np.empty(len(items)), np.empty(len(items))
    marginals(state.process, contexts, values, variance)
    for k in range(len(items)):
        values[k] += state.nu * np.sqrt(variance[k])
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    observe(state.process, context, reward)


if __name__ == "__main__":
    script(__file__)
