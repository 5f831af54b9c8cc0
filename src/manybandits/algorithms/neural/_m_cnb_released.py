"""M-CNB as its authors' code plays it, which differs from the text in most lines of the algorithm.

    every 10th round, for the arms in turn
        N_i     = {v : |f(x_i; theta_v) - f(x_i; theta_u)| < gamma}, and if these are more than n / 5, that many draws
        Theta   takes up to 100 steps of gradient descent, each on one observation of one of N_i
    a_t         = argmax_i  f(x_i; Theta_i) + sqrt(1e-4) |g(x_i; Theta_i)| + 1e-4 / sqrt(mu_u)

where Theta_i is the meta-learner after the steps for arm i: every arm starts from the network of the arm before it,
and the round ends with the network of the last arm, not of the arm played. In other rounds all arms have the same
network. Only the user served stores the observation. When networks are trained (see `_learning`), its network takes up
to 500 steps on its own data, and Theta up to 1,000 steps of Adam on the data of all users (section 4 of the text speaks
of such a training, Algorithm 1 has none).

Networks have biases, and each has its own initial weights, drawn as in PyTorch. Where our sources are silent, Adam
starts anew with every training, and a step of the meta-learner draws a member of the group that has data, then one of
its observations.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from manybandits.algorithms.contract import Columns, Problem
from manybandits.algorithms.neural._dead import share_of_dead_units
from manybandits.algorithms.neural._learning import (
    History,
    Tables,
    View,
    arms_of,
    only,
    store,
    train_as_released,
    trains_in,
)
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.networks import (
    Factors,
    Inputs,
    climb,
    factors,
    initial_weights,
    learner_weights,
    squared_length,
)
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import outputs_of_all

META_STEPS, META_RATE, ADAM_STEPS, ADAM_RATE = 100, 0.01, 1000, 1e-3
SHARE = 5
"""A group has at most one user in `SHARE`."""
EXPLORATION = 1e-4


class Released:
    """R replicas of M-CNB as released."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        replicas, users = len(random), problem.users
        self.random = random
        self.diverged = np.zeros(replicas, np.bool_)
        weights = initial_weights(
            random,
            1 + users,
            problem.dimension,
            blocks=problem.blocks,
            width=int(options["width"][0]),
            layers=int(options["layers"][0]),
            as_released=True,
            like=tables.item,
        )
        self.meta = tuple(layer[:, :1].clone() for layer in weights)
        self.users = tuple(layer[:, 1:].clone() for layer in weights)
        self.gamma = torch.as_tensor(options["gamma"]).to(tables.item)
        self.history = History(replicas, problem.horizon, tables)
        self.stored = np.zeros((replicas, users, problem.horizon), np.int32)
        self.count = np.zeros((replicas, users), np.int64)
        self.members: Tensor

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        stored = torch.from_numpy(self.stored), torch.from_numpy(self.count)
        return (*self.meta, *self.users, *self.history.tensors, *stored)

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units of the meta-learner, (R,)."""
        return share_of_dead_units(self.meta, self.history, None, self.meta[-1].shape[2] - 1)

    def select(self, view: View) -> Tensor:
        """Return the arm that every replica plays, (R,)."""
        opinions = outputs_of_all(self.users, view.inputs)
        own = opinions.gather(1, view.users.unsqueeze(1))
        self.members = (opinions - own).abs() < self.gamma[:, None, None]
        found = []
        for arm in range(opinions.shape[2]):
            if view.t % 10 == 0:
                self.adapt(self.members[:, :, arm])
            at = factors(learner_weights(self.meta, None), given_of(view, arm))
            found.append(at.value[:, 0] + EXPLORATION**0.5 * squared_length(at)[:, 0].sqrt())
        known = torch.from_numpy(self.count).to(view.users.device).gather(1, view.users).clamp(min=1)
        values = torch.stack(found, dim=1) + (EXPLORATION / known.sqrt()).to(found[0].dtype)
        return arms_of(values, self.random, self.diverged)

    def adapt(self, members: Tensor) -> None:
        """Take steps with the meta-learner on observations of the members of a group, (R, n) bool."""
        places = np.zeros((len(members), META_STEPS), np.int64)
        informed = draw(self.random, members.cpu().numpy(), self.stored, self.count, places)
        x, block, _, reward = self.history.rounds(torch.from_numpy(places).to(members.device))
        moving = torch.from_numpy(informed).to(members.device).to(x.dtype).unsqueeze(1)
        own = learner_weights(self.meta, None)
        for step in range(META_STEPS):
            at: Factors = factors(own, Inputs(x[:, step : step + 1], block[:, step : step + 1]))
            error = at.value - reward[:, step : step + 1]
            climb(own, at, -2.0 * META_RATE * error * moving)

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the group of the arm played, (R, n) bool. arm: (R,)."""
        return self.members[self.history.rows, :, arm]

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Take the rewards, (R,), of the arms that were played, (R,)."""
        place, served = self.history.length, view.users[self.history.rows, arm]
        self.history.append(view, arm, reward)
        store(only(served, self.count.shape[1]).cpu().numpy(), place, self.stored, self.count)
        if trains_in(view.t):
            train_as_released(self.users, self.history, self.random, served)
            adam = Adam.over(self.meta)
            train_as_released(self.meta, self.history, self.random, None, ADAM_STEPS, ADAM_RATE, adam)


def given_of(view: View, arm: int) -> Inputs:
    """Return the context of one arm, Q = 1."""
    place = arm if view.items.shape[1] > 1 else 0
    block = torch.full_like(view.user, arm if view.items.shape[1] == 1 else 0).unsqueeze(1)
    return Inputs(view.inputs.x[:, place : place + 1], block)


@part(inlined=False)
def draw(
    random: np.ndarray, members: np.ndarray, stored: np.ndarray, count: np.ndarray, places: np.ndarray
) -> np.ndarray:
    """Fill places, (R, S), with rounds that members, (R, n), of a group stored; return whether there are any, (R,)."""
    replicas, users = members.shape
    informed = np.zeros(replicas, np.bool_)
    most = max(1, users // SHARE)
    for r in range(replicas):
        group = np.flatnonzero(members[r])
        if len(group) > most:
            drawn = np.empty(most, np.int64)
            for i in range(most):
                drawn[i] = group[below(random[r], len(group))]
            group = drawn
        with_data = group[count[r][group] > 0]
        informed[r] = len(with_data) > 0
        if informed[r]:
            for s in range(places.shape[1]):
                u = with_data[below(random[r], len(with_data))]
                places[r, s] = stored[r, u, below(random[r], count[r, u])]
    return informed
