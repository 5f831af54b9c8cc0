"""Games in which N agents all act in every round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from manybandits.algorithms.contract import Problem, Truth
from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream
from manybandits.environments.kinds.batch import Batch, Workers, kernel_for
from manybandits.environments.kinds.curves import Curves
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.kernels import agents as kernel
from manybandits.environments.layout import check_indices, check_layout, check_numbers, reals
from manybandits.numerics.partitions import agreement, count_parts

PIECE = 10
"""Number of rounds that are drawn from one stream. A block of rounds consists of whole pieces."""
BLOCK_BYTES = 2**23
"""Maximum bytes of the expected rewards of a block."""


class Population(NamedTuple):
    """The N agents of each of S seeds."""

    theta: np.ndarray  # (S, N, d)
    cluster: np.ndarray  # (S, N): the true cluster, -1 if a game has none


class AgentRounds(NamedTuple):
    """B consecutive rounds of S seeds in which all N agents act."""

    contexts: np.ndarray  # (S, B, K, d): shared by all agents
    own: np.ndarray  # (S, B, N): row of `own_table` that replaces an agent's last context; (S, B, 0) if none does
    expected: np.ndarray  # (S, B, N, K): expected reward of each arm for each agent
    noise: np.ndarray  # (S, B, N): noise of each agent's reward


@dataclass(frozen=True)
class AgentGame(Game):
    """A frozen game of N agents."""

    users: int
    arms: int
    dimension: int
    draw_population: Callable[[dict[str, np.ndarray], np.random.Generator], tuple[np.ndarray, np.ndarray]]
    draw_piece: Callable[..., tuple[np.ndarray, ...]]

    def check(self) -> None:
        """Raise InputError unless the facts, the arrays, and the agents and first rounds of a seed agree."""
        check_layout({"own_table": reals("rows", "dimension").maybe}, self.arrays, {"dimension": self.dimension})
        check_numbers("features", self.own_table)
        zero = np.zeros(1, np.int64)
        population = self.population(zero)
        agents = {name: drawn[0] for name, drawn in population._asdict().items()}
        layout = {"theta": reals("agents", "dimension"), "cluster": reals("agents")}
        check_layout(layout, agents, {"agents": self.users, "dimension": self.dimension})
        self.rounds(population, zero, 0, PIECE)

    @property
    def own_table(self) -> np.ndarray:
        return self.arrays.get("own_table", np.zeros((0, self.dimension)))

    def population(self, seeds: np.ndarray) -> Population:
        """Draw the agents of each seed. seeds: (S,) int."""
        drawn = [self.draw_population(self.arrays, stream("agents", self.name, seed)) for seed in seeds.tolist()]
        return Population(*(np.stack(parts) for parts in zip(*drawn, strict=True)))

    def block(self, seeds: int) -> int:
        """Return the number of rounds to draw at a time for so many seeds, a multiple of `PIECE`."""
        return PIECE * max(1, BLOCK_BYTES // (8 * seeds * PIECE * self.users * self.arms))

    def rounds(
        self,
        population: Population,
        seeds: np.ndarray,
        first: int,
        last: int,
        mapping: Callable[..., Iterable[None]] = map,
    ) -> AgentRounds:
        """Draw rounds first + 1, ..., last of each seed. first: a multiple of `PIECE`.

        mapping: function that maps over the seeds, such as a thread pool's `map`, which draws them in parallel.
        """
        shape = len(seeds), last - first
        rounds = AgentRounds(
            contexts=np.empty((*shape, self.arms, self.dimension)),
            own=np.empty((*shape, self.users if len(self.own_table) else 0), np.int32),
            expected=np.empty((*shape, self.users, self.arms)),
            noise=np.empty((*shape, self.users)),
        )

        def draw(place: int) -> None:
            for start in range(first, last, PIECE):
                random = stream("rounds", self.name, int(seeds[place]), start // PIECE)
                piece = self.draw_piece(self.arrays, population.theta[place], random)
                for array, drawn in zip(rounds, piece, strict=True):
                    array[place, start - first : start - first + PIECE] = drawn[: last - start]

        list(mapping(draw, range(len(seeds))))
        check_indices("own arms", rounds.own, len(self.own_table))
        for name in ("contexts", "expected", "noise"):
            check_numbers(name, getattr(rounds, name))
        return rounds

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a compiled algorithm may know of the game; an oracle may also know the agents.

        Contexts are new in every round, so items are the arms.
        """
        unique, replays = np.unique(seeds, return_inverse=True)
        population = self.population(unique)
        truth = Truth(population.cluster[replays], population.theta.mean(axis=1)[replays])
        return Problem(self.users, self.arms, self.arms, self.dimension, horizon, truth)

    def play(self, algorithm: ModuleType, state: tuple[Any, ...], batch: Batch) -> Curves:
        """Play a batch of replicas. Regret and reward are averages over agents."""
        at_once = hasattr(algorithm, "choose_all")
        if at_once and len(self.own_table):
            raise InputError(
                f"{algorithm.TITLE} plays one arm for many agents, but in {self.facts['name']} each agent has an arm "
                "of its own: give it the game with a common pool."
            )
        population, shape = self.population(batch.drawn), (batch.replicas, len(batch.checkpoints))
        regret, reward = np.empty(shape), np.empty(shape)
        totals = np.zeros(batch.replicas), np.zeros(batch.replicas), regret, reward
        clusters = (np.zeros((*shape, self.users), np.int32),) if hasattr(algorithm, "label_agents") else ()
        play_rounds = kernel_for(algorithm, kernel)
        with Workers(batch) as workers:
            for block in batch.blocks(self.block(len(batch.drawn)), state, totals, clusters):
                last = block.done + block.length
                rounds = self.rounds(population, batch.drawn, block.done, last, workers.pool.map)
                own_arms = () if at_once else (rounds.own, self.own_table)
                pays = rounds.expected, rounds.noise, rounds.expected.max(axis=3)
                given = rounds.contexts, own_arms, *pays, block.checkpoint_of, *totals, clusters
                workers.play(play_rounds, state, block.done, batch.stream, *given, rounds=block.length)
        curves = {"regret": regret, "reward": reward}
        if not clusters:
            return curves
        labels, truth = clusters[0], population.cluster[batch.stream]
        agrees = agreement(labels, truth[:, None]) if (truth >= 0).all() else np.full(shape, np.nan)
        return {**curves, "clusters": count_parts(labels).astype(float), "agreement": agrees}
