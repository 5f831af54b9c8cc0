"""The user learners of M-CNB: a network theta_u for every user, which says to whose cluster the user belongs.

    step      theta_u takes one step on the observation of the round          Algorithm 1, lines 15 and 16
    history   theta_u is trained on all that u has stored, whenever networks are trained      section 4; section 6

A training of all users has the budget that NeuralUCB has for one network (see `_learning`): `steps` steps, for which
the users share `batch` draws; each draws at least one, from its own observations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import Columns
from manybandits.algorithms.neural._learning import History
from manybandits.numerics.networks import Weights
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import Batches, adam_step, descend_alone, train

if TYPE_CHECKING:
    from torch import Tensor


class Users:
    """The networks of n users in each of R replicas. weights: (R, n, ...) each layer, changed in place."""

    def __init__(self, options: Columns, weights: Weights) -> None:
        self.weights = weights
        self.by_adam = str(options["user_optimiser"][0]) == "adam"
        self.adam = Adam.over(weights)
        self.rate = float(options["user_rate"][0])
        self.batch = max(1, int(options["batch"][0]) // weights[0].shape[1])
        self.draws = int(options["steps"][0]) * self.batch  # of a user in a training

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*self.weights, *self.adam.tensors)

    def step(self, members: Tensor, x: Tensor, block: Tensor, reward: Tensor) -> None:
        """Take one step with the networks in `members`, (R, n) bool. x: (R, d); block, reward: (R,)."""
        if self.by_adam:
            adam_step(self.weights, self.adam, members, x, block, reward, self.rate)
            return
        users = members.shape[1]
        x, block, reward = (part.repeat_interleave(users, 0).unsqueeze(1) for part in (x, block, reward))
        self.descend_or_train(x, block, reward, 1, members)

    def train(self, history: History, places: np.ndarray, batch: int, informed: Tensor) -> None:
        """Train every user of `informed`, (R, n) bool, on the rounds `places`, (R, n, Q), in Q / batch steps."""
        given = history.rounds(torch.as_tensor(places, device=informed.device))
        x, block, _, reward = (part.flatten(0, 1) for part in given)
        self.descend_or_train(x, block, reward, batch, informed)

    def descend_or_train(self, x: Tensor, block: Tensor, reward: Tensor, batch: int, moving: Tensor) -> None:
        """Take steps of `batch` observations each with R n networks. x: (R n, Q, d); moving: (R, n)."""
        order = torch.arange(x.shape[1], device=x.device).view(-1, batch).expand(len(x), -1, -1)
        given = Batches(torch.zeros_like(block), x, block, reward, order, batch * moving.flatten().long())
        apart = _apart(self.weights)
        if self.by_adam:
            moments = _apart(self.adam.first), _apart(self.adam.second)
            train(apart, Adam(*moments, self.adam.steps.view(-1, 1)), given, self.rate)
        else:
            descend_alone(apart, given, self.rate)


def _apart(layers: Weights) -> Weights:
    """Return the same networks as R n replicas with one network, without a copy."""
    return tuple(layer.flatten(0, 1).unsqueeze(1) for layer in layers)
