"""What neural policies share: the features of a game, the history of observations, and the training of networks.

The papers train "every 10 rounds in the first 1,000 and every 100 rounds afterwards" (M-CNB, Configurations) and
say no more. Under the protocol ``paper``, a training is `steps` Adam steps on the mean of (f(x) - r)^2 / 2 over `batch`
observations each, drawn uniformly from the replica's history: by default 500 gradients, as many for every neural
method. Networks with the scale of NeuralUCB's paper descend on a penalised loss instead, see `_descent`.
Other papers train more often: the options `early`, `until` and `late` set the schedule.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, FirstObservations, Option
from manybandits.algorithms.linear._optimism import best
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.networks import Inputs, Weights
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import Batches, train
from manybandits.numerics.samplers import normal

if TYPE_CHECKING:
    from torch import Tensor

WIDTH = Option("width", 100, "units of a hidden layer, m", low=1, structural=True)
LAYERS = Option("layers", 2, "layers, L", low=2, high=10, structural=True)
RATE = Option("rate", 0.001, "step size of training", low=0.0, structural=True)
STEPS = Option("steps", 10, "steps of a training", low=0, structural=True)
BATCH = Option("batch", 50, "observations of a step", low=1, structural=True)
SCHEDULE = 10, 1000, 100
"""Every 10 rounds up to round 1,000, every 100 afterwards."""
EARLY = Option("early", SCHEDULE[0], "rounds between trainings at first", low=1, structural=True)
UNTIL = Option("until", SCHEDULE[1], "the last round of this first phase", low=0, structural=True)
LATE = Option("late", SCHEDULE[2], "rounds between trainings afterwards", low=1, structural=True)
TRAINING = (WIDTH, LAYERS, RATE, STEPS, BATCH, EARLY, UNTIL, LATE)
PIECE = 10
"""Steps whose observations are in memory at a time: those of 100 steps with 50 images are 16 MB per network."""


def numbers_of(options: Columns, like: Tensor) -> dict[str, Tensor]:
    """Return the options that are numbers, (R,) each, with the precision and on the device of another tensor."""
    return {name: torch.as_tensor(values).to(like) for name, values in options.items() if values.dtype.kind != "U"}


def trains_in(t: int, schedule: tuple[int, int, int] = SCHEDULE) -> bool:
    """Return whether networks are trained after round t = 1, 2, ... schedule: early, until and late."""
    early, until, late = schedule
    return t % early == 0 if t <= until else t % late == 0


class Tables(NamedTuple):
    """The features of a game. The context of an arm is item_table[item] followed by user_table[rater]."""

    item: Tensor  # (I, d)
    user: Tensor  # (U, d'), d' may be 0
    served: Tensor  # (n, d''): features of the users served; d'' = 0 if the game has none
    shifts: int = 1  # K if arm k is the item of the round from entry k on, else 1

    @property
    def constant(self) -> bool:
        """Whether snapshots leave them out, see `manybandits.harness.snapshots`."""
        return True

    def contexts(self, items: Tensor, raters: Tensor) -> Tensor:
        """Return contexts, (..., d + d'), before they are shifted. items, raters: (...,)."""
        if self.user.shape[1] == 0:
            return self.item[items]
        return torch.cat([self.item[items], self.user[raters]], dim=-1)

    def shifted(self, x: Tensor, places: Tensor) -> Tensor:
        """Return contexts of d + K - 1 entries, which hold x, (..., d), from entry `places`, (...,), on."""
        long = x.new_zeros((*x.shape[:-1], x.shape[-1] + self.shifts - 1))
        return long.scatter_(-1, places.unsqueeze(-1) + torch.arange(x.shape[-1], device=x.device), x)


def tables_of(
    arrays: Mapping[str, np.ndarray], device: str, precision: torch.dtype | None = None, shifts: int = 1
) -> Tables:
    """Return the tables of a game on a device; raise InputError if there is no such device.

    precision: of their numbers (default: single); shifts: as in `Tables`.
    """
    parts = arrays["item_table"], arrays["user_table"], arrays.get("served_table", np.zeros((1, 0)))
    if device != "cpu" and not (device.startswith("cuda") and torch.cuda.is_available()):
        raise InputError(f"device is {device!r}, which this machine does not have: give cpu, or cuda with a GPU.")
    item, user, served = (torch.as_tensor(part).to(device, precision or torch.float32) for part in parts)
    return Tables(item, user, served, shifts)


class View(NamedTuple):
    """A round t = 1, 2, ... as R replicas see it: the arms, and the users to whom they are presented."""

    t: int
    users: Tensor  # (R, K)
    items: Tensor  # (R, K), or (R, 1) if the arms are blocks
    raters: Tensor
    inputs: Inputs  # the contexts of the K arms

    @property
    def user(self) -> Tensor:
        """The user served, (R,), in games that present all arms of a round to one user."""
        return self.users[:, 0]


def view_of(tables: Tables, t: int, users: Tensor, items: Tensor, raters: Tensor, blocks: int) -> View:
    """Return the view of a round. users, items, raters: (R, K). With several blocks the arms share an item."""
    if blocks > 1:
        items, raters = items[:, :1], raters[:, :1]
    x = tables.contexts(items, raters)
    if tables.shifts > 1:
        x = tables.shifted(x, torch.arange(tables.shifts, device=x.device).expand(x.shape[:2]))
    return View(t, users, items, raters, Inputs(x))


class History:
    """The observations of R replicas: the context that was played, the user, and the reward, for every round.

    first: the number of observations before the first round that there is room for.
    """

    def __init__(self, replicas: int, horizon: int, tables: Tables, first: int = 0) -> None:
        device, room = tables.item.device, horizon + first
        self.tables = tables
        self.length = 0
        self.with_served = False  # whether a context ends with the features of the user served
        self.item, self.rater, self.block, self.user = (
            torch.zeros((replicas, room), dtype=torch.int32, device=device) for _ in range(4)
        )
        self.reward = torch.zeros((replicas, room), dtype=tables.item.dtype, device=device)
        self.rows = torch.arange(replicas, device=device)

    def append(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Add the observation of a round. arm, reward: (R,)."""
        at = self.length
        in_blocks = view.items.shape[1] == 1
        place = torch.zeros_like(arm) if in_blocks else arm
        self.item[:, at] = view.items[self.rows, place].int()
        self.rater[:, at] = view.raters[self.rows, place].int()
        self.block[:, at] = arm.int() if in_blocks or self.tables.shifts > 1 else 0
        self.user[:, at] = view.users[self.rows, arm].int()
        self.reward[:, at] = reward
        self.length += 1

    def append_all(self, first: FirstObservations) -> None:
        """Add an observation of every user with data, in the order of `first`, which holds tensors (R, n)."""
        count = int((first.users[0] >= 0).sum())  # the same in all replicas
        at = slice(self.length, self.length + count)
        columns = (first.items, first.raters, first.places, first.users, first.rewards)
        for column, values in zip(self.tensors, columns, strict=True):
            column[:, at] = values[:, :count].to(column)
        self.length += count

    def rounds(self, places: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return x, (R, ..., d), and block, user and reward, (R, ...), of some rounds. places: (R, ...), from 0."""
        flat = places.flatten(1)
        item, rater, block, user = (
            column.gather(1, flat).view_as(places).long() for column in (self.item, self.rater, self.block, self.user)
        )
        x = self.tables.contexts(item, rater)
        if self.tables.shifts > 1:
            x, block = self.tables.shifted(x, block), torch.zeros_like(block)
        if self.with_served:
            x = torch.cat([x, self.tables.served[user]], dim=-1)
        return x, block, user, self.reward.gather(1, flat).view_as(places)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return self.item, self.rater, self.block, self.user, self.reward


def only(user: Tensor, users: int) -> Tensor:
    """Return groups that contain only the user served, (R, n) bool. user: (R,)."""
    return torch.arange(users, device=user.device) == user.unsqueeze(1)


@part(inlined=False)
def store(members: np.ndarray, place: int, stored: np.ndarray, count: np.ndarray) -> None:
    """Add the round `place` to the rounds that the users in `members`, (R, n) bool, have stored."""
    for r in range(members.shape[0]):
        for u in range(members.shape[1]):
            if members[r, u]:
                stored[r, u, count[r, u]] = place
                count[r, u] += 1


class Training:
    """Training of some networks by Adam, with those of an algorithm's options that concern it."""

    gain = 1.0  # what rewards are divided by before a network learns them

    def __init__(self, options: Columns, weights: Weights) -> None:
        self.weights = weights
        self.rate = float(options["rate"][0])
        self.schedule = int(options["early"][0]), int(options["until"][0]), int(options["late"][0])
        self.steps, self.batch = int(options["steps"][0]), int(options["batch"][0])

    @cached_property
    def adam(self) -> Adam:
        """The optimiser, which other trainings do without."""
        return Adam.over(self.weights)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return self.adam.tensors

    def due(self, t: int) -> bool:
        """Return whether networks are trained after round t = 1, 2, ..."""
        return trains_in(t, self.schedule)

    def run(self, history: History, random: np.ndarray) -> None:
        """Train the networks on draws from the whole history: each on the rounds of its user, a single one on all."""
        if self.batch == 0:
            places = np.tile(np.arange(history.length), (len(random), 1))
        else:
            places = np.empty((len(random), self.steps * self.batch), np.int64)
            draw_places(random, history.length, places)
        self.run_on(history, places[:, None])

    def run_on(self, history: History, places: np.ndarray) -> None:
        """Train on the rounds `places`, (R, n, S B): S steps of B rounds for each of n networks with separate training.

        The optimiser treats such networks as R n replicas with one network. With batch 0, places are (R, n, Q), and all
        S steps are on all Q rounds.
        """
        batch = self.batch or places.shape[2]
        count, passes = (PIECE * batch, 1) if self.batch else (batch, self.steps)
        for first in range(0, places.shape[2], count):
            piece = torch.as_tensor(places[:, :, first : first + count], device=self.weights[0].device)
            x, block, user, reward = (part.flatten(0, 1) for part in history.rounds(piece))
            learner = user if self.weights[0].shape[1] > 1 else torch.zeros_like(user)
            order = torch.arange(piece.shape[2], device=x.device).view(-1, batch).repeat(passes, 1)
            size = torch.full((len(x),), batch, device=x.device)
            self.step(Batches(learner, x, block, reward, order.expand(len(x), -1, -1), size), history)

    def step(self, batches: Batches, history: History) -> None:
        """Take one step per batch of rounds from the history."""
        train(self.weights, self.adam, batches, self.rate)


def arms_of(values: Tensor, random: np.ndarray, diverged: np.ndarray) -> Tensor:
    """Return the best arm of every replica, (R,), with ties broken by its own stream. values: (R, K).

    A replica with a value that is NaN or infinite is marked in `diverged`, (R,) bool, and plays its first arm.
    """
    chosen = np.empty(len(values), np.int64)
    _best_of_each(values.double().cpu().numpy(), random, chosen, diverged)
    return torch.as_tensor(chosen, device=values.device)


@part(inlined=False)
def _best_of_each(values: np.ndarray, random: np.ndarray, chosen: np.ndarray, diverged: np.ndarray) -> None:
    for r in range(len(chosen)):
        if np.isfinite(values[r]).all():
            chosen[r] = best(values[r], random[r])
        else:
            chosen[r], diverged[r] = 0, True


def normals(random: np.ndarray, count: int, like: Tensor) -> Tensor:
    """Draw from the standard normal distribution, (R, count), each replica from its own stream."""
    drawn = np.empty((len(random), count))
    _draw_normals(random, drawn)
    return torch.as_tensor(drawn).to(like)


@part(inlined=False)
def _draw_normals(random: np.ndarray, drawn: np.ndarray) -> None:
    for r in range(drawn.shape[0]):
        for q in range(drawn.shape[1]):
            drawn[r, q] = normal(random[r])


@part(inlined=False)
def draw_places(random: np.ndarray, count: int, places: np.ndarray) -> None:
    """Fill places, (R, Q), with numbers from 0, ..., count - 1, each replica from its own stream."""
    for r in range(places.shape[0]):
        for q in range(places.shape[1]):
            places[r, q] = below(random[r], count)
