"""LOCB as the public code of Meta-Ban, M-CNB and LOCB plays it: seeds may be drawn twice, and estimates lag behind.

Source: github.com/banyikun/MCNB, commits 53eb178 to cf79294, ``locb.py``; the plain twin has every line of it.

    initialise   20 seeds, drawn with replacement; the cluster N_s of a seed s holds all users, S_s = I, N_s = 1;
                 every user lists every seed, one that was drawn m times m times
    choose       over the clusters that the user i served lists, or i alone if it lists none: the arm of the largest
                 theta_s' x_a + beta(N_s, t) x_a' S_s^-1 x_a          (see `_linear`)
    learn        i gets the observation, and each cluster that i lists, as often as it is listed; then, for every s
                 that is not finished, with f(N) = sqrt((1 + ln(1 + N)) / (1 + N)),
                 i leaves N_s if |theta_i - theta_s| > f(N_i) + f(N_s), and joins it again if <, where theta_s and N_s
                 are those of the seed; s is finished once f(N_s) <= gamma / 4

* Among equal indices a cluster plays the first arm; among clusters with equal indices the larger arm is played.
* A user who leaves takes its data away and lists the cluster once less: that of a seed drawn twice is still listed, so
  it still chooses for the user and learns. A user who joins adds all its data and lists the cluster once more.
* S_s^-1 and theta_s of a cluster that users left or joined are computed anew with its next observation only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.linear._graph import confidence_radius
from manybandits.algorithms.released._linear import best_arm, check_written_out, observe
from manybandits.compiling.parts import part
from manybandits.numerics import ridge
from manybandits.numerics.draws import below
from manybandits.numerics.ridge import Ridge
from manybandits.numerics.vectors import distance

TITLE = "LOCB 2022"
REFERENCE = "Public code of M-CNB, commits 53eb178 to cf79294, locb.py"
OPTIONS = ()
MODEL_PER_USER = True
RIDGE = 1.0
SEEDS = 20
GAMMA = 0.2


class State(NamedTuple):
    users: Ridge  # n learners
    clusters: Ridge  # 20 learners: the cluster of each seed
    seeds: np.ndarray  # (20,) int32: the seed users, as drawn
    listed: np.ndarray  # (20, n): how often a user lists a cluster; 0 for a seed that was drawn before
    member: np.ndarray  # (20, n) bool: N_s
    stale: np.ndarray  # (20,) bool: whether the inverse and the estimate of a cluster wait for an observation
    finished: np.ndarray  # (20,) bool; True for a seed that was drawn before
    played: np.ndarray  # (1,): the cluster that chose the arm, -1 = the user's own model


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    check_written_out(problem, TITLE)
    n, d = problem.users, problem.dimension
    seeds = np.array([below(random, n) for _ in range(SEEDS)], np.int32)
    again = np.array([seed in seeds[:s] for s, seed in enumerate(seeds)])
    times = np.where(again, 0, (seeds == seeds[:, None]).sum(axis=0))
    clusters = ridge.new_ridge(RIDGE, SEEDS, d)
    clusters.count[:] = 1
    return State(
        users=ridge.new_ridge(RIDGE, n, d),
        clusters=clusters,
        seeds=seeds,
        listed=np.repeat(times[:, None], n, axis=1),
        member=np.ones((SEEDS, n), bool),
        stale=np.zeros(SEEDS, bool),
        finished=again,
        played=np.full(1, -1),
    )


@part
def choose(state: State, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
    values = np.empty(len(items))
    arm, top = 0, -np.inf
    state.played[0] = -1
    for s in range(SEEDS):
        if state.listed[s, user] > 0:
            first = best_arm(state.clusters, s, state.clusters.count[s], t, contexts, values)
            if state.played[0] < 0 or values[first] > top or (values[first] == top and first > arm):
                arm, top, state.played[0] = first, values[first], s
    if state.played[0] < 0:
        arm = best_arm(state.users, user, state.users.count[user], t, contexts, values)
    return arm


@part
def learn(state: State, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
    ridge.observe(state.users, user, context, reward)
    for s in range(SEEDS):
        for _ in range(state.listed[s, user]):
            observe(state.clusters, s, state.stale, context, reward)
    for s in range(SEEDS):
        if not state.finished[s]:
            update_members(state, s, user)
            state.finished[s] = confidence_radius(state.users.count[state.seeds[s]]) <= GAMMA / 4.0


@part
def update_members(state: State, s: int, user: int) -> None:
    """Let `user` leave or join the cluster of seed s."""
    users, seed = state.users, state.seeds[s]
    apart = distance(users.estimate[user], users.estimate[seed])
    width = confidence_radius(users.count[user]) + confidence_radius(users.count[seed])
    if (apart > width) if state.member[s, user] else (apart < width):
        change = -1 if state.member[s, user] else 1
        state.member[s, user] = change > 0
        state.listed[s, user] += change
        ridge.transfer(state.clusters, s, users, user, change, RIDGE)
        state.stale[s] = True


@part
def share_cluster(state: State, user: int, item: int, position: int, other: int) -> bool:
    """Return whether `other` is in the cluster that was played for `user`, who may have left it."""
    return other == user or (state.played[0] >= 0 and state.member[state.played[0], other])


@part
def count_clusters(state: State) -> int:
    """Return the number of seeds, each counted once."""
    found = 0
    for s in range(SEEDS):
        earlier = 0
        while state.seeds[earlier] != state.seeds[s]:
            earlier += 1
        found += earlier == s
    return found


if __name__ == "__main__":
    script(__file__)
