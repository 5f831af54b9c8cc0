"""Plain Python objects as algorithms: an object with ``choose(user, contexts)`` and ``learn(user, context, reward)``.

An object plays the same rounds as compiled and neural algorithms, one replica after another, a call of Python for every
round. `PlainAlgorithm` has the attributes of an algorithm's module, so that tuning, checkpoints and run tables are
those of `manybandits.harness.play`. Logs are replayed and networks explored by the loops of their kernels, run as
Python; in games of users and of instances, `GameOfObjects` wraps the game and makes the contexts of a round at once,
which is several times as fast.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import inspect
import operator
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from manybandits.algorithms.contract import Problem
from manybandits.base.exceptions import InputError, nearest
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.curves import Curves, RunningTotals
from manybandits.environments.kinds.exploration import ExplorationGame
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.environments.kinds.users import UserGame

FACTS = ("users", "arms", "items", "dimension", "horizon", "seed", "problem")
"""The facts about a game and a replica that a class or function gets if it has a parameter of this name."""


@dataclass(frozen=True)
class Keyword:
    """An option of a plain algorithm: a keyword of its class. Any number or word is accepted."""

    name: str
    default: Any = None
    structural: bool = False

    def check(self, value: object, where: str) -> float | int | str:
        """Return `value`; raise InputError if it is neither a number nor a word."""
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, bool) or not isinstance(plain, int | float | str):
            raise InputError(f"{where}: {self.name} is {value!r}; give a number or a word, or a list of them to tune.")
        return plain


class Ticket(NamedTuple):
    """The state of a replica: the number of the policy that plays it."""

    number: np.ndarray  # () int


@dataclass
class PlainAlgorithm:
    """A plain algorithm, with the attributes of an algorithm's module.

    policy: an object with ``choose`` and ``learn``, of which every replica plays a copy; or a class or function that
    returns one, which is called for every replica (and once more for a trial of a few rounds). It gets by keyword those
    of `FACTS` that it has parameters for, and the options; a parameter ``**options`` takes any option.
    given: the names of the options that are played.
    """

    policy: Any
    given: Sequence[str] = ()
    TITLE: str = ""
    REFERENCE: str = "a Python object"
    OPTIONS: tuple[Keyword, ...] = ()
    waiting: list[Callable[[], Any]] = field(default_factory=list)
    seconds: float = 0.0  # in rounds so far, without the drawing of rounds

    def __post_init__(self) -> None:
        """Check the policy; raise InputError if it is not one, or if it has no parameter for an option."""
        self.TITLE = self.TITLE or self.name
        parameters = self._parameters()
        if not self.makes:
            check_policy(self.policy)
            if self.given:
                raise InputError(
                    f"{self.name} is an object that was made already, so it takes no option {self.given[0]!r}: give "
                    "its class, or a function that returns it."
                )
            return
        open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        for name in self.given:
            if name in FACTS or not (open_ended or name in parameters):
                own = [known for known in parameters if known not in FACTS]
                raise InputError(f"{self.name} has no option {name!r}; {nearest(name, own)}")
        required = [
            name
            for name, one in parameters.items()
            if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
        ]
        for name in required:
            if name not in FACTS and name not in self.given:
                raise InputError(
                    f"{self.name} needs {name!r}: give a value, such as {name}=1, or give the parameter a default. "
                    f"Those that are known of a game are {', '.join(FACTS)}."
                )
        self.OPTIONS = tuple(Keyword(name) for name in self.given)

    @property
    def makes(self) -> bool:
        """Whether the policy is a class or a function that returns one."""
        return isinstance(self.policy, type | functools.partial) or inspect.isroutine(self.policy)

    @property
    def name(self) -> str:
        """The name of the class, or of the function that makes the object."""
        return str(getattr(self.policy, "__name__", type(self.policy).__name__))

    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        """Return the parameters of the class or function; none if it does not tell them."""
        try:
            return inspect.signature(self.policy).parameters
        except (TypeError, ValueError):
            return {}

    def start(self, problem: Problem, options: Mapping[str, Any], random: np.ndarray) -> Ticket:
        """Return the state of one replica before the first round. The object is made when the replica is played."""
        self.waiting.append(functools.partial(self.make, problem, options, int(random[0]) % 2**32))
        return Ticket(np.array(len(self.waiting) - 1))

    def make(self, problem: Problem, options: Mapping[str, Any], seed: int) -> Any:
        """Return a policy for one replica. seed: below 2^32, for what the policy draws."""
        if not self.makes:
            return copy.deepcopy(self.policy)
        parameters = self._parameters()
        known = {name: getattr(problem, name) for name in ("users", "arms", "items", "dimension", "horizon")}
        known |= {"seed": seed, "problem": problem}
        told = {name: value for name, value in known.items() if name in parameters}
        return check_policy(self.policy(**told, **options), self.name)

    def python_kernel(self, kernel: ModuleType) -> Callable[..., None]:
        """Return the function `play` of a kernel as Python runs it, for stacked tickets in place of states."""

        def choose(policy: Any, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
            return _checked(policy.choose(int(user), contexts.astype(np.float64)), len(contexts), self.TITLE, t)

        def learn(policy: Any, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
            policy.learn(int(user), context.astype(np.float64), float(reward))

        rounds = copy_of(
            kernel,
            replica=lambda states, r: self.waiting[states.number[r]](),
            borrow=lambda array: array,
            choose=choose,
            learn=learn,
        )

        def play(*given: Any) -> None:
            began = time.perf_counter()
            rounds(*given)
            self.seconds += time.perf_counter() - began

        return play

    def policies(self, state: Ticket) -> list[Any]:
        """Return the policies of R replicas. state: stacked tickets."""
        made = [self.waiting[number]() for number in state.number]
        self.waiting.clear()
        return made


def copy_of(kernel: ModuleType, **functions: Callable[..., Any]) -> Callable[..., None]:
    """Return the function `play` of a copy of a kernel, which Python runs with other functions than compiled ones."""
    spec = importlib.util.find_spec(kernel.__name__)
    assert spec is not None
    assert spec.loader is not None
    loop = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loop)
    vars(loop).update(functions)
    play: Callable[..., None] = loop.play
    return play


def check_policy(policy: Any, maker: str = "") -> Any:
    """Return a policy; raise InputError if it lacks ``choose`` or ``learn``. maker: the function that returned it."""
    for name in ("choose", "learn"):
        if not callable(getattr(policy, name, None)):
            what = f"{maker} returned a {type(policy).__name__}, which" if maker else type(policy).__name__
            raise InputError(
                f"{what} has no method {name!r}: a policy has choose(user, contexts), which returns the arm, and "
                "learn(user, context, reward)."
            )
    return policy


def for_objects(game: Game) -> Game:
    """Return a game as plain objects play it; raise InputError if it does not serve one user per round."""
    name = game.facts["name"]
    if isinstance(game, UserGame) and game.each_arm_its_user:
        raise InputError(
            f"{name} presents each arm to a user of its own, which Python objects cannot play: give a game with user = "
            "class or hidden."
        )
    if isinstance(game, ReplayGame) and game.learns_from_all:
        raise InputError(
            f"{name} lets policies learn from arms that they did not choose, which Python objects cannot: freeze it "
            "with learn = matched."
        )
    if isinstance(game, ReplayGame | ExplorationGame):
        return game
    if isinstance(game, UserGame | InstanceGame):
        return GameOfObjects(game.name, game.facts, game.arrays, game)
    raise InputError(
        f"{name} does not serve one user per round, so Python objects cannot play it: give them a game such as "
        "synthetic, or write the algorithm as a file."
    )


@dataclass(frozen=True)
class GameOfObjects(Game):
    """A game of users or instances, as plain objects play it. Its rounds are those of `game`."""

    game: Any = None  # UserGame or InstanceGame

    def check(self) -> None:
        """Raise InputError unless the facts and the arrays agree."""
        self.game.check()

    @property
    def max_horizon(self) -> int | None:
        """Return the number of rounds if the game has only so many, else None."""
        return self.game.max_horizon

    def problem(self, algorithm: ModuleType, horizon: int, seeds: np.ndarray) -> Problem:
        """Return what a policy may know of the game. Block contexts are always written out."""
        game = self.game
        items = game.arms if isinstance(game, InstanceGame) or game.step else game.items
        blocks = 1 if isinstance(game, InstanceGame) else game.blocks
        return Problem(game.users, items, game.arms, game.dimension * blocks, horizon, blocks=blocks)

    def play(self, algorithm: Any, state: Any, batch: Batch) -> Curves:
        """Play a batch of replicas, one after the other in every block of rounds."""
        policies, draw = algorithm.policies(state), _drawer(self.game, batch)
        totals = RunningTotals(batch, self.game.arms if isinstance(self.game, InstanceGame) else self.game.lasting_arms)
        for block in batch.blocks(BLOCK):
            served, contexts_of, rewards, counted, expected = draw(block.number, block.length)
            chosen = np.empty((batch.replicas, block.length), np.int64)
            began = time.perf_counter()
            for r, policy in enumerate(policies):
                s = batch.stream[r]
                for b in range(block.length):
                    user, contexts = int(served[s, b]), contexts_of(s, b)
                    arm = _checked(policy.choose(user, contexts), len(contexts), algorithm.TITLE, block.done + b + 1)
                    policy.learn(user, contexts[arm], float(rewards[s, b, arm]))
                    chosen[r, b] = arm
                    batch.tell(1)
            algorithm.seconds += time.perf_counter() - began
            totals.add(block, counted, expected, chosen)
        return totals.curves


def _drawer(game: UserGame | InstanceGame, batch: Batch) -> Callable[[int, int], tuple[Any, ...]]:
    """Return a function of the number and the length of a block, which draws its rounds.

    It returns users, (S, B); a function of seed and round that returns the contexts, (K, d) float64; the rewards, the
    rewards that count, and the expected rewards that count, (S, B, K).
    """
    if isinstance(game, InstanceGame):
        population = game.population(batch.drawn)

        def arrivals(number: int, length: int) -> tuple[Any, ...]:
            drawn = game.rounds(population, batch.drawn, number, length)
            counted = game.counted(drawn)

            def contexts(s: int, b: int) -> np.ndarray:
                return np.tile(drawn.contexts[s, b], (game.arms, 1))

            return drawn.users, contexts, drawn.rewards, counted.rewards, counted.expected

        return arrivals

    def rounds(number: int, length: int) -> tuple[Any, ...]:
        # pyrefly: ignore[bad-argument-type, missing-argument]
        users, items, raters, rewards, expected = (part[:, :length] for part in game.rounds(batch.drawn, number))

        def contexts(s: int, b: int) -> np.ndarray:
            return contexts_of(game, items[s, b], raters[s, b])

        return users[:, :, 0], contexts, rewards, rewards, expected

    return rounds


def contexts_of(game: UserGame, items: np.ndarray, raters: np.ndarray) -> np.ndarray:
    """Return the contexts of a round, (K, d) float64, as kernels of games of users write them out."""
    item_table, user_table = game.arrays["item_table"], game.arrays["user_table"]
    rows = item_table[items].astype(np.float64)
    if user_table.shape[1]:
        rows = np.concatenate([rows, user_table[raters]], axis=1)
    if not game.step:
        return rows
    arms, width = rows.shape
    placed = np.zeros((arms, (arms - 1) * game.step + width))
    for k in range(arms):
        placed[k, k * game.step : k * game.step + width] = rows[k]
    return placed


def _checked(arm: Any, arms: int, title: str, t: int) -> int:
    """Return the arm that a policy chose; raise InputError if it is not one of 0, ..., arms - 1."""
    try:
        place = operator.index(arm)
    except TypeError:
        place = -1
    if not 0 <= place < arms:
        raise InputError(
            f"{title} chose {arm!r} in round {t:,}: choose must return a whole number from 0 to {arms - 1}."
        )
    return place
