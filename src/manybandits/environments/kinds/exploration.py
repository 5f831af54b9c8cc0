"""Games in which a network is explored by queries: a round is a query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream
from manybandits.environments.frontier import FEATURES, explore_greedily
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import Curves
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.kernels import exploration as kernel
from manybandits.environments.layout import check_indices, check_layout, indices, starts

LAYOUT = {"first": starts("nodes", into="ends of edges"), "neighbour": indices("ends of edges", into="nodes")}


@dataclass(frozen=True)
class ExplorationGame(Game):
    """A frozen network of n nodes and m edges, see `manybandits.environments.exploration`.

    arrays: first, (n + 1,), and neighbour, (2 m,): the neighbours of each node in compressed rows.
    """

    dimension: int
    draw_start: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray]

    nan_reason: ClassVar[str] = "queried all that is in reach"
    nan_remedy: ClassVar[str] = "play fewer rounds"

    def check(self) -> None:
        """Raise InputError unless the arrays are an undirected network, whose edges have two ends each."""
        check_layout(LAYOUT, self.arrays, {})
        first, ends = self.arrays["first"], self.arrays["neighbour"].astype(np.int64)
        begins = np.repeat(np.arange(self.nodes), np.diff(first))
        there, back = begins * self.nodes + ends, ends * self.nodes + begins
        if self.dimension != len(FEATURES) or (begins == ends).any() or not np.array_equal(there, np.unique(back)):
            raise InputError(
                f"the edges are not those of an undirected network with {len(FEATURES)} features of its nodes: each "
                "edge is listed at both of its ends, in order; freeze the game again."
            )

    @property
    def nodes(self) -> int:
        return len(self.arrays["first"]) - 1

    def starts(self, seeds: np.ndarray) -> np.ndarray:
        """Return the nodes that are seen at the start of each seed, (S, s) int32. seeds: (S,) int."""
        drawn = np.stack([self.draw_start(self.arrays, stream("start", self.name, seed)) for seed in seeds.tolist()])
        check_indices("nodes", drawn, self.nodes)
        return drawn

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know: there is one user, and the arms, all nodes, are one item."""
        return Problem(1, 1, self.nodes, self.dimension, horizon, recurring=True)

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas. Totals are NaN once a replica has no more nodes to query."""
        received = np.full((batch.replicas, batch.horizon), np.nan)
        greedy = np.empty((len(batch.drawn), batch.horizon))
        graph, starts = (self.arrays["first"], self.arrays["neighbour"]), self.starts(batch.drawn)
        with Workers(batch) as workers:
            list(workers.pool.map(lambda start, total: explore_greedily(*graph, start, total), starts, greedy))
            given = batch.stream, *graph, starts, received
            workers.play(kernel_for(algorithm, kernel), state, *given, rounds=batch.horizon)
        reward = received[:, batch.checkpoints - 1]
        regret = greedy[batch.stream][:, batch.checkpoints - 1] - reward
        return {"regret": regret, "reward": reward}
