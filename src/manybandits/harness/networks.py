"""Play one batch of replicas with a policy that is written for all of them at once, on batched networks.

A module of its own that `manybandits.harness.play` imports by name: importing torch takes a second, and a play of a
compiled algorithm shall depend on neither torch nor the sources of the networks.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, Problem
from manybandits.algorithms.neural._learning import tables_of, view_of
from manybandits.environments.game import BLOCK, Game, Rounds
from manybandits.environments.loops import Clusters, Curves, Totals, marked


def start(
    game: Game,
    algorithm: ModuleType,
    problem: Problem,
    options: Columns,
    released: bool,
    random: np.ndarray,
    device: str,
) -> Any:
    """Return the policy of R replicas before the first round."""
    return algorithm.Policy(problem, options, released, random, tables_of(game.arrays, device))


def play_batched(
    game: Game,
    policy: Any,
    seeds: np.ndarray,
    checkpoints: np.ndarray,
    progress: Callable[[int], object],
) -> Curves:
    """Play R replicas of a game that serves one user a round with a policy that is written for all of them at once.

    A replica whose networks diverge goes on, and its totals are no numbers from that block of rounds on. On one
    thread: the order of sums in torch's loops depends on how many share them.
    """
    torch.set_num_threads(1)
    replicas, horizon = len(seeds), int(checkpoints[-1])
    unique, stream = np.unique(seeds, return_inverse=True)
    tables = policy.history.tables
    totals = Totals(replicas, len(checkpoints))
    measured = Clusters.of(game, replicas, len(checkpoints))
    truth = torch.from_numpy(measured.truth).to(policy.history.rows.device)
    rows = policy.history.rows
    for block, done in enumerate(range(0, horizon, BLOCK)):
        length = min(BLOCK, horizon - done)
        rounds = Rounds(*(a[:, :length] for a in game.rounds(unique, block)))
        own = [torch.as_tensor(array[stream]).to(rows.device) for array in rounds[:4]]
        rewards = own[3].to(tables.item.dtype)
        chosen = torch.empty((replicas, length), dtype=torch.int64, device=rows.device)
        inside, marks = marked(checkpoints, done, length)
        for b in range(length):
            user, items, raters = (array[:, b].long() for array in own[:3])
            view = view_of(tables, done + b + 1, user, items, raters, game.blocks)
            arm = policy.select(view)
            chosen[:, b] = arm
            if hasattr(policy, "cluster"):
                members = policy.cluster(view, arm)
                alike = members & (truth == truth[user].unsqueeze(1))
                size = members.sum(1)
                measured.sums[:, 0] += 1
                measured.sums[:, 1] += size.cpu().numpy()
                measured.sums[:, 2] += (alike.sum(1) / size.clamp(min=1)).cpu().numpy()
            policy.learn(view, arm, rewards[rows, b, arm])
            if marks[b] >= 0 and hasattr(policy, "count_clusters"):
                measured.found[:, marks[b], 0] = policy.count_clusters()
            if marks[b] >= 0 and hasattr(policy, "cluster"):
                measured.found[:, marks[b], 1:] = measured.sums[:, 1:] / measured.sums[:, :1]
                measured.sums[:] = 0.0
        totals.add(rounds, stream, chosen.cpu().numpy(), inside, checkpoints[inside] - done - 1)
        totals.void(policy.diverged, inside)
        progress(length * replicas)
    return {**totals.curves, **measured.curves}
