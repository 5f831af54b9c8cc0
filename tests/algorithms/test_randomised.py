"""Which policies draw random numbers for more than to break ties: replays of a log by the others are one run."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.contract import Problem

pytestmark = pytest.mark.usefixtures("uncompiled")

FLOORS = ("contextfree", "kernel", "linear", "nearest")
"""The packages of the policies that play logs."""
NAMES = [
    name
    for name in catalogue.names()
    if catalogue.load(name).__name__.split(".")[-2] in FLOORS
    and hasattr(catalogue.load(name), "choose")
    and not hasattr(catalogue.load(name), "share_cluster")  # a log has one user
]
ROUNDS = 80


def draws(name: str) -> bool:
    """Return whether a policy draws random numbers in late rounds, in which there are no ties."""
    algorithm = catalogue.load(name)
    rng = np.random.default_rng(0)
    random = np.array([1], np.uint64)
    problem = Problem(users=4, items=3, arms=3, dimension=4, horizon=ROUNDS)
    options = contract.complete(algorithm, {}, name)
    state = algorithm.start(problem, options, random)
    drawn = False
    items = np.arange(3)
    for t in range(1, ROUNDS + 1):
        contexts, before = rng.normal(size=(3, 4)), int(random[0])
        arm = algorithm.choose(state, t, t % 4, items, contexts)
        drawn |= t > ROUNDS // 2 and int(random[0]) != before
        algorithm.learn(state, t, t % 4, arm, contexts[arm], float(rng.random()))
    return drawn


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_that_draws_for_more_than_ties_says_so(name):
    assert draws(name) is getattr(catalogue.load(name), "RANDOMISED", False)
