"""What all games share: frozen arrays, and rounds that depend on the game and the seed alone.

A game is an ``.npz`` file with its arrays and, beside it, the ``.json`` that says what it was made from. The
rounds of a seed are drawn in blocks of `BLOCK`, each from a stream of its own, so a block can be drawn
without those before it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manybandits.core.artifacts import load_arrays, load_provenance, sha256
from manybandits.core.errors import InputError
from manybandits.core.seeds import stream

BLOCK = 1000


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

    name: digest of the file; part of the key of every stream. facts: what pages and figures say about it.
    """

    name: str
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]
    users: int
    arms: int
    draw_block: Callable[[dict[str, np.ndarray], int, int, np.random.Generator], Rounds]

    @property
    def items(self) -> int:
        return len(self.arrays["item_table"])

    @property
    def dimension(self) -> int:
        return self.arrays["item_table"].shape[1] + self.arrays["user_table"].shape[1]

    def rounds(self, seeds: np.ndarray, block: int, mapping: Callable[..., Iterable[Rounds]] = map) -> Rounds:
        """Draw rounds block * BLOCK + 1, ..., (block + 1) * BLOCK of every seed. seeds: (S,) int.

        mapping: how to go over the seeds; a thread pool's `map` draws them side by side.
        """

        def draw(seed: int) -> Rounds:
            return self.draw_block(self.arrays, self.arms, BLOCK, stream("rounds", self.name, seed, block))

        drawn = mapping(draw, seeds.tolist())
        return Rounds(*(np.stack(parts) for parts in zip(*drawn, strict=True)))


def load_game(path: Path) -> Game:
    """Read a frozen game; raise InputError naming the file when it is missing, damaged or not a game."""
    arrays = load_arrays(path)
    facts = load_provenance(path)["facts"]
    if "kind" not in facts:
        raise InputError(f"{path} is not an environment: its .json names no kind of game.")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"{path}: array {name!r} holds NaN or infinity; build the environment again.")
    draw_block = importlib.import_module(f"manybandits.environments.{facts['kind']}").draw_block
    return Game(sha256(path), facts, arrays, int(facts["users"]), int(facts["arms"]), draw_block)


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
