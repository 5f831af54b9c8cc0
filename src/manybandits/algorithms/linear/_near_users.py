"""COFIBA's test of users, most of which bounds decide (Li et al. 2016, Figures 2 and 3).

    j is near i at y  if  |theta_i' y - theta_j' y| <= CB_i(y) + CB_j(y),    CB_j(y) = factor sqrt(y' M_j^-1 y)

The left side is at most |theta_i - theta_j| |y|, and CB_j(y) is at least sure_j |y|, sure_j = factor / sqrt(mass_j), as
mass_j is at least the largest eigenvalue of M_j. Where this decides, neither theta_j' y nor CB_j(y) is computed. All
users are near where CB_i(y) is at least |y| times the margin, max_j |theta_i - theta_j| - sure_j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge, root
from manybandits.numerics.vectors import all_true, distance, fill


class Bounds(NamedTuple):
    """Bounds of n users; all but the mass are those of the user i served last."""

    regularization: float  # lambda, at most the smallest eigenvalue of M_j
    mass: np.ndarray  # (n,): lambda + sum of x' x
    apart: np.ndarray  # (n,): |theta_i - theta_j|
    sure: np.ndarray  # (n,)
    margin: np.ndarray  # (1,)
    factor: np.ndarray  # (1,)


def new_bounds(regularization: float, users: int) -> Bounds:
    """Return the bounds of users without observations."""
    mass = np.full(users, regularization)
    return Bounds(regularization, mass, np.zeros(users), np.zeros(users), np.zeros(1), np.zeros(1))


@part
def update_bounds(bounds: Bounds, users: Ridge, user: int, x: np.ndarray, factor: float) -> None:
    """Take the observation at x, (d,), of the user served. users: n learners, with this observation."""
    bounds.mass[user] += ridge.squared_norm(users, x)
    bounds.factor[0], bounds.margin[0] = factor, 0.0
    for other in range(len(bounds.mass)):
        bounds.apart[other] = distance(ridge.estimate_of(users, user), ridge.estimate_of(users, other))
        bounds.sure[other] = factor / np.sqrt(bounds.mass[other])
        bounds.margin[0] = max(bounds.margin[0], bounds.apart[other] - bounds.sure[other])


@part
def find_near(bounds: Bounds, users: Ridge, user: int, y: np.ndarray, near: np.ndarray) -> bool:
    """Fill near, (n,) bool, with who is near the user served at y, (d,); return whether all users are."""
    fill(near, True)
    length = np.sqrt(ridge.squared_norm(users, y))
    width = bounds.factor[0] * root(ridge.spread_at(users, user, y))
    if bounds.margin[0] * length <= width:
        return True
    mean = ridge.mean_at(users, user, y)
    for other in range(len(near)):
        near[other] = other == user or _is_near(bounds, users, other, y, length, width, mean)
    return all_true(near)


@part
def are_near(bounds: Bounds, users: Ridge, user: int, y: np.ndarray, group: np.ndarray, all_users: bool) -> bool:
    """Return whether the users near the one served at y, (d,), are those of a group, (n,) bool.

    all_users: whether the group has all of them.
    """
    length = np.sqrt(ridge.squared_norm(users, y))
    width = bounds.factor[0] * root(ridge.spread_at(users, user, y))
    if bounds.margin[0] * length <= width:
        return all_users
    mean = ridge.mean_at(users, user, y)
    for other in range(len(group)):
        if other != user and _is_near(bounds, users, other, y, length, width, mean) != group[other]:
            return False
    return True


@part
def _is_near(bounds: Bounds, users: Ridge, j: int, y: np.ndarray, length: float, width: float, mean: float) -> bool:
    """Return whether user j is near the one served at y, (d,). length: |y|; width: CB_i(y); mean: theta_i' y."""
    if (bounds.apart[j] - bounds.sure[j]) * length <= width:
        return True
    slack = abs(mean - ridge.mean_at(users, j, y)) - width
    if slack <= bounds.sure[j] * length:
        return True
    factor = bounds.factor[0]
    if slack > factor * length / np.sqrt(bounds.regularization):
        return False
    return slack <= factor * root(ridge.spread_at(users, j, y))
