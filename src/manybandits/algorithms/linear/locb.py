"""LOCB: overlapping clusters grown around seed users; the most optimistic cluster of a user chooses.

Source: Ban and He 2021, *Local clustering in contextual multi-armed bandits*, Algorithm 1, which ``plain/locb`` follows
line by line. Here the same is done faster:

* M^-1 and the estimate of a user and of a cluster change by a rank-one term in each round, and those of a cluster are
  computed anew where a user joins or leaves it.
* Clusters with the same members share one ridge regression: see `manybandits.numerics.overlapping_groups`. Early on
  most clusters are equal, so this saves most time.

    index   max_s  theta_s' x_a + alpha sqrt(x_a' M_s^-1 x_a ln(t + 1)),   s: the seeds whose cluster holds the user

A user in no cluster has a model of its own. The width has CLUB's factor alpha sqrt(ln(t + 1)).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.linear._optimism import best, fill_indices
from manybandits.base.seeds import generator
from manybandits.compiling.parts import part
from manybandits.numerics import overlapping_groups, ridge
from manybandits.numerics.overlapping_groups import Groups
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


class State(NamedTuple):
    alpha: float
    gamma: float
    regularization: float  # lambda
    users: Ridge  # n learners
    clusters: Groups  # N_s, for S seeds
    radius: np.ndarray  # (n,): f(T_i)
    seeds: np.ndarray  # (S,): the seed users
    finished: np.ndarray  # (S,) bool
    optimist: np.ndarray  # (K,): the seed whose cluster was the most optimistic about an arm, -1 = the user's own model
    random: np.ndarray  # (1,) uint64


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    """Return the state before the first round: the cluster of every seed holds all users."""
    users, regularization = problem.users, options["lambda"]
    drawn = generator(random).choice(users, min(options["seeds"], users), replace=False)
    return State(
        alpha=options["alpha"],
        gamma=options["gamma"],
        regularization=regularization,
        users=ridge.new_ridge(regularization, users, *problem.contexts),
        clusters=overlapping_groups.new_groups(regularization, len(drawn), users, *problem.contexts),
        radius=np.ones(users),
        seeds=np.sort(drawn).astype(np.int32),
        finished=np.zeros(len(drawn), bool),
        optimist=np.full(problem.arms, -1),
        random=random,
    )


@part
def value(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray) -> None:
    """Fill values, (K,), with the indices of arms. items: (K,), their positions."""
    fill(values, -np.inf)
    for k in range(len(items)):
        state.optimist[items[k]] = -1
    offered = np.empty(len(contexts))
    clusters = overlapping_groups.different_groups_of(state.clusters, user)
    for s in range(len(clusters)):
        if clusters[s]:
            fill_indices(state.alpha, state.clusters.models, state.clusters.learner[s], t, contexts, offered)
            for k in range(len(values)):
                if offered[k] > values[k]:
                    values[k], state.optimist[items[k]] = offered[k], s
    if not any_true(clusters):
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
    overlapping_groups.observe(state.clusters, user, context, reward)
    for s in range(len(state.seeds)):
        if not state.finished[s]:
            seed = state.seeds[s]
            apart = distance(ridge.estimate_of(state.users, user), ridge.estimate_of(state.users, seed))
            near = apart <= state.radius[user] + state.radius[seed]
            overlapping_groups.set_member(state.clusters, s, user, near, state.users, state.regularization)
            state.finished[s] = state.radius[seed] <= state.gamma / 4.0


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`: `user` alone if it is in none."""
    s = state.optimist[position]
    return other == user if s < 0 else state.clusters.member[s, other]


@part
def count_clusters(state: State) -> int:
    """Return the number of distinct clusters."""
    return overlapping_groups.count_different(state.clusters)


if __name__ == "__main__":
    script(__file__)
