"""What all games share: frozen arrays, and rounds that depend on the game and the seed alone.

A game is an ``.npz`` file with its arrays and the facts about them: kind, users, arms, data, settings. In a
`Game` one user is served a round, in an `InstanceGame` one individual arrives at one of N instances, in an `AgentGame`
all agents act in every round. The rounds of a seed are drawn in blocks, each from a stream of its own, so a block can
be drawn without those before it. In a `ReplayGame` the rounds are those events of a log that a policy agrees with; in
an `ExplorationGame` they are queries, and what a seed draws is where they start.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manybandits.base.artifacts import load_arrays, load_facts
from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream
from manybandits.environments.offpolicy import earned
from manybandits.numerics.by_reference import block_log

BLOCK = 1000
PIECE = 10
"""Rounds that share a stream: a block of rounds is a whole number of pieces."""
BLOCK_BYTES = 2**23
"""What the expected rewards of a block may take."""


class Rounds(NamedTuple):
    """B consecutive rounds of S seeds. The context of arm k is item_table[item] followed by user_table[rater]."""

    users: np.ndarray  # (S, B) int32: the user served
    items: np.ndarray  # (S, B, K) int32: the items offered
    raters: np.ndarray  # (S, B, K) int32: whose features stand beside an item's, where contexts have them
    rewards: np.ndarray  # (S, B, K): what each arm would pay
    expected: np.ndarray  # (S, B, K): what it pays on average


@dataclass(frozen=True)
class Game:
    """A frozen game.

    name: digest of the arrays; part of the key of every stream. facts: what pages and figures say about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    users: int
    arms: int
    draw_block: Callable[[dict[str, np.ndarray], int, int, np.random.Generator], Rounds]
    groups: np.ndarray | None = None  # (n,): the true group of every user, where the game has groups
    draw_order: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray | None] | None = None

    @property
    def longest(self) -> int | None:
        """How many rounds there are, where a game comes to an end."""
        order = self.order(0)
        return None if order is None else len(order)

    def order(self, seed: int) -> np.ndarray | None:
        """Return what a seed serves round by round, where a game goes through its data once."""
        return None if self.draw_order is None else self.draw_order(self.arrays, stream("order", self.name, seed))

    @property
    def items(self) -> int:
        return len(self.arrays["item_table"])

    @property
    def blocks(self) -> int:
        """More than one: arm k is the item of the round placed in block k of so many, with zeros in all others."""
        return int(self.facts.get("blocks", 1))

    @property
    def long(self) -> bool:
        """Whether contexts are too long for linear algorithms to be written out, see `block_log`."""
        return self.blocks > 1 and self.blocks * self.dimension > block_log.LONGEST

    @property
    def dimension(self) -> int:
        return self.arrays["item_table"].shape[1] + self.arrays["user_table"].shape[1]

    def rounds(self, seeds: np.ndarray, block: int, mapping: Callable[..., Iterable[Rounds]] = map) -> Rounds:
        """Draw rounds block * BLOCK + 1, ..., (block + 1) * BLOCK of every seed, or up to its last. seeds: (S,) int.

        mapping: how to go over the seeds; a thread pool's `map` draws them side by side.
        """

        def draw(seed: int) -> Rounds:
            random, order = stream("rounds", self.name, seed, block), self.order(seed)
            if order is None:
                return self.draw_block(self.arrays, self.arms, BLOCK, random)
            order = order[block * BLOCK : (block + 1) * BLOCK]
            return self.draw_block({**self.arrays, "order": order}, self.arms, len(order), random)

        drawn = mapping(draw, seeds.tolist())
        return Rounds(*(np.stack(parts) for parts in zip(*drawn, strict=True)))


class Arrivals(NamedTuple):
    """B consecutive arrivals at instances, of one seed; with an axis of S seeds before the others, of several."""

    users: np.ndarray  # (B,) int32: the instance of the arrival
    contexts: np.ndarray  # (B, d): the same for all arms
    rewards: np.ndarray  # (B, K): what each arm would pay
    expected: np.ndarray  # (B, K): what it pays on average


@dataclass(frozen=True)
class InstanceGame:
    """A frozen game of N instances, see `manybandits.environments.instances`.

    name: digest of the arrays; part of the key of every stream. facts: what pages and figures say about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    users: int
    arms: int
    dimension: int
    draw_population: Callable[[dict[str, np.ndarray], np.random.Generator], tuple[np.ndarray, ...]]
    draw_arrivals: Callable[..., Arrivals]

    @property
    def items(self) -> int:
        """Contexts are fresh in every round: an item is the position of its arm."""
        return self.arms

    @property
    def longest(self) -> int | None:
        """How many rounds there are, where a game comes to an end."""
        return self.facts.get("rounds")

    def population(self, seeds: np.ndarray) -> list[tuple[np.ndarray, ...]]:
        """Draw what every seed draws before the first round. seeds: (S,) int."""
        return [self.draw_population(self.arrays, stream("instances", self.name, seed)) for seed in seeds.tolist()]

    def rounds(
        self,
        population: list[tuple[np.ndarray, ...]],
        seeds: np.ndarray,
        block: int,
        count: int = BLOCK,
        mapping: Callable[..., Iterable[Arrivals]] = map,
    ) -> Arrivals:
        """Draw the first `count` of the rounds block * BLOCK + 1, ..., (block + 1) * BLOCK of every seed.

        mapping: how to go over the seeds; a thread pool's `map` draws them side by side.
        """

        def draw(seed: int, drawn: tuple[np.ndarray, ...]) -> Arrivals:
            random = stream("rounds", self.name, seed, block)
            return self.draw_arrivals(self.arrays, drawn, block * BLOCK, BLOCK, random)

        parts = zip(*mapping(draw, seeds.tolist(), population), strict=True)
        return Arrivals(*(np.stack([part[:count] for part in of_seeds]) for of_seeds in parts))

    def counted(self, rounds: Arrivals) -> Arrivals:
        """Return the rounds with zeros for those instances whose regret and reward are not counted."""
        if not self.facts.get("counts_first"):
            return rounds
        first = (rounds.users == 0)[:, :, None]
        return rounds._replace(rewards=rounds.rewards * first, expected=rounds.expected * first)


class Population(NamedTuple):
    """The N agents of every one of S seeds."""

    theta: np.ndarray  # (S, N, d)
    cluster: np.ndarray  # (S, N): the true cluster, -1 where a game has none


class AgentRounds(NamedTuple):
    """B consecutive rounds of S seeds in which all N agents act."""

    contexts: np.ndarray  # (S, B, K, d): shared by all agents
    own: np.ndarray  # (S, B, N): row of `own_table` that replaces an agent's last context; (S, B, 0): none does
    expected: np.ndarray  # (S, B, N, K): what each arm pays an agent on average
    noise: np.ndarray  # (S, B, N): what is added to an agent's reward


@dataclass(frozen=True)
class AgentGame:
    """A frozen game of N agents.

    name: digest of the arrays; part of the key of every stream. facts: what pages and figures say about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    users: int
    arms: int
    dimension: int
    draw_population: Callable[[dict[str, np.ndarray], np.random.Generator], tuple[np.ndarray, np.ndarray]]
    draw_piece: Callable[..., tuple[np.ndarray, ...]]

    @property
    def items(self) -> int:
        """Contexts are fresh in every round: an item is the position of its arm."""
        return self.arms

    @property
    def own_table(self) -> np.ndarray:
        return self.arrays.get("own_table", np.zeros((0, self.dimension)))

    def population(self, seeds: np.ndarray) -> Population:
        """Draw the agents of every seed. seeds: (S,) int."""
        drawn = [self.draw_population(self.arrays, stream("agents", self.name, seed)) for seed in seeds.tolist()]
        return Population(*(np.stack(parts) for parts in zip(*drawn, strict=True)))

    def block(self, seeds: int) -> int:
        """Return how many rounds of so many seeds to draw at a time: a multiple of `PIECE`."""
        return PIECE * max(1, BLOCK_BYTES // (8 * seeds * PIECE * self.users * self.arms))

    def rounds(
        self,
        population: Population,
        seeds: np.ndarray,
        first: int,
        last: int,
        mapping: Callable[..., Iterable[None]] = map,
    ) -> AgentRounds:
        """Draw rounds first + 1, ..., last of every seed. first: a multiple of `PIECE`.

        mapping: how to go over the seeds; a thread pool's `map` draws them side by side.
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
        return rounds


@dataclass(frozen=True)
class ReplayGame:
    """A frozen log of n events, see `manybandits.environments.replay`.

    arrays: shown, (n,), the arm of each event; click, (n,); contexts, (n, K, d); learn_every, whether policies learn
    from events that do not count; guess, (n, K), where rewards are not those of replay, see `offpolicy`. name:
    digest of the log, whatever is done with it; part of the key of every stream. facts: what pages and figures say
    about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    arms: int
    dimension: int
    draw_order: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray]

    @property
    def learns_from_all(self) -> bool:
        return bool(self.arrays["learn_every"])

    def orders(self, seeds: np.ndarray) -> np.ndarray:
        """Return the events in the order of every seed, (S, n) int32. seeds: (S,) int."""
        return np.stack([self.draw_order(self.arrays, stream("order", self.name, seed)) for seed in seeds.tolist()])

    def earned(self, events: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Return the reward up to every event that counts, (T,). events, chosen: (e,), as a policy was asked."""
        guess = self.arrays["guess"][events] if "guess" in self.arrays else None
        return earned(chosen, self.arrays["shown"][events], self.arrays["click"][events], guess)


@dataclass(frozen=True)
class ExplorationGame:
    """A frozen network of n nodes that is explored by queries, see `manybandits.environments.exploration`.

    arrays: first, (n + 1,), and neighbour, (2 m,), the neighbours of each node. name: digest of the arrays; part of the
    key of every stream. facts: what pages and figures say about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    dimension: int
    draw_start: Callable[[dict[str, np.ndarray], np.random.Generator], np.ndarray]

    @property
    def nodes(self) -> int:
        return len(self.arrays["first"]) - 1

    def starts(self, seeds: np.ndarray) -> np.ndarray:
        """Return the nodes that every seed sees at the start, (S, s) int32. seeds: (S,) int."""
        return np.stack([self.draw_start(self.arrays, stream("start", self.name, seed)) for seed in seeds.tolist()])


AnyGame = Game | InstanceGame | AgentGame | ReplayGame | ExplorationGame


def load_game(path: Path) -> AnyGame:
    """Read a frozen game; raise InputError naming the file when it is missing, damaged or not a game.

    In its facts it is called as its file is; its streams are named by its arrays alone, so no word changes them.
    """
    arrays = load_arrays(path)
    facts = {"name": path.stem, **load_facts(path)}
    name = facts.pop("digest")
    if "kind" not in facts:
        raise InputError(f"{path} is not an environment: it names no kind of game. Give one that was frozen.")
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{path}: array {key!r} holds NaN or infinity; build the environment again.")
    kind = importlib.import_module(f"manybandits.environments.{facts['kind']}")
    users, arms = int(facts["users"]), int(facts["arms"])
    if hasattr(kind, "unpack"):
        arrays = kind.unpack(arrays)
    if hasattr(kind, "draw_block"):
        order = {"draw_order": kind.draw_order} if hasattr(kind, "draw_order") else {}
        return Game(name, facts, arrays, users, arms, kind.draw_block, kind.groups(arrays), **order)
    dimension = int(facts["dimension"])
    if hasattr(kind, "draw_arrivals"):
        draws = kind.draw_population, kind.draw_arrivals
        return InstanceGame(name, facts, arrays, users, arms, dimension, *draws)
    if hasattr(kind, "draw_order"):
        return ReplayGame(kind.digest(arrays), facts, arrays, arms, dimension, kind.draw_order)
    if hasattr(kind, "draw_start"):
        return ExplorationGame(name, facts, arrays, dimension, kind.draw_start)
    return AgentGame(name, facts, arrays, users, arms, dimension, kind.draw_population, kind.draw_piece)


def read_settings(
    argv: list[str] | None, description: str, settings: Mapping[str, Any], meanings: Mapping[str, str]
) -> dict[str, Any]:
    """Read the settings of a synthetic game, and the path `out`, from the command line.

    settings: the default of each; meanings: what the help says of them.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, default in settings.items():
        meaning = f"{meanings.get(name, '')} (default {default})".strip()
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    return vars(parser.parse_args(argv))


def distinct(choices: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Draw `count` different numbers from 0, ..., choices - 1 for every row, (n, count) int64.

    choices: (n,), all at least `count`. Floyd's method, a row at a time in lockstep (Bentley and Floyd 1987).
    """
    drawn = np.empty((len(choices), count), np.int64)
    for step in range(count):
        last = choices - count + step
        candidate = (random.random(len(choices)) * (last + 1)).astype(np.int64)
        taken = (drawn[:, :step] == candidate[:, None]).any(axis=1)
        drawn[:, step] = np.where(taken, last, candidate)
    return drawn
