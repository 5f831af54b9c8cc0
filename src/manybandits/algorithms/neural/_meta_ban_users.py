"""The user learners of Meta-Ban: a network theta_u for every user, trained on all of its data (Algorithm 3).

The weights by which groups are formed are the last ones, or drawn from all that a user has had (line 9). How draws of
several rounds depend on each other is not stated. With `weights` = uniform, the newest of mu + 1 replace the drawn ones
with probability 1 / (mu + 1), which needs no memory; with redrawn, each draw is independent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import Columns
from manybandits.algorithms.neural._learning import History
from manybandits.algorithms.neural._meta_ban_meta import descend
from manybandits.algorithms.neural._own_rounds import OwnRounds
from manybandits.numerics.networks import Inputs, Weights, factors, gradient
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import Batches, train

if TYPE_CHECKING:
    from torch import Tensor


class Users:
    """The networks of R replicas, of learner 0 and those of `OwnRounds`. start: theta_0, (R, ...) each layer."""

    def __init__(self, options: Columns, start: Weights, rounds: int, lists: OwnRounds, history: History) -> None:
        self.start, self.lists, self.history = start, lists, history
        self.kept = str(options["weights"][0])
        self.rate, self.steps = float(options["user_rate"][0]), int(options["user_steps"][0])
        self.by_adam, self.batch = str(options["user_optimiser"][0]) == "adam", int(options["batch"][0])
        learners = lists.count.shape[1]
        self.weights = tuple(layer.unsqueeze(1).repeat(1, learners, *[1] * (layer.dim() - 1)) for layer in start)
        past = rounds if self.kept == "redrawn" else 0
        self.past = tuple(layer.new_zeros((len(layer), past, *layer.shape[1:])) for layer in start)
        # A user's network while it is trained, in memory that is used again: new memory takes as long as a step.
        self.trained = tuple(layer.unsqueeze(1).clone() for layer in start)
        self.adam = Adam.over(self.trained)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return *self.weights, *self.past, *self.trained, *self.adam.tensors

    def train(self, first: Weights, served: np.ndarray) -> Weights:
        """Return the weights of the learners served, (R,), after J_1 steps from `first`, in memory of its own."""
        drawn = self.lists.draws(served, self.steps, self.batch)
        x, block, _, reward = self.history.rounds(drawn.rounds)
        batches = Batches(torch.zeros_like(block), x, block, reward, drawn.order, drawn.size)
        if not self.by_adam:
            return self.descend(first, batches)
        for moments in self.adam.tensors:
            moments.zero_()
        for layer, new in zip(self.trained, first, strict=True):
            layer[:, 0] = new
        train(self.trained, self.adam, batches, self.rate)
        return tuple(layer[:, 0] for layer in self.trained)

    def descend(self, own: Weights, batches: Batches) -> Weights:
        """Return weights after plain gradient steps on the batches that were drawn."""
        rows = self.history.rows.unsqueeze(1)
        counts = torch.arange(self.batch, device=rows.device) < batches.size.unsqueeze(1)
        weight = counts / batches.size.unsqueeze(1)

        def slopes_of(step: int, own: Weights) -> Weights:
            x, block, reward = (part[rows, batches.order[:, step]] for part in batches[1:4])
            at = factors(own, Inputs(x, block))
            return gradient(at, (at.value - reward) * weight.to(reward.dtype), own)

        rate = torch.full((len(rows),), self.rate).to(own[0])
        return descend(own, slopes_of, self.steps, rate)

    def keep(self, own: Weights, served: np.ndarray, place: int) -> None:
        """Keep the weights by which the learners served, (R,), are in groups. own: the newest, of the round `place`."""
        rows = self.history.rows
        learner = torch.from_numpy(served).to(rows.device)
        kept = own
        if self.kept == "uniform":  # those of before stay, unless the newest are drawn
            newest = torch.from_numpy(self.lists.newest_is_drawn(served)).to(rows.device)
            rows, learner, kept = rows[newest], learner[newest], tuple(layer[newest] for layer in own)
        elif self.kept == "redrawn":
            for layer, new in zip(self.past, own, strict=True):
                layer[:, place] = new
            at = torch.from_numpy(self.lists.one_of_all(served)).to(rows.device)
            kept = _where(at < 0, self.start, tuple(layer[rows, at.clamp(min=0)] for layer in self.past))
        for layer, new in zip(self.weights, kept, strict=True):
            layer[rows, learner] = new


def _where(condition: Tensor, one: Weights, other: Weights) -> Weights:
    """Return networks of `one` where the condition, (R,) bool, is true, else of `other`."""
    return tuple(torch.where(condition.view(-1, *[1] * (a.dim() - 1)), a, b) for a, b in zip(one, other, strict=True))
