"""LOCB: overlapping clusters grown around seed users; the most optimistic cluster of a user chooses.

Source: Ban and He 2021, *Local clustering in contextual multi-armed bandits*, Algorithm 1.

    initialise   draw the seed users; the cluster N_s of every seed s holds all users
    choose       over the clusters N_s that hold the user i served, or i alone if none does:
                 argmax_a max_s  theta_s' x_a + alpha sqrt(x_a' M_s^-1 x_a ln(t + 1)),
                 M_s = lambda I + sum_{N_s} (M_j - lambda I), theta_s = M_s^-1 sum_{N_s} b_j
    learn        M_i += x x', b_i += r x, T_i += 1;  then, for every seed s that is not finished,
                 i is in N_s if and only if |theta_i - theta_s| <= f(T_i) + f(T_s),
                 f(T) = sqrt((1 + ln(1 + T)) / (1 + T));  s is finished once f(T_s) <= gamma / 4

Clusters with the same members share one ridge regression: most do, early on, and it is the whole cost.

Variant ``released``: the width beta(N, t) without square root with lambda = 1, where N starts at 1; seeds
drawn with replacement, and the cluster of a seed drawn m times counts every observation m times, of which a
user that is removed takes one back; a cluster that lost or gained a user keeps its estimate until its next
observation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.linear._optimism import best, indices
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import (
    Ridge,
    accumulate,
    copy,
    distance,
    estimate_of,
    new_ridge,
    observe,
    refresh,
    release,
    transfer,
)
from manybandits.numerics.vectors import any_true, fill, filled

TITLE = "LOCB"
REFERENCE = "Ban and He 2021, Algorithm 1"
OPTIONS = (
    ALPHA,
    LAMBDA,
    Option("seeds", 20, "number of seed users (M-CNB section 6, Meta-Ban section 7)", low=1),
    Option("gamma", 0.2, "a seed is finished once f(T_s) <= gamma / 4", low=0.0),
)
RELEASED = "width without square root, lambda = 1; seeds drawn with replacement; estimates lag behind members"


class State(NamedTuple):
    released: np.ndarray  # (R,) bool
    alpha: np.ndarray  # (R,)
    gamma: np.ndarray  # (R,)
    regularization: np.ndarray  # (R,) lambda
    users: Ridge  # n learners
    pools: Ridge  # S learners: the distinct clusters
    radius: np.ndarray  # (R, n): f(T_i)
    seeds: np.ndarray  # (R, S): the seed users, -1 where a replica has fewer
    finished: np.ndarray  # (R, S) bool
    member: np.ndarray  # (R, S, n) bool: N_s
    weight: np.ndarray  # (R, S, n): how often cluster s counts an observation of a user
    pool_of: np.ndarray  # (R, S): the learner of cluster s
    sharers: np.ndarray  # (R, S): how many clusters share a learner; 0 = free
    stale: np.ndarray  # (R, S) bool, released only: the estimate of a learner waits for an observation
    played: np.ndarray  # (R, 1): the seed whose cluster was played last, -1 = the user's own model
    random: np.ndarray  # (R, 1) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state of R replicas before the first round."""
    replicas, users = len(random), problem.users
    drawn = [first_seeds(users, count, released, word) for count, word in zip(options["seeds"], random, strict=True)]
    most = max(len(seeds) for seeds, _ in drawn)
    seeds = np.full((replicas, most), -1, np.int32)
    weight = np.zeros((replicas, most, users), np.int32)
    for r, (unique, times) in enumerate(drawn):
        seeds[r, : len(unique)] = unique
        weight[r, : len(unique)] = times[:, None]
    regularization = np.ones(replicas) if released else options["lambda"]
    pools = new_ridge(regularization, most, problem.dimension, problem.log, copies=most)
    pools.count[:] = released
    # Clusters start with the same members, and where they also count alike they share a learner.
    pool_of = np.argmax(weight[:, :, None, 0] == weight[:, None, :, 0], axis=2).astype(np.int32)
    sharers = (pool_of[:, :, None] == np.arange(most)).sum(axis=1)
    return State(
        released=np.full(replicas, released),
        alpha=options["alpha"],
        gamma=options["gamma"],
        regularization=regularization,
        users=new_ridge(regularization, users, problem.dimension, problem.log),
        pools=pools,
        radius=np.ones((replicas, users)),
        seeds=seeds,
        finished=seeds < 0,
        member=weight > 0,
        weight=weight,
        pool_of=pool_of,
        sharers=sharers,
        stale=np.zeros((replicas, most), bool),
        played=np.full((replicas, 1), -1),
        random=random,
    )


def first_seeds(users: int, count: int, released: bool, random: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Draw the seed users of a replica; return them and how often each was drawn. random: (1,), its stream."""
    replace = released or count > users
    if not released and count > users:
        count, replace = users, False
    return np.unique(generator(random).choice(users, int(count), replace=replace), return_counts=True)


@part
def choose(state, t, user, items, contexts):  # type: ignore[no-untyped-def]
    values = filled(len(contexts), -np.inf)
    cluster = np.empty(len(contexts), np.int64)  # the most optimistic one for each arm
    fill(cluster, -1)
    played = np.zeros(len(state.seeds), np.bool_)
    for s in range(len(state.seeds)):
        learner = state.pool_of[s]
        if state.weight[s, user] > 0 and not played[learner]:
            played[learner] = True
            offered = indices(state.released, state.alpha, state.pools, learner, t, contexts)
            for k in range(len(values)):
                if offered[k] > values[k]:
                    values[k], cluster[k] = offered[k], s
    if not any_true(played):
        values = indices(state.released, state.alpha, state.users, user, t, contexts)
    arm = best(values, state.random)
    state.played[0] = cluster[arm]
    return arm


@part
def learn(state, t, user, item, context, reward):  # type: ignore[no-untyped-def]
    observe(state.users, user, context, reward)
    state.radius[user] = confidence_radius(state.users.count[user])
    played = np.zeros(len(state.seeds), np.bool_)
    for s in range(len(state.seeds)):
        learner = state.pool_of[s]
        if state.weight[s, user] > 0 and not played[learner]:
            played[learner] = True
            for _ in range(state.weight[s, user]):
                observe_pool(state, learner, context, reward)
    for s in range(len(state.seeds)):
        if not state.finished[s]:
            update_membership(state, s, user)
            state.finished[s] = state.radius[state.seeds[s]] <= state.gamma / 4.0


@part
def observe_pool(state, learner, context, reward):  # type: ignore[no-untyped-def]
    if state.stale[learner]:
        accumulate(state.pools, learner, context, reward)
        refresh(state.pools, learner)
        state.stale[learner] = False
    else:
        observe(state.pools, learner, context, reward)


@part
def update_membership(state, s, user):  # type: ignore[no-untyped-def]
    """Let `user` join or leave the cluster of seed s."""
    seed = state.seeds[s]
    apart = distance(estimate_of(state.users, user), estimate_of(state.users, seed))
    alike = apart <= state.radius[user] + state.radius[seed]
    if alike == state.member[s, user]:
        return
    state.member[s, user] = alike
    state.weight[s, user] += 1 if alike else -1
    twin = twin_of(state, s)
    if twin >= 0:
        leave_pool(state, s)
        state.pool_of[s] = state.pool_of[twin]
        state.sharers[state.pool_of[s]] += 1
        return
    learner = own_pool(state, s)
    transfer(state.pools, learner, state.users, user, 1 if alike else -1, state.regularization)
    if state.released:
        state.stale[learner] = True
    else:
        refresh(state.pools, learner)


@part
def twin_of(state, s):  # type: ignore[no-untyped-def]
    """Return another seed whose cluster has the members of cluster s, or -1.

    As released, equal members do not make equal estimates, so nothing is shared anew.
    """
    if state.released:
        return -1
    for other in range(len(state.seeds)):
        if other != s and state.seeds[other] >= 0 and same_members(state, s, other):
            return other
    return -1


@part
def same_members(state, a, b):  # type: ignore[no-untyped-def]
    """Tell whether the clusters of seeds a and b have the same members."""
    user = 0
    while user < state.member.shape[1] and state.member[a, user] == state.member[b, user]:
        user += 1
    return user == state.member.shape[1]


@part
def leave_pool(state, s):  # type: ignore[no-untyped-def]
    learner = state.pool_of[s]
    state.sharers[learner] -= 1
    if state.sharers[learner] == 0:
        release(state.pools, learner)


@part
def own_pool(state, s):  # type: ignore[no-untyped-def]
    """Return the learner of cluster s, with a copy taken first if other clusters share it."""
    learner = state.pool_of[s]
    if state.sharers[learner] == 1:
        return learner
    free = 0
    while state.sharers[free] > 0:
        free += 1
    copy(state.pools, free, state.pools, learner)
    state.stale[free] = state.stale[learner]
    leave_pool(state, s)
    state.sharers[free] = 1
    state.pool_of[s] = free
    return free


@part
def share_cluster(state, user, item, position, other):  # type: ignore[no-untyped-def]
    """Return whether `other` is in the cluster that was played for `user`: itself where it is in none."""
    s = state.played[0]
    return other == user if s < 0 else state.member[s, other]


@part
def count_clusters(state):  # type: ignore[no-untyped-def]
    """Return the number of distinct clusters."""
    distinct = 0
    for s in range(len(state.seeds)):
        earlier = 0
        while earlier < s and not same_members(state, s, earlier):
            earlier += 1
        distinct += state.seeds[s] >= 0 and earlier == s
    return distinct


if __name__ == "__main__":
    script(__file__)
