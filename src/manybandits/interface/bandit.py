"""One decision at a time: `load` an algorithm, `Bandit.choose` and `Bandit.learn`, `Bandit.save` and `restore`.

    import manybandits as mb

    bandit = mb.load("lnucb_ta", users=50, dimension=10, arms=10, alpha=1)
    arm = bandit.choose(user, contexts)             # contexts: (K, d), a row per arm
    bandit.learn(user, contexts, arm, reward)
    bandit.save("bandit.npz")
    bandit = mb.restore("bandit.npz")               # decides as the saved one would have

What runs in the experiments runs here: the same state and the same functions, for one replica. On the rounds of a game,
and with its number of users, items and rounds, a bandit makes the choices of the run with the same seed. M-CNB and
Meta-Ban take an observation of every user before round 1 of a game, which a bandit does not have: their option
``first_data`` is none here.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits import __version__
from manybandits.algorithms import contract
from manybandits.algorithms.contract import Problem
from manybandits.base.artifacts import load_arrays, load_facts, save_arrays
from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.base.limits import LARGEST
from manybandits.base.sources import digest
from manybandits.interface.compiled_replica import CompiledReplica
from manybandits.interface.extras import load_algorithm
from manybandits.numerics import collinear
from manybandits.results.run_table import describe

if TYPE_CHECKING:
    from manybandits.interface.neural_replica import NeuralReplica

KIND = "bandit"
"""The fact ``kind`` of a saved bandit."""
SCALE = "give finite numbers, scaled to about 1"
"""What to do about contexts that are NaN or too large."""
Rows = np.ndarray | Sequence[Any]
"""Numbers as an array, or as lists of them."""
NO_DATA = "none"
"""The value of the option ``first_data`` of an algorithm without observations before round 1."""


class Bandit:
    """An algorithm that serves one user at a time; `load` and `restore` return it.

    Attributes
    ----------
    algorithm : its name; title : its name in figures.
    users, arms, items, dimension : the sizes it was loaded with.
    horizon : the most observations that it can learn from, None if there is no limit.
    options : the value of every option.
    observations : the number of observations that it has learned from, t - 1.

    A bandit is not safe to use from several threads at once.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        """Start a bandit. facts: as `load` makes and checks them."""
        self._facts = dict(facts)
        self.algorithm, self.options = str(facts["algorithm"]), dict(facts["options"])
        self.users, self.arms, self.items = int(facts["users"]), int(facts["arms"]), int(facts["items"])
        self.dimension, horizon = int(facts["dimension"]), int(facts["horizon"])
        self.observations = 0
        module = _module(self.algorithm)
        self.title = str(module.TITLE)
        problem = Problem(self.users, self.items, self.arms, self.dimension, horizon)
        self._replica = _replica_kind(module)(module, problem, self.options, int(self._facts["seed"]))
        self._choose, self._learn = self._replica.choose, self._replica.learn
        self.horizon = horizon if self._replica.limited else None
        self._places = np.arange(self.arms, dtype=np.int32)
        # The usual shape of contexts; none if every choice must say what the arms offer.
        self._shape: tuple[int, ...] = (self.arms, self.dimension) if self.items == self.arms else ()

    def choose(self, user: int, contexts: Rows, items: Rows | None = None) -> int:
        """Return the arm to play, from 0 to K - 1.

        user: from 0 to users - 1; contexts: (K, d), a row for each of 1 to `arms` arms; items: (K,), the item that each
        arm offers, from 0 to items - 1; only needed if the bandit was loaded with more items than arms. Otherwise item
        k is arm k.

        Ties are broken at random, from the stream of the seed. Choices that are not followed by an observation change
        nothing else. Raises InputError if a shape, a user or an item is wrong, a context is NaN or too large, or the
        networks diverged.
        """
        contexts = _numbers("contexts", contexts)
        shape: tuple[int, ...] = contexts.shape
        if shape != self._shape and (len(shape) != 2 or shape[1] != self.dimension or not 0 < shape[0] <= self.arms):
            raise InputError(
                f"contexts have the shape {shape}; give a row of {self.dimension} numbers for each of up to "
                f"{self.arms} arms."
            )
        if type(user) is not int or not 0 <= user < self.users:
            user = _whole("user", user, 0, self.users - 1)
        offered = self._places if shape == self._shape and items is None else self._offered(shape[0], items)
        try:
            arm = self._choose(self.observations + 1, user, offered, contexts)
        except (Uncomputable, np.linalg.LinAlgError):
            raise self._uncomputable() from None
        if arm < 0:
            raise InputError(f"contexts of user {user} hold NaN, or a number beyond {LARGEST:g}: {SCALE}.")
        self._check()
        return arm

    def choose_many(self, users: Sequence[int], contexts: Rows, items: Rows | None = None) -> np.ndarray:
        """Return the arms to play for several users, (n,) int64, one `choose` after another.

        users: (n,); contexts: (n, K, d); items: (n, K), as `choose` takes them. Raises InputError as `choose` does, or
        if there is not one of each per user.
        """
        each = _of_each_user(users=users, contexts=contexts, items=items)
        return np.array([self.choose(*given) for given in each], np.int64)

    def learn_many(
        self,
        users: Sequence[int],
        contexts: Rows,
        arms: Sequence[int],
        rewards: Sequence[float],
        items: Rows | None = None,
    ) -> None:
        """Learn from the rewards of several users, one `learn` after another.

        users, arms, rewards: (n,); contexts: (n, K, d) or (n, d), and items: (n, K), as `learn` takes them. Raises
        InputError as `learn` does, having learned what comes before, or if there is not one of each per user.
        """
        for given in _of_each_user(users=users, contexts=contexts, arms=arms, rewards=rewards, items=items):
            self.learn(*given)

    def probabilities(self, user: int, contexts: Rows, items: Rows | None = None, draws: int = 1000) -> np.ndarray:
        """Return how often `choose` would return each arm now, (K,), which sums to 1.

        user, contexts, items: as `choose` takes them; draws: how often it is called. Probabilities of policies that
        draw, as Thompson sampling and epsilon-greedy do, are frequencies with a standard error of up to
        0.5 / sqrt(draws). The bandit is left as it was. Raises InputError as `choose` does.
        """
        _whole("draws", draws, 1)
        with self.unchanged():
            chosen = [self.choose(user, contexts, items) for _ in range(draws)]
        return np.bincount(chosen, minlength=len(contexts)) / draws

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """Forget at the end of a block what the bandit drew and learned inside it."""
        kept = {name: array.copy() for name, array in self._replica.arrays().items()}
        observations = self.observations
        try:
            yield
        finally:
            self._replica.set(kept)
            self.observations = observations

    def learn(self, user: int, contexts: Rows, arm: int, reward: float, items: Rows | None = None) -> None:
        """Learn from the reward of the arm that was played.

        user: the user served; contexts: (K, d) as given to `choose`, or (d,), the context of the arm alone; arm: the
        arm that was played; reward: what it paid; items: (K,) as given to `choose`.

        Rewards may come late and in any order: each is learned with the state of the moment, and LOCB and COFIBA learn
        with the clusters of their latest choice. Networks learn what was not their latest choice as a round with this
        arm alone. In an experiment every choice is followed by its observation. Raises InputError, without learning,
        if a shape, a user, an arm or an item is wrong, if a number is NaN or too large, if there is no room for another
        observation, or if the networks diverged.
        """
        contexts = _numbers("contexts", contexts)
        alone = self.arms if items is None else len(items)
        count = len(contexts) if contexts.ndim == 2 else alone
        if contexts.ndim not in (1, 2) or contexts.shape[-1] != self.dimension or not 0 < count <= self.arms:
            raise InputError(
                f"contexts have the shape {contexts.shape}; give those of all arms, rows of {self.dimension} numbers, "
                "or the row of the arm that was played."
            )
        if type(user) is not int or not 0 <= user < self.users:
            user = _whole("user", user, 0, self.users - 1)
        if type(arm) is not int or not 0 <= arm < count:
            arm = _whole("arm", arm, 0, count - 1)
        if type(reward) is not float:
            reward = _real("reward", reward)
        if self.horizon is not None and self.observations >= self.horizon:
            raise InputError(
                f"{self.title} was loaded with room for {self.horizon:,} observations and has learned from as many: "
                "load it with a larger horizon."
            )
        usual = items is None and self.items == self.arms
        item = arm if usual else int(self._offered(count, items)[arm])
        context = contexts if contexts.ndim == 1 else contexts[arm]
        self._check()
        try:
            learned = self._learn(self.observations + 1, user, item, context, reward)
        except (Uncomputable, np.linalg.LinAlgError):
            raise self._uncomputable() from None
        if not learned:
            raise InputError(
                f"the context or the reward of user {user} is NaN, or a number beyond {LARGEST:g}: {SCALE}."
            )
        self.observations += 1

    def _uncomputable(self) -> InputError:
        """Return the error for a regression in which rounding errors are all that is left."""
        state = getattr(self._replica, "state", None)
        return InputError(f"{self.title}: {collinear.sentence(collinear.fault_of(state))}")

    def _check(self) -> None:
        """Raise InputError if the networks diverged."""
        diverged = self._replica.diverged
        if diverged is not None and diverged.any():
            raise InputError(
                f"the networks of {self.title} diverged: restore a bandit that was saved before, or load one with a "
                "smaller step size and give contexts of a smaller scale."
            )

    def _offered(self, count: int, items: Rows | None) -> np.ndarray:
        """Return the items of the arms, (K,) int32; raise InputError if one is not an item."""
        if items is None:
            if self.items > self.arms:
                raise InputError(
                    f"{self.title} was loaded with {self.items:,} items for {self.arms} arms: give items, the item "
                    "that each arm offers."
                )
            return self._places[:count]
        given = np.asarray(items)
        if isinstance(items, np.ma.MaskedArray):
            raise InputError("items are a masked array: leave out the arms that are masked.")
        if given.shape != (count,) or given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= self.items:
            raise InputError(
                f"items are {items!r}; give a whole number from 0 to {self.items - 1} for each of the {count} arms."
            )
        return np.ascontiguousarray(given, np.int32)

    def save(self, path: str | Path) -> None:
        """Write the bandit to a file (.npz) with all that it has learned; `restore` reads it. The file is no pickle.

        A choice whose reward it has not learned is not saved.
        """
        path = Path(path)
        if path.suffix != ".npz":
            raise InputError(f"{path} does not end with .npz: give a name that does.")
        save_arrays(path, self._replica.arrays(), {**self._facts, "observations": self.observations})

    def __reduce__(self) -> str:
        """Refuse to be pickled: its compiled functions cannot be, and a file of data alone is safe to read."""
        raise InputError("a bandit is no pickle: write it by its method save, and read it by manybandits.restore.")

    def __repr__(self) -> str:
        """Return the bandit in one line."""
        words = f"{self.users} users, {self.observations:,} observations"
        return f"<Bandit {self.title} ({describe(self.options)}) for {words}>"


def load(
    algorithm: str | Path,
    *,
    users: int = 1,
    dimension: int,
    arms: int = 10,
    items: int | None = None,
    horizon: int = 10_000,
    seed: int = 0,
    **options: Any,
) -> Bandit:
    """Return an algorithm before its first observation, for one decision at a time.

    Parameters
    ----------
    algorithm : the name of an algorithm that serves one user per round, such as "club", "lnucb_ta" or "m_cnb".
    users : the number of users.
    dimension : d, the numbers of a context.
    arms : K, the most arms of a round.
    items : the number of items, if arms offer items of a catalogue; by default items are the arms.
    horizon : the most observations for algorithms that store all of them, as nearest neighbours do, or that plan for a
        number of rounds. Others learn without end, see `Bandit.horizon`.
    seed : of the stream that the algorithm draws from.
    **options : hyper-parameters by name; others have their default. ``lambda_`` is lambda.

    Raises InputError if a name or value is wrong, or if the algorithm cannot serve one user at a time. The first call
    for an algorithm compiles it, which takes some seconds; later ones, also in other processes, take what was compiled.
    Algorithms of networks need PyTorch, which then computes on one thread in the whole process.
    """
    module = _module(str(algorithm))
    sizes = {"users": users, "dimension": dimension, "arms": arms, "items": arms if items is None else items}
    for name, size in {**sizes, "horizon": horizon}.items():
        _whole(name, size, 1)
    if sizes["items"] < arms:
        raise InputError(f"items is {items}, fewer than the {arms} arms of a round: give at least as many.")
    _whole("seed", seed, 0)
    given = {name.removesuffix("_"): value for name, value in options.items()}
    return Bandit(
        {
            "kind": KIND,
            "version": __version__,
            "algorithm": str(algorithm),
            "sources": digest(module.__name__),
            **{name: int(size) for name, size in sizes.items()},
            "horizon": int(horizon),
            "seed": int(seed),
            "options": _complete(module, given, str(algorithm)),
        }
    )


def restore(path: str | Path, algorithm: str | None = None) -> Bandit:
    """Return the bandit that `Bandit.save` wrote to a file. It decides as the saved one would have, to the last bit.

    algorithm: the name of the algorithm that is expected, if any. Raises InputError naming the file if it is missing,
    damaged, not a saved bandit, or saved by other code than this version's, and if it holds another algorithm.
    """
    path = Path(path)
    facts, arrays = load_facts(path), load_arrays(path)
    if facts.get("kind") != KIND:
        raise InputError(f"{path} is not a saved bandit: give a file that `save` wrote.")
    if algorithm not in (None, facts["algorithm"]):
        raise InputError(f"{path} holds a bandit of {facts['algorithm']}, not of {algorithm}: give another file.")
    module = _module(facts["algorithm"])
    if facts["sources"] != digest(module.__name__):
        raise InputError(
            f"{path} was saved by other code of {module.TITLE}, of manybandits {facts['version']}; this is "
            f"{__version__}: restore it with the code that saved it, or let a new bandit learn."
        )
    facts.pop("digest")
    observations = int(facts.pop("observations"))
    bandit = Bandit(facts)
    known = bandit._replica.arrays()
    if {name: array.shape for name, array in known.items()} != {name: array.shape for name, array in arrays.items()}:
        raise InputError(f"{path} does not hold the state of {module.TITLE}: the file is damaged; use a copy of it.")
    bandit._replica.set(arrays)
    bandit.observations = observations
    return bandit


def _module(name: str) -> ModuleType:
    """Return an algorithm; raise InputError if it is unknown or cannot serve one user at a time."""
    module = load_algorithm(name)
    if hasattr(module, "choose_all"):
        raise InputError(
            f"{module.TITLE} decides for all agents at once, so it cannot serve one user at a time: choose another "
            "algorithm."
        )
    return module


def _replica_kind(module: ModuleType) -> type[CompiledReplica | NeuralReplica]:
    """Return the class of a replica of an algorithm, compiled or of networks."""
    if not hasattr(module, "Policy"):
        return CompiledReplica
    from manybandits.interface.neural_replica import NeuralReplica  # here, because importing torch takes a second

    return NeuralReplica


def _complete(module: ModuleType, given: Mapping[str, Any], algorithm: str) -> dict[str, float | int | str]:
    """Return all options. No user has an observation before the first choice, whatever the default of a game is."""
    if "first_data" in {option.name for option in module.OPTIONS}:
        if given.get("first_data", NO_DATA) != NO_DATA:
            raise InputError(
                f"first_data is {given['first_data']!r}, but a bandit has no observations before its first choice: "
                "leave it out, and let the bandit learn an observation of every user first."
            )
        given = {**given, "first_data": NO_DATA}
    return contract.complete(module, given, algorithm)


def _numbers(name: str, values: Any) -> np.ndarray:
    """Return values as an array of numbers, C-contiguous float64; raise InputError if they are none, or masked."""
    if type(values) is np.ndarray and values.dtype == np.float64 and values.flags.c_contiguous:
        return values
    if isinstance(values, np.ma.MaskedArray):
        raise InputError(f"{name} are a masked array: fill in what is masked, or leave the arm out.")
    if hasattr(values, "detach"):  # a tensor of torch, which may have a gradient, be on a GPU, or of half precision
        values = values.detach().cpu()
        values = values.double() if values.is_floating_point() else values
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "cmM":
            return np.ascontiguousarray(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} are not an array of numbers ({error}): give one row per arm.") from error
    raise InputError(f"{name} hold {found.dtype}: give real numbers, one row per arm.")


def _of_each_user(**given: Any) -> Iterator[tuple[Any, ...]]:
    """Return what each user has of several arguments; of one that was not given, None.

    Raises InputError if the arguments are not equally many.
    """
    lengths = {name: len(values) for name, values in given.items() if values is not None}
    if len(set(lengths.values())) > 1:
        words = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise InputError(f"there are {words}: give one of each per user.")
    return zip(*(itertools.repeat(None) if values is None else values for values in given.values()), strict=False)


def _whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return a whole number; raise InputError if it is none, or not from `least` to `most`."""
    try:
        number = operator.index(value)  # pyrefly: ignore[bad-argument-type]
    except TypeError:
        number = least - 1
    if number < least or (most is not None and number > most):
        span = f"{least} on" if most is None else f"{least} to {most}"
        raise InputError(f"{name} is {value!r}; give a whole number from {span}.")
    return number


def _real(name: str, value: Any) -> float:
    """Return a number as a float; raise InputError if it is none."""
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {value!r}; give a number.") from error
