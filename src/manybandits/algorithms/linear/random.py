"""Random: every arm with equal probability, as a reference in every figure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below

TITLE = "Random"
REFERENCE = "a reference of ours"
OPTIONS: tuple[Option, ...] = ()
RANDOMISED = True


class State(NamedTuple):
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return State(random)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    return below(state.random, len(contexts))


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    pass


if __name__ == "__main__":
    script(__file__)
