"""Random: every arm with equal probability. The reference that each figure can be read against."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below

TITLE = "Random"
REFERENCE = "a reference of ours"
OPTIONS: tuple[Option, ...] = ()
RELEASED = ""


class State(NamedTuple):
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    return State(random)


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    return below(state.random, len(contexts))


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    pass


if __name__ == "__main__":
    script(__file__)
