"""Play one batch of replicas with a policy that is written for all of them at once, on batched networks.

A module of its own that `manybandits.harness.play` imports by name: importing torch takes a second, and a play of a
compiled algorithm shall depend on neither torch nor the sources of the networks.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, Problem
from manybandits.algorithms.neural._learning import tables_of, view_of
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import ClusterStatistics, Curves, RunningTotals
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.users import Rounds, UserGame


def start(
    game: UserGame,
    algorithm: ModuleType,
    horizon: int,
    options: Columns,
    released: bool,
    random: np.ndarray,
    device: str,
) -> Any:
    """Return the policy of R replicas before the first round."""
    problem = Problem(game.users, game.items, game.arms, game.dimension, horizon, blocks=game.blocks)
    return algorithm.Policy(problem, options, released, random, tables_of(game.arrays, device))


def play_batched(game: UserGame, policy: Any, batch: Batch) -> Curves:
    """Play a batch of replicas of a game that serves one user a round, all of them at once.

    A replica whose networks diverge goes on, and its totals are NaN from that block of rounds on. On one thread: the
    order of sums in torch's loops depends on how many share them.
    """
    torch.set_num_threads(1)
    tables, rows = policy.history.tables, policy.history.rows
    totals, clusters = RunningTotals(batch), ClusterStatistics.for_batch(game.users, game.groups, batch)
    truth = torch.from_numpy(clusters.truth).to(rows.device)
    for block in batch.blocks(BLOCK):
        rounds = Rounds(*(array[:, : block.length] for array in game.rounds(batch.drawn, block.number)))
        own = [torch.as_tensor(array[batch.stream]).to(rows.device) for array in rounds[:4]]
        rewards = own[3].to(tables.item.dtype)
        chosen = torch.empty((batch.replicas, block.length), dtype=torch.int64, device=rows.device)
        for b, mark in enumerate(block.checkpoint_of):
            user, items, raters = (array[:, b].long() for array in own[:3])
            view = view_of(tables, block.done + b + 1, user, items, raters, game.blocks)
            arm = policy.select(view)
            chosen[:, b] = arm
            if hasattr(policy, "cluster"):
                members = policy.cluster(view, arm)
                alike = members & (truth == truth[user].unsqueeze(1))
                size = members.sum(1)
                clusters.sums[:, 0] += 1
                clusters.sums[:, 1] += size.cpu().numpy()
                clusters.sums[:, 2] += (alike.sum(1) / size.clamp(min=1)).cpu().numpy()
            policy.learn(view, arm, rewards[rows, b, arm])
            if mark >= 0 and hasattr(policy, "count_clusters"):
                clusters.found[:, mark, 0] = policy.count_clusters()
            if mark >= 0 and hasattr(policy, "cluster"):
                clusters.found[:, mark, 1:] = clusters.sums[:, 1:] / clusters.sums[:, :1]
                clusters.sums[:] = 0.0
        totals.add(block, rounds.rewards, rounds.expected, chosen.cpu().numpy())
        totals.set_nan(block, policy.diverged)
    return {**totals.curves, **clusters.curves}
