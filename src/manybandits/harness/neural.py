"""Play a batch of replicas with a neural algorithm, which is written for all replicas at once on batched networks.

`manybandits.harness.play` imports this module by name, because importing torch takes a second and plays of compiled
algorithms must depend neither on torch nor on the sources of the networks.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, FirstObservations, Problem
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
    random: np.ndarray,
    device: str,
) -> Any:
    """Return the policy of R replicas before the first round."""
    shape = game.users, game.items, game.arms, game.dimension
    problem = Problem(*shape, horizon, blocks=game.blocks, each_arm_its_user=game.each_arm_its_user)
    tables = tables_of(game.arrays, device, shifts=game.arms if game.shifted else 1)
    return algorithm.Policy(problem, options, random, tables)


def play_batched(game: UserGame, policy: Any, batch: Batch) -> Curves:
    """Play a batch of replicas, all at once, of a game that serves one user per round; return their curves.

    A replica whose networks diverge continues to play, but its totals are NaN from that block of rounds on. torch runs
    on one thread, because the order of its sums depends on the number of threads.
    """
    torch.set_num_threads(1)
    tables, rows = policy.history.tables, policy.history.rows
    totals = RunningTotals(batch, game.lasting_arms)
    clusters = ClusterStatistics.for_batch(game.users, game.groups, batch)
    truth = torch.from_numpy(clusters.truth).to(rows.device)
    if hasattr(policy, "observe_first"):
        first = (torch.as_tensor(part[batch.stream]) for part in game.first_observations(batch.drawn))
        policy.observe_first(FirstObservations(*(part.to(rows.device) for part in first)))
    for block in batch.blocks(BLOCK, policy, totals, clusters):
        rounds = Rounds(*(array[:, : block.length] for array in game.rounds(batch.drawn, block.number)))
        own = [torch.as_tensor(array[batch.stream]).to(rows.device) for array in rounds[:4]]
        rewards = own[3].to(tables.item.dtype)
        chosen = torch.empty((batch.replicas, block.length), dtype=torch.int64, device=rows.device)
        for b, checkpoint in enumerate(block.checkpoint_of):
            users, items, raters = (array[:, b].long() for array in own[:3])
            view = view_of(tables, block.done + b + 1, users, items, raters, game.blocks)
            arm = policy.select(view)
            chosen[:, b] = arm
            if hasattr(policy, "cluster"):
                members = policy.cluster(view, arm)
                alike = members & (truth == truth[users[rows, arm]].unsqueeze(1))
                size = members.sum(1)
                clusters.sums[:, 0] += 1
                clusters.sums[:, 1] += size.cpu().numpy()
                clusters.sums[:, 2] += (alike.sum(1) / size.clamp(min=1)).cpu().numpy()
            policy.learn(view, arm, rewards[rows, b, arm])
            if checkpoint >= 0 and hasattr(policy, "count_clusters"):
                clusters.found[:, checkpoint, 0] = policy.count_clusters()
            if checkpoint >= 0 and hasattr(policy, "cluster"):
                clusters.found[:, checkpoint, 1:] = clusters.sums[:, 1:] / clusters.sums[:, :1]
                clusters.sums[:] = 0.0
            batch.tell(batch.replicas)
        totals.add(block, rounds.rewards, rounds.expected, chosen.cpu().numpy())
        totals.set_nan(block, policy.diverged)
    dead = np.full_like(totals.curves["regret"], np.nan)
    dead[:, -1] = policy.dead_units()
    return {**totals.curves, **clusters.curves, "dead": dead}
