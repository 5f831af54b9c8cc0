"""NeuUCB-ONE as the public code of M-CNB and Meta-Ban plays it: one network for all users.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``neuucb_one.py``; the plain twin has every line of it.

    a_t     = argmax_k  f(x_k) + sqrt(sum over weights of 1e-4 g(x_k)^2 / U),     U = 0.001 + sum of g^2 of arms played

It is NeuUCB-IND with a single user, with another U before the first round, and a hundredth of its factor.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.released import neuucb_ind_2022
from manybandits.algorithms.released.neuucb_ind_2022 import TRAINING, State
from manybandits.compiling.parts import part

TITLE = "NeuUCB-ONE 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, neuucb_one.py"
OPTIONS = (
    Option("exploration", 1e-4, "the factor of g^2 / U in the bonus, lambda nu of the code", low=0.0),
    Option("ridge", 0.001, "U before the first round, lambda of the code", low=1e-9),
    *TRAINING,
)


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return neuucb_ind_2022.start(problem._replace(users=1), options, random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return neuucb_ind_2022.choose(state, t, 0, items, contexts)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    neuucb_ind_2022.learn(state, t, 0, item, context, reward)


if __name__ == "__main__":
    script(__file__)
