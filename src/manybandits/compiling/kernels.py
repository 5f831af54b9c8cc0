"""Replicas in lockstep: turn a policy written for one replica into a kernel that plays many.

A compiled policy is a module with a `State` (a NamedTuple of arrays, replica axis first) and two numba
functions written for one replica, as its paper writes them::

    choose(state, t, user, items, contexts) -> arm      contexts: (K, d), items: (K,)
    learn(state, t, user, item, context, reward)        context: (d,), t = 1, 2, ...
    count_clusters(state) -> int                        only if the algorithm has clusters, as
    share_cluster(state, user, item, position, other)   whether `other` is in the cluster that was played for `user`

Where N agents all act in every round, a policy may decide for all of them at once; one that is written for a
user a round plays such a game too, the agents taking turns, t = (round - 1) N + 1, ..., round N::

    choose_all(state, t, contexts, chosen)              contexts: (K, d); fills chosen, (N,)
    learn_all(state, t, contexts, chosen, rewards)      rewards: (N,), t = 1, 2, ...
    label_agents(state, labels)                         fills labels, (N,), only if agents have clusters

Where an individual arrives at an instance, choose and learn are called as for a user a round: the instance is the
user, all rows of contexts are the same, and items are the arms.

A policy that fits models now and then may tell, when all is played, what befell it: plain Python, for all replicas::

    count_fits(states) -> (R, 3) int                    fits; those that had to be made otherwise, or found no rest

In a replay of a log, choose and learn are called as for a user a round, with one user and the arms as items; what was
chosen at each event is all that is recorded. In the exploration of a network, too; the number of arms differs from
round to round, and all of them are item 0.

The kernel runs a block of rounds of some replicas without entering Python, and releases the interpreter
lock, so threads play disjoint replicas side by side. Where marks[b] is the number of a checkpoint, not -1, it
counts clusters after round b of the block; the size and purity of those that are played it adds up in every round.

In a game of block contexts arm k is the item of the round in block k, and to the policy the items of the K arms are
0, ..., K - 1. These contexts are written out, or, where they are too long for that or a policy prefers it, rows of
three numbers that only ridge regressions, neighbours and Gaussian processes read (see
`manybandits.numerics.by_reference.block_log`).

numba can neither take a slice of a NamedTuple nor keep a closure in its cache. Hence `replica`, and hence the kernel is
written out as a small module of its own (see `manybandits.compiling.written`).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, Literal

from manybandits.base.exceptions import InputError
from manybandits.compiling.replicas import Shared
from manybandits.compiling.written import compiled_once, written

VECTORS = "manybandits.numerics.vectors"
"""The module that all kernels call."""
FRONTIER = "manybandits.environments.frontier"
"""The module that kernels of explorations call."""

HEADER = '''"""The kernel of {policy}; made by manybandits.compiling.kernels, safe to delete."""

import numpy as np
from numba import njit

from manybandits.compiling.replicas import borrow, replica
from {vectors} import assign, fill
from {policy} import {functions}
'''

USERS = """

@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def play(
    states, first, last, done, stream, users, items, raters, rewards, item_table, user_table, blocks, marks, chosen,
    truth, sums, clusters
):
    rounds, arms = items.shape[1:]
    {room}
    places = np.empty(arms, items.dtype)
    for k in range(arms):
        places[k] = k
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            t = done + b + 1
            {describe}
            offered = places if blocks > 1 else items[s, b]
            arm = choose(state, t, users[s, b], offered, contexts)
            chosen[r, b] = arm
            item = offered[arm]
            {measure}
            learn(state, t, users[s, b], item, contexts[arm], rewards[s, b, arm])
            {count}
"""

WRITTEN_OUT = {
    "room": """item_width = item_table.shape[1]
    contexts = np.zeros((arms, blocks * (item_width + user_table.shape[1])))
    shift = item_width if blocks > 1 else 0""",
    "describe": """for k in range(arms):
                for i in range(item_width):
                    contexts[k, k * shift + i] = item_table[items[s, b, k], i]
                for i in range(user_table.shape[1]):
                    contexts[k, item_width + i] = user_table[raters[s, b, k], i]""",
}

REFERRED_TO = {
    "room": "contexts = np.empty((arms, 3), np.int64)",
    "describe": """for k in range(arms):
                contexts[k, 0], contexts[k, 1], contexts[k, 2] = t - 1, items[s, b, k], k""",
}

AGENTS = """

@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def play(
    states, first, last, done, stream, shared, own, own_table, expected, noise, best,
    marks, regret_so_far, reward_so_far, regret, reward, labels,
):
    rounds, arms, dimension = shared.shape[1:]
    agents = noise.shape[2]
    chosen = np.empty(agents, np.int64)
    rewards = np.empty(agents)
    contexts = np.empty((arms, dimension))
    places = np.arange(arms)
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            t = done + b + 1
            for k in range(arms):
                assign(contexts[k], shared[s, b, k])
            {turn}
            for i in range(agents):
                regret_so_far[r] += (best[s, b, i] - expected[s, b, i, chosen[i]]) / agents
                reward_so_far[r] += rewards[i] / agents
            if marks[b] >= 0:
                regret[r, marks[b]] = regret_so_far[r]
                reward[r, marks[b]] = reward_so_far[r]
                {count}
"""

INSTANCES = """

@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def play(states, first, last, done, stream, users, shared, rewards, chosen):
    rounds, arms = rewards.shape[1:]
    contexts = np.empty((arms, shared.shape[2]))
    places = np.arange(arms)
    for r in range(first, last):
        state = replica(states, r)
        s = stream[r]
        for b in range(rounds):
            t = done + b + 1
            for k in range(arms):
                assign(contexts[k], shared[s, b])
            arm = choose(state, t, users[s, b], places, contexts)
            chosen[r, b] = arm
            learn(state, t, users[s, b], arm, contexts[arm], rewards[s, b, arm])
"""

REPLAY = """

@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def play(states, first, last, stream, orders, shown, clicks, contexts, learn_every, horizon, chosen):
    places = np.arange(contexts.shape[1])
    user = places[0]  # 0 and, below, 1, but no constants: numba would compile a policy for those, too
    for r in range(first, last):
        state = replica(states, r)
        t = user + 1
        for place, event in enumerate(orders[stream[r]]):
            arm = shown[event]
            offered = borrow(contexts[event])  # part of an argument, which outlives the call
            chosen[r, place] = choose(state, t, user, places, offered)
            agrees = chosen[r, place] == arm
            if agrees or learn_every:
                learn(state, t, user, arm, offered[arm], clicks[event])
            if agrees:
                t += 1
                if t > horizon:
                    break
"""

EXPLORATION = f"""
from {FRONTIER} import look, query


@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def play(states, first, last, stream, rows, neighbour, starts, received):
    horizon = received.shape[1]
    items = np.zeros(len(rows) - 1, np.int64)
    for r in range(first, last):
        state = replica(states, r)
        sight = look(rows, neighbour, starts[stream[r]])
        contexts = borrow(sight.contexts)
        total = 0.0
        for b in range(horizon):
            arms = sight.count[0]
            if arms == 0:
                break
            arm = choose(state, b + 1, 0, items[:arms], contexts[:arms])
            context = contexts[arm].copy()
            reward = query(sight, arm)
            learn(state, b + 1, 0, 0, context, reward / sight.scale[0])
            total += reward
            received[r, b] = total
"""

ALL_AT_ONCE = """choose_all(state, t, contexts, chosen)
            for i in range(agents):
                rewards[i] = expected[s, b, i, chosen[i]] + noise[s, b, i]
            learn_all(state, t, contexts, chosen, rewards)"""

IN_TURN = """for i in range(agents):
                if own.shape[2] > 0:
                    assign(contexts[arms - 1], own_table[own[s, b, i]])
                turn = (t - 1) * agents + i + 1
                arm = choose(state, turn, i, places, contexts)
                chosen[i] = arm
                rewards[i] = expected[s, b, i, arm] + noise[s, b, i]
                learn(state, turn, i, arm, contexts[arm], rewards[i])"""

STEPS = """

@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def choose_each(states, t, users, contexts, chosen):
    places = np.arange(contexts.shape[1])
    for r in range(len(chosen)):
        chosen[r] = choose(replica(states, r), t, users[r], places, contexts[r])


@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def learn_each(states, t, users, contexts, rewards):
    for r in range(len(users)):
        learn(replica(states, r), t, users[r], 0, contexts[r], rewards[r])


@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def relearn_each(states, users, contexts, rewards):
    for r in range(len(users)):
        relearn(replica(states, r), users[r], contexts[r], rewards[r])


@njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
def count_each(states, clusters):
    for r in range(len(clusters)):
        clusters[r] = count_clusters(replica(states, r))
"""

WHOLE = {"instances": INSTANCES, "replay": REPLAY, "exploration": EXPLORATION, "steps": STEPS}
"""The kernels that are the same whatever a policy has, by their kind."""

COUNT = """if marks[b] >= 0:
                clusters[r, marks[b], 0] = count_clusters(state)
                clusters[r, marks[b], 1] = sums[r, 1] / sums[r, 0]
                clusters[r, marks[b], 2] = sums[r, 2] / sums[r, 0]
                fill(sums[r], 0.0)"""

MEASURE = """size = alike = 0
            user = users[s, b]
            for other in range(len(truth)):
                if share_cluster(state, user, item, arm, other):
                    size += 1
                    alike += truth[other] == truth[user]
            sums[r, 0] += 1
            sums[r, 1] += size
            sums[r, 2] += alike / size"""


Kind = Literal["users", "long", "instances", "agents", "replay", "exploration"]


@functools.cache
def kernel(policy: str, kind: Kind = "users") -> Callable[..., None]:
    """Return the compiled kernel of the policy module named `policy` (dotted).

    kind: of game: one user a round, the same with block contexts that are not written out, an arrival at an instance,
    all agents in every round, the replay of a log, or the exploration of a network.
    """
    return compiled_once(_written(policy, kind).play)


def steps(policy: str) -> ModuleType:
    """Return the functions of a policy for one round of R replicas, for another policy to build on.

    choose_each(states, t, users (R,), contexts (R, K, d), chosen (R,)), learn_each(states, t, users, contexts (R, d),
    rewards (R,)), relearn_each(states, users (R, T), contexts (R, T, d), rewards (R, T)) and count_each(states,
    clusters (R,)). Only of policies that have `relearn` and `count_clusters`.
    """
    return _written(policy, "steps")


def _written(policy: str, kind: str) -> ModuleType:
    """Return the module of a kernel."""
    called = [VECTORS, FRONTIER] if kind == "exploration" else [VECTORS]
    stem, text = f"{policy.rpartition('.')[2]}_{kind}", functools.partial(_source, policy, kind)
    return written(stem, text, policy, __name__, *called)


def _source(policy: str, kind: str) -> str:
    """Write the kernel of a policy out."""
    module = importlib.import_module(policy)
    together = hasattr(module, "choose_all")
    wanted = ("choose_all", "learn_all") if together else ("choose", "learn")
    clustering = ["count_clusters", "share_cluster"]
    others = {"agents": ["label_agents"], "steps": ["relearn", "count_clusters"]}
    counting = others.get(kind, clustering if kind in ("users", "long") else [])
    names = [*wanted, *(name for name in counting if hasattr(module, name))]
    header = HEADER.format(policy=policy, vectors=VECTORS, functions=", ".join(names))
    if kind == "agents":
        label = "label_agents(state, labels[r, marks[b]])" if "label_agents" in names else ""
        return header + AGENTS.format(turn=ALL_AT_ONCE if together else IN_TURN, count=label)
    if together:
        raise InputError(f"{module.TITLE} decides for all agents at once: give it a game in which they all act.")
    if kind in WHOLE:
        return header + WHOLE[kind]
    measured = "share_cluster" in names
    contexts = REFERRED_TO if kind == "long" else WRITTEN_OUT
    return header + USERS.format(**contexts, measure=MEASURE if measured else "", count=COUNT if measured else "")


def replica_bytes(states: tuple[Any, ...]) -> int:
    """Return the memory that one replica of `states` takes, beside what all replicas share."""
    if isinstance(states, Shared):
        return 0
    total = 0
    for field in states:
        total += replica_bytes(field) if isinstance(field, tuple) else field.nbytes // max(len(field), 1)
    return total
