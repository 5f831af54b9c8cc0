"""Ridge regressions of groups of users that overlap; groups with the same members share one.

A group that a user joins or leaves takes the learner of a group that has the same members then. If there is none, it
changes its own learner, or a copy of it where other groups share it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge


class Groups(NamedTuple):
    """S groups of n users."""

    member: np.ndarray  # (S, n) bool
    models: Ridge  # S learners
    learner: np.ndarray  # (S,): of each group
    sharers: np.ndarray  # (S,): how many groups share a learner; 0 = free


def new_groups(regularization: float, groups: int, users: int, dimension: int, log: Any) -> Groups:
    """Return groups of all users, which share a learner. dimension, log: of contexts, as in `ridge.new_ridge`."""
    sharers = np.zeros(groups, np.int64)
    sharers[0] = groups
    models = ridge.new_ridge(regularization, groups, dimension, log, copies=groups)
    return Groups(np.ones((groups, users), bool), models, np.zeros(groups, np.int32), sharers)


@part
def different_groups_of(groups: Groups, user: int) -> np.ndarray:
    """Return the groups of a user, (S,) bool, of those that share a learner the first only."""
    found, known = np.zeros(len(groups.learner), np.bool_), np.zeros(len(groups.learner), np.bool_)
    for s in range(len(groups.learner)):
        learner = groups.learner[s]
        if groups.member[s, user] and not known[learner]:
            known[learner] = found[s] = True
    return found


@part
def observe(groups: Groups, user: int, x: np.ndarray, reward: float) -> None:
    """Add an observation of a user, x: (d,), to all groups of the user."""
    found = different_groups_of(groups, user)
    for s in range(len(found)):
        if found[s]:
            ridge.observe(groups.models, groups.learner[s], x, reward)


@part
def set_member(groups: Groups, s: int, user: int, joins: bool, users: Ridge, regularization: float) -> None:
    """Let a user join group s, or leave it, with its data. users: n learners."""
    if joins == groups.member[s, user]:
        return
    groups.member[s, user] = joins
    equal = _group_like(groups, s)
    if equal >= 0:
        _leave_learner(groups, s)
        groups.learner[s] = groups.learner[equal]
        groups.sharers[groups.learner[s]] += 1
        return
    learner = _own_learner(groups, s)
    ridge.transfer(groups.models, learner, users, user, 1 if joins else -1, regularization)
    ridge.refresh(groups.models, learner)


@part
def count_different(groups: Groups) -> int:
    """Return the number of groups that differ."""
    different = 0
    for s in range(len(groups.learner)):
        earlier = 0
        while earlier < s and not _same_members(groups, s, earlier):
            earlier += 1
        different += earlier == s
    return different


@part
def _group_like(groups: Groups, s: int) -> int:
    """Return another group with the members of group s, or -1."""
    for other in range(len(groups.learner)):
        if other != s and _same_members(groups, s, other):
            return other
    return -1


@part
def _same_members(groups: Groups, a: int, b: int) -> bool:
    user = 0
    while user < groups.member.shape[1] and groups.member[a, user] == groups.member[b, user]:
        user += 1
    return user == groups.member.shape[1]


@part
def _own_learner(groups: Groups, s: int) -> int:
    """Return the learner of group s; if other groups share it, give group s a copy first."""
    learner = groups.learner[s]
    if groups.sharers[learner] == 1:
        return learner
    free = 0
    while groups.sharers[free] > 0:
        free += 1
    ridge.copy(groups.models, free, groups.models, learner)
    _leave_learner(groups, s)
    groups.sharers[free] = 1
    groups.learner[s] = free
    return free


@part
def _leave_learner(groups: Groups, s: int) -> None:
    learner = groups.learner[s]
    groups.sharers[learner] -= 1
    if groups.sharers[learner] == 0:
        ridge.release(groups.models, learner)
