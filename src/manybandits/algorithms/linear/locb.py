"""LOCB: overlapping clusters grown around seed users; the most optimistic cluster of a user chooses.

Source: Ban and He 2021, *Local clustering in contextual multi-armed bandits*, Algorithm 1.

    initialise   draw the seed users; the cluster N_s of every seed s holds all users
    choose       over the clusters N_s that hold the user i served, or i alone if none does:
                 argmax_a max_s  theta_s' x_a + alpha sqrt(x_a' M_s^-1 x_a ln(t + 1)),
                 M_s = lambda I + sum_{N_s} (M_j - lambda I), theta_s = M_s^-1 sum_{N_s} b_j
    learn        M_i += x x', b_i += r x, T_i += 1;  then, for every seed s that is not finished,
                 i is in N_s if and only if |theta_i - theta_s| <= f(T_i) + f(T_s),
                 f(T) = sqrt((1 + ln(1 + T)) / (1 + T));  s is finished once f(T_s) <= gamma / 4

Clusters with the same members share one ridge regression. Early on most clusters are equal, so this saves most time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.linear._optimism import best, fill_indices
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import any_true, distance, fill, places

TITLE = "LOCB"
REFERENCE = "Ban and He 2021, Algorithm 1"
OPTIONS = (
    ALPHA,
    LAMBDA,
    Option("seeds", 20, "number of seed users (M-CNB section 6, Meta-Ban section 7)", low=1, structural=True),
    Option("gamma", 0.2, "a seed is finished once f(T_s) <= gamma / 4", low=0.0),
)
RELEASED = ""


class State(NamedTuple):
    alpha: float
    gamma: float
    regularization: float  # lambda
    users: Ridge  # n learners
    pools: Ridge  # S learners: the distinct clusters
    radius: np.ndarray  # (n,): f(T_i)
    seeds: np.ndarray  # (S,): the seed users
    finished: np.ndarray  # (S,) bool
    member: np.ndarray  # (S, n) bool: N_s
    pool_of: np.ndarray  # (S,): the learner of cluster s
    sharers: np.ndarray  # (S,): how many clusters share a learner; 0 = free
    optimist: np.ndarray  # (K,): the seed whose cluster was the most optimistic about an arm, -1 = the user's own model
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, released: bool, random: np.ndarray) -> State:
    """Return the state before the first round."""
    users = problem.users
    seeds = first_seeds(users, options["seeds"], random)
    most, regularization = len(seeds), options["lambda"]
    # All clusters start with the same members, and share a learner.
    sharers = np.zeros(most, np.int64)
    sharers[0] = most
    return State(
        alpha=options["alpha"],
        gamma=options["gamma"],
        regularization=regularization,
        users=ridge.new_ridge(regularization, users, *problem.contexts),
        pools=ridge.new_ridge(regularization, most, *problem.contexts, copies=most),
        radius=np.ones(users),
        seeds=seeds,
        finished=np.zeros(most, bool),
        member=np.ones((most, users), bool),
        pool_of=np.zeros(most, np.int32),
        sharers=sharers,
        optimist=np.full(problem.arms, -1),
        random=random,
    )


def first_seeds(users: int, count: int, random: np.ndarray) -> np.ndarray:
    """Draw the seed users, all of them if there are fewer than `count`; return them sorted, (S,) int32."""
    return np.sort(generator(random).choice(users, min(count, users), replace=False)).astype(np.int32)


@part
def value(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray) -> None:
    """Fill values, (K,), with the indices of arms. items: (K,), their positions."""
    fill(values, -np.inf)
    for k in range(len(items)):
        state.optimist[items[k]] = -1
    offered = np.empty(len(contexts))
    played = np.zeros(len(state.seeds), np.bool_)
    for s in range(len(state.seeds)):
        learner = state.pool_of[s]
        if state.member[s, user] and not played[learner]:
            played[learner] = True
            fill_indices(state.alpha, state.pools, learner, t, contexts, offered)
            for k in range(len(values)):
                if offered[k] > values[k]:
                    values[k], state.optimist[items[k]] = offered[k], s
    if not any_true(played):
        fill_indices(state.alpha, state.users, user, t, contexts, values)


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    value(state, t, user, places(items), contexts, values)
    return best(values, state.random)


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    ridge.observe(state.users, user, context, reward)
    state.radius[user] = confidence_radius(state.users.count[user])
    played = np.zeros(len(state.seeds), np.bool_)
    for s in range(len(state.seeds)):
        learner = state.pool_of[s]
        if state.member[s, user] and not played[learner]:
            played[learner] = True
            ridge.observe(state.pools, learner, context, reward)
    for s in range(len(state.seeds)):
        if not state.finished[s]:
            update_membership(state, s, user)
            state.finished[s] = state.radius[state.seeds[s]] <= state.gamma / 4.0


@part
def update_membership(state: State, s: int, user: int) -> None:
    """Let `user` join or leave the cluster of seed s."""
    seed = state.seeds[s]
    apart = distance(ridge.estimate_of(state.users, user), ridge.estimate_of(state.users, seed))
    alike = apart <= state.radius[user] + state.radius[seed]
    if alike == state.member[s, user]:
        return
    state.member[s, user] = alike
    twin = twin_of(state, s)
    if twin >= 0:
        leave_pool(state, s)
        state.pool_of[s] = state.pool_of[twin]
        state.sharers[state.pool_of[s]] += 1
        return
    learner = own_pool(state, s)
    ridge.transfer(state.pools, learner, state.users, user, 1 if alike else -1, state.regularization)
    ridge.refresh(state.pools, learner)


@part
def twin_of(state: State, s: int) -> int:
    """Return another seed whose cluster has the same members as cluster s, or -1."""
    for other in range(len(state.seeds)):
        if other != s and same_members(state, s, other):
            return other
    return -1


@part
def same_members(state: State, a: int, b: int) -> bool:
    """Return whether the clusters of seeds a and b have the same members."""
    user = 0
    while user < state.member.shape[1] and state.member[a, user] == state.member[b, user]:
        user += 1
    return user == state.member.shape[1]


@part
def leave_pool(state: State, s: int) -> None:
    learner = state.pool_of[s]
    state.sharers[learner] -= 1
    if state.sharers[learner] == 0:
        ridge.release(state.pools, learner)


@part
def own_pool(state: State, s: int) -> int:
    """Return the learner of cluster s; if other clusters share it, give cluster s a copy first."""
    learner = state.pool_of[s]
    if state.sharers[learner] == 1:
        return learner
    free = 0
    while state.sharers[free] > 0:
        free += 1
    ridge.copy(state.pools, free, state.pools, learner)
    leave_pool(state, s)
    state.sharers[free] = 1
    state.pool_of[s] = free
    return free


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`: `user` alone if it is in none."""
    s = state.optimist[position]
    return other == user if s < 0 else state.member[s, other]


@part
def count_clusters(state: State) -> int:
    """Return the number of distinct clusters."""
    distinct = 0
    for s in range(len(state.seeds)):
        earlier = 0
        while earlier < s and not same_members(state, s, earlier):
            earlier += 1
        distinct += earlier == s
    return distinct


if __name__ == "__main__":
    script(__file__)
