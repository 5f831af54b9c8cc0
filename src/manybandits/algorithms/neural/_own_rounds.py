"""Which observations are whose: a list of rounds for each user, and random draws from the lists.

Users without data share learner 0; the others are learners 1, 2, ... in the order of their first observation. The
rounds of a learner are a linked list, so that memory grows with rounds and not with users times rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from manybandits.compiling.parts import part
from manybandits.numerics.draws import below

if TYPE_CHECKING:
    from torch import Tensor


class Draws(NamedTuple):
    """Observations of one learner per replica: all of them if they fit into a batch, else draws with replacement."""

    rounds: Tensor  # (R, Q): the observations drawn, each once
    order: Tensor  # (R, S, B): which of the Q make up each of S steps
    size: Tensor  # (R,): how many of the B are used
    used: Tensor  # (R,): how many of the S B are the data of all steps: those of one step if all steps have the same


class OwnRounds:
    """The lists of R replicas."""

    def __init__(self, replicas: int, users: int, rounds: int, random: np.ndarray, device: torch.device) -> None:
        self.random, self.device = random, device
        self.learner = np.zeros((replicas, users), np.int64)  # of every user
        self.known = np.zeros(replicas, np.int64)  # users with data
        self.last = np.full((replicas, users + 1), -1, np.int32)  # the last round of every learner, and
        self.before = np.zeros((replicas, rounds), np.int32)  # the round of the same learner before a round
        self.count = np.zeros((replicas, users + 1), np.int64)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return tuple(map(torch.from_numpy, (self.learner, self.known, self.last, self.before, self.count)))

    @property
    def lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.last, self.before, self.count

    def add(self, users: np.ndarray, place: int) -> np.ndarray:
        """Add the round `place` to the lists of users, (R,), and return their learners, (R,)."""
        served = np.empty(len(users), np.int64)
        _add(users, place, self.learner, self.known, served, *self.lists)
        return served

    def draws(self, served: np.ndarray, steps: int, batch: int) -> Draws:
        """Return observations of the learners served, (R,), for some steps."""
        replicas = len(served)
        rounds = np.zeros((replicas, steps * batch), np.int64)
        order = np.zeros((replicas, steps, batch), np.int64)
        size, used = np.zeros(replicas, np.int64), np.zeros(replicas, np.int64)
        _draw(self.random, served, *self.lists, rounds, order, size, used)
        arrays = rounds[:, : order.max(initial=-1) + 1], order, size, used
        return Draws(*(torch.from_numpy(array).to(self.device) for array in arrays))

    def draws_of_groups(self, members: np.ndarray, steps: int, batch: int, means: bool) -> tuple[Tensor, Tensor]:
        """Return rounds of the members of groups, and the weight of each in the loss of eq. 5, (R, K, S, B).

        members: (R, K, n) bool, learners with data. All rounds of a group if they fit into a batch, else draws with
        replacement. means: each member's loss is the mean over its data, and the loss is the mean over the members; if
        not, both are sums.
        """
        rounds = np.zeros((*members.shape[:2], steps, batch), np.int64)
        weights = np.zeros(rounds.shape)
        _draw_of_groups(self.random, members, *self.lists, means, rounds, weights)
        return torch.from_numpy(rounds).to(self.device), torch.from_numpy(weights).to(self.device)

    def one_of_all(self, served: np.ndarray) -> np.ndarray:
        """Return a random round of the learners served, (R,), or -1, the time before the first."""
        chosen = np.empty(len(served), np.int64)
        _draw_one(self.random, served, *self.lists, chosen)
        return chosen

    def newest_is_drawn(self, served: np.ndarray) -> np.ndarray:
        """Return whether a uniform draw from all weights that the learners served have had is the newest, (R,) bool."""
        drawn = np.empty(len(served), np.bool_)
        _draw_newest(self.random, served, self.count, drawn)
        return drawn


@part(inlined=False)
def _add(
    users: np.ndarray,
    place: int,
    learner: np.ndarray,
    known: np.ndarray,
    served: np.ndarray,
    last: np.ndarray,
    before: np.ndarray,
    count: np.ndarray,
) -> None:
    for r in range(len(users)):
        if learner[r, users[r]] == 0:
            known[r] += 1
            learner[r, users[r]] = known[r]
        u = learner[r, users[r]]
        served[r] = u
        before[r, place] = last[r, u]
        last[r, u] = place
        count[r, u] += 1


@part(inlined=False)
def _draw(
    random: np.ndarray,
    served: np.ndarray,
    last: np.ndarray,
    before: np.ndarray,
    count: np.ndarray,
    rounds: np.ndarray,
    order: np.ndarray,
    size: np.ndarray,
    used: np.ndarray,
) -> None:
    """Fill the fields of `Draws`, each replica from its own stream."""
    steps, batch = order.shape[1:]
    for r in range(len(served)):
        own = list_of(served[r], last[r], before[r], count[r])
        size[r] = min(len(own), batch)
        used[r] = len(own) if len(own) <= batch and steps > 0 else steps * batch
        row_of, count_drawn = np.full(len(own), -1), 0
        for s in range(steps):
            for b in range(size[r]):
                drawn = b if len(own) <= batch else below(random[r], len(own))
                if row_of[drawn] < 0:
                    row_of[drawn] = count_drawn
                    rounds[r, count_drawn] = own[drawn]
                    count_drawn += 1
                order[r, s, b] = row_of[drawn]


@part(inlined=False)
def _draw_of_groups(
    random: np.ndarray,
    members: np.ndarray,
    last: np.ndarray,
    before: np.ndarray,
    count: np.ndarray,
    means: bool,
    rounds: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Fill rounds and weights, each replica from its own stream. With `means` a member is drawn, then its round."""
    steps, batch = rounds.shape[2:]
    for r in range(members.shape[0]):
        for k in range(members.shape[1]):
            group = np.flatnonzero(members[r, k])
            ends = np.cumsum(count[r][group])
            total = ends[-1] if len(group) > 0 else 0
            if total <= batch:
                b = 0
                for u in group:
                    for place in list_of(u, last[r], before[r], count[r]):
                        rounds[r, k, :, b] = place
                        weights[r, k, :, b] = 1.0 / (len(group) * count[r, u]) if means else 1.0
                        b += 1
                continue
            for s in range(steps):
                for b in range(batch):
                    if means:
                        u = group[below(random[r], len(group))]
                        back = below(random[r], count[r, u])
                    else:
                        back = below(random[r], total)
                        m = np.searchsorted(ends, back, side="right")
                        u = group[m]
                        back -= ends[m] - count[r, u]
                    place = last[r, u]
                    for _ in range(back):
                        place = before[r, place]
                    rounds[r, k, s, b] = place
                    weights[r, k, s, b] = (1.0 if means else total) / batch


@part(inlined=False)
def _draw_one(
    random: np.ndarray, served: np.ndarray, last: np.ndarray, before: np.ndarray, count: np.ndarray, chosen: np.ndarray
) -> None:
    for r in range(len(served)):
        own = list_of(served[r], last[r], before[r], count[r])
        place = below(random[r], len(own) + 1)
        chosen[r] = own[place] if place < len(own) else -1


@part(inlined=False)
def _draw_newest(random: np.ndarray, served: np.ndarray, count: np.ndarray, drawn: np.ndarray) -> None:
    for r in range(len(served)):
        drawn[r] = below(random[r], count[r, served[r]] + 1) == 0


@part(inlined=False)
def list_of(u: int, last: np.ndarray, before: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return the rounds of learner u of one replica, the latest first."""
    rounds = np.empty(count[u], np.int64)
    place = last[u]
    for i in range(len(rounds)):
        rounds[i] = place
        place = before[place]
    return rounds
