"""Plain twins as algorithms: they play the rounds of the fast forms, one replica after another, as Python.

A `TwinAlgorithm` has the attributes of an algorithm's module, so that tuning, checkpoints and run tables are those of
`manybandits.harness.play`. The loops of all kinds of games are those of their kernels, run as Python.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.contract import Problem
from manybandits.algorithms.plain._twin import First, Twin
from manybandits.base.artifacts import Provenance, check_writable
from manybandits.base.sources import digest
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import Curves
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.objects import Ticket, contexts_of, copy_of
from manybandits.harness.play import play_game
from manybandits.harness.spec import PlaySpec
from manybandits.harness.summary import summary_line
from manybandits.results.run_table import save_run

DECLARED = ("REFERENCE", "OPTIONS", "RANDOMISED", "MODEL_PER_USER")
"""What a twin has from the module of its fast form, if that has it."""
ASKED = {"value": "by_user", "choose_all": "choose_all", "learn_all": "learn_all"}
"""The functions for which games ask whether an algorithm has them -> what a twin then has."""


class TwinAlgorithm:
    """A plain twin, with the attributes of an algorithm's module; raise InputError naming the nearest one."""

    def __init__(self, name: str) -> None:
        self.twin = plain.load(name)
        fast = catalogue.load(name.removeprefix(plain.PREFIX))
        self.__name__, self.TITLE = self.twin.__module__, f"{fast.TITLE}, plain"
        for declared in DECLARED:
            if hasattr(fast, declared):
                setattr(self, declared, getattr(fast, declared))
        for function, asked in ASKED.items():
            if getattr(self.twin, asked, False):
                setattr(self, function, getattr(self, f"_{function}"))
        self.waiting: list[Callable[..., Twin]] = []
        self.playing: dict[int, Twin] = {}
        self.items: np.ndarray | None = None  # (I, d'): if contexts are references, the blocks that they refer to
        self.dimension = 0

    def start(self, problem: Problem, options: Mapping[str, Any], random: np.ndarray) -> Ticket:
        """Return the state of one replica, which is made when it is first played."""
        self.items, self.dimension = problem.log and problem.log.features.array, problem.dimension
        self.waiting.append(functools.partial(self.twin, problem, options, random))
        return Ticket(np.array(len(self.waiting) - 1))

    def make(self, number: int, first: First = (), features: np.ndarray | None = None) -> Twin:
        """Return the twin of a ticket, which is made now if it was not made before."""
        if number not in self.playing:
            self.playing[number] = self.waiting[number](first=first, features=features)
        return self.playing[number]

    def python_kernel(self, kernel: ModuleType) -> Callable[..., None]:
        """Return the function `play` of a kernel as Python runs it, for stacked tickets in place of states."""
        return copy_of(
            kernel,
            replica=lambda states, r: self.make(int(states.number[r])),
            borrow=lambda array: array,
            best=lambda values, random: random.best(values.tolist()),
            choose=self._choose,
            learn=self._learn,
            value=self._value,
            choose_all=self._choose_all,
            learn_all=self._learn_all,
        )

    def _written_out(self, contexts: np.ndarray) -> np.ndarray:
        """Return a copy of contexts, (K, d) float64, in which block contexts are written out."""
        if self.items is None:
            return contexts.astype(np.float64)
        rows = np.zeros((len(contexts), self.dimension // self.items.shape[1], self.items.shape[1]))
        rows[np.arange(len(contexts)), contexts[:, 2]] = self.items[contexts[:, 1]]
        return rows.reshape(len(contexts), -1)

    def _choose(self, twin: Twin, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        return twin.choose(t, int(user), items, self._written_out(contexts))

    def _learn(self, twin: Twin, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        if twin.problem.each_arm_its_user:
            twin.arm = int(item)  # the game chose it by `_value`, and items are places
        twin.learn(t, int(user), int(item), self._written_out(context[None])[0], float(reward))

    def _value(
        self, twin: Twin, t: int, user: int, items: np.ndarray, contexts: np.ndarray, values: np.ndarray
    ) -> None:
        values[:] = twin.values(t, int(user), items, self._written_out(contexts))

    def _choose_all(self, twin: Any, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
        chosen[:] = twin.choose_all(t, contexts.copy())

    def _learn_all(self, twin: Any, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
        twin.learn_all(t, contexts.copy(), chosen.copy(), rewards.copy())


@dataclass(frozen=True)
class GameOfTwins(UserGame):
    """A game that serves one user per round, whose twins get what is observed before round 1."""

    def play(self, algorithm: Any, state: Any, batch: Batch) -> Curves:
        """Play a batch of replicas."""
        features = self.arrays.get("served_table")
        for number, stream in zip(state.number, batch.stream, strict=True):
            first = self.first_of(int(batch.drawn[stream])) if algorithm.twin.observes_first else ()
            algorithm.make(int(number), first, features)
        return super().play(algorithm, state, batch)

    def first_of(self, seed: int) -> First:
        """Return one observation of each user that has data, before round 1."""
        drawn = self.first_observations(np.array([seed]))
        found = []
        for user, item, rater, _, reward, place in zip(*(part[0] for part in drawn), strict=True):
            if user >= 0:
                offered = np.full(self.arms, item), np.full(self.arms, rater)
                found.append((int(user), contexts_of(self, *offered)[place], float(reward)))
        return found


def for_twins(game: Game) -> Game:
    """Return a game as twins play it."""
    if not isinstance(game, UserGame):
        return game
    return GameOfTwins(**{field.name: getattr(game, field.name) for field in fields(UserGame)})


def play_twin(environment: Path, spec: PlaySpec, out: Path) -> str:
    """Play the frozen game in a file with a twin, write the run table to `out`, and return a summary of the play."""
    check_writable(out)
    algorithm, game = TwinAlgorithm(spec.algorithm), for_twins(load_game(environment))
    provenance, where = Provenance({}, (environment,)), f"{spec.algorithm} on {environment.name}"
    played = play_game(game, algorithm, spec, where, sources=digest(algorithm.__name__))
    provenance.settings = played.settings
    save_run(out, played.table, {**played.settings, "environment": game.facts}, played.facts)
    provenance.save(out, costs=played.costs)
    return summary_line(str(played.settings["title"]), played.table, played.points, played.chosen, game.nan_reason, out)
