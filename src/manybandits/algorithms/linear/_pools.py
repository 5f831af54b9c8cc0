"""Models of components of users in several graphs, of which a limited number are kept up to date.

A component of a graph is a group of users with the same label. Its model is pooled when it is first needed, updated
with every observation of a member, and freed when it is not needed for a while, or when another one needs its place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge

MOST, BYTES = 256, 2**27
"""Most components whose models are kept, and most bytes of their matrices if these are written out."""


class Pools(NamedTuple):
    """The models of up to P components in C graphs over n users."""

    models: Ridge  # P learners
    owner: np.ndarray  # (P, 2): the graph and the component of a learner, -1 = free
    learner: np.ndarray  # (C, n): the learner of a component, -1 = none
    following: np.ndarray  # (1,): the place of the next component


def new_pools(regularization: float, graphs: int, users: int, dimension: int, log: Any) -> Pools:
    """Return free models. dimension, log: of contexts, as in `ridge.new_ridge`."""
    places = MOST if log is not None else min(MOST, max(1, BYTES // (16 * dimension**2)))
    models = ridge.new_ridge(regularization, places, dimension, log, copies=graphs)
    owner, learner = np.full((places, 2), -1, np.int32), np.full((graphs, users), -1, np.int32)
    return Pools(models, owner, learner, np.zeros(1, np.int64))


@part
def up_to_date_pool(pools: Pools, c: int, name: int, users: Ridge, label: np.ndarray, regularization: float) -> int:
    """Return the learner of component `name` in graph c; pool the data of its users if it has none.

    users: n learners; label: (n,), the component of each user in graph c.
    """
    if pools.learner[c, name] < 0:
        learner = pools.following[0]
        pools.following[0] = (learner + 1) % len(pools.owner)
        if pools.owner[learner, 0] >= 0:
            forget_pool(pools, pools.owner[learner, 0], pools.owner[learner, 1])
        ridge.pool(pools.models, learner, users, label, name, regularization)
        pools.owner[learner, 0], pools.owner[learner, 1] = c, name
        pools.learner[c, name] = learner
    return pools.learner[c, name]


@part
def forget_pool(pools: Pools, c: int, name: int) -> None:
    """Free the learner of component `name` in graph c, if it has one."""
    learner = pools.learner[c, name]
    if learner >= 0:
        pools.learner[c, name] = -1
        pools.owner[learner, 0] = -1
        ridge.release(pools.models, learner)
