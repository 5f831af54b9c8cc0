"""M-CNB: clusters of neural bandits, and a meta-learner that adapts to the cluster of each arm.

Source: Ban, Qi, Wei, Liu and He 2024, *Meta clustering of neural bandits*, Algorithms 1 and 2.

    N_i   = {v : |f(x_i; theta_v) - f(x_i; theta_u)| <= (nu - 1) / nu gamma}                    Algorithm 1, line 7
    T_i   = Theta - eta_2 mean over v in N_i of (f(x_v; Theta) - r_v) g(x_v; Theta)             Algorithm 2
    a_t   = argmax_i  f(x_i; T_i) + alpha (|g(x_i; T_i) - g(x_i; theta_0)| / m^(1/4)
                                          + sqrt((S + 1) / (2 mu_u)) + sqrt(2 ln(1 / delta) / mu_u))       line 9

Then Theta becomes T_i of the arm played (line 13), and every user of its cluster takes a step on the observation
and stores it (lines 14 to 18). Here u is the user served, theta_v the network of user v, mu_v the number of
observations that v has stored, and (x_v, r_v) one draw from them. All networks start at the same weights (line 2).

The K networks T_i differ from Theta by a gradient of at most n samples, so they are never built (see `Shift`).

All user networks start equal, so that all users are in one cluster, and those of a cluster take the same step. As
Algorithm 1 is written, user networks therefore stay equal, and the cluster is always all users. The networks then
decide nothing and are not stored. Two options differ from the text: with `learners` = served, only the user served
learns and stores; with `first` = own, every user has its own initial weights. The authors' code does both.

Protocol ``released``: see `_m_cnb_released`.

Where the paper is silent: users step by Adam and the meta-learner by plain gradient descent; alpha, which the
paper tunes and Algorithm 1 does not have, multiplies the bonus; a member draws once per round, for all arms in
whose cluster it is. "Observe one data for each u" (line 3) takes no round: a user without data draws nothing and
has mu = 1.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from manybandits.algorithms.contract import ALPHA, Columns, Option, Problem, script
from manybandits.algorithms.neural._learning import (
    LAYERS,
    WIDTH,
    History,
    Tables,
    View,
    arms_of,
    numbers_of,
    only,
    store,
)
from manybandits.algorithms.neural._m_cnb_released import Released
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.networks import Inputs, Shift, climb, factors, factors_of, initial_weights, squared_distance
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import adam_step, outputs_of_all

TITLE = "M-CNB"
REFERENCE = "Ban et al. 2024, Algorithms 1 and 2"
OPTIONS = (
    ALPHA,
    Option("nu", 5.0, "how far a cluster reaches, in (0, gamma) (Configurations)", low=1.0),
    Option("gamma", 0.4, "gap between clusters (Configurations)", low=0.0),
    Option("S", 1.0, "norm parameter of the bonus (Configurations)", low=0.0),
    Option("delta", 0.1, "confidence level (not stated)", low=1e-12, high=1.0),
    Option("user_rate", 0.001, "eta_1, Adam's step size for users (not stated)", low=0.0, structural=True),
    Option("meta_rate", 0.01, "eta_2, step size of the meta-learner (not stated)", low=0.0),
    Option("learners", "cluster", "who takes a step on an observation", words=("cluster", "served"), structural=True),
    Option("first", "same", "the users' initial weights", words=("same", "own"), structural=True),
    WIDTH,
    LAYERS,
)
RELEASED = (
    "groups within gamma, adapted to every tenth round by up to 100 steps an arm, one after the other; fixed bonus; "
    "only the user served learns; the meta-learner is also trained on everybody's data"
)


def Policy(problem: Problem, options: Columns, released: bool, random: np.ndarray, tables: Tables) -> Paper | Released:
    """Return R replicas of M-CNB, as the text or as the authors' code plays it."""
    return (Released if released else Paper)(problem, options, random, tables)


class Paper:
    """R replicas of M-CNB."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        users, replicas = problem.users, len(random)
        self.random = random
        self.diverged = np.zeros(len(random), np.bool_)
        width = int(options["width"][0])
        own = str(options["first"][0]) == "own"
        self.start = initial_weights(
            random,
            1 + users * own,
            problem.dimension,
            blocks=problem.blocks,
            width=width,
            layers=int(options["layers"][0]),
            like=tables.item,
        )
        self.meta = tuple(layer[:, 0].clone() for layer in self.start)
        self.all_learn = str(options["learners"][0]) == "cluster"
        self.alike = self.all_learn and not own
        kept = 0 if self.alike else users
        self.users = tuple(
            (layer[:, 1:] if own else layer.expand(-1, kept, *layer.shape[2:])).clone() for layer in self.start
        )
        self.adam = Adam.over(self.users)
        self.history = History(replicas, problem.horizon, tables)
        self.stored = np.zeros((replicas, users, problem.horizon), np.int32)
        self.count = np.zeros((replicas, users), np.int64)
        self.drawn = np.zeros((replicas, users), np.int64)
        given = numbers_of(options, tables.item)
        self.reach = (given["nu"] - 1.0) / given["nu"] * given["gamma"]
        self.alpha, self.meta_rate, self.user_rate = given["alpha"], given["meta_rate"], float(options["user_rate"][0])
        self.doubt = ((given["S"] + 1.0) / 2.0).sqrt() + (-2.0 * given["delta"].log()).sqrt()
        self.root = width**0.25
        self.members: Tensor
        self.shift: Shift

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        stored = tuple(map(torch.from_numpy, (self.stored, self.count, self.drawn)))
        return (*self.start, *self.meta, *self.users, *self.adam.tensors, *self.history.tensors, *stored)

    def select(self, view: View) -> Tensor:
        """Return the arm that every replica plays, (R,)."""
        rows = self.history.rows
        self.members = self.clusters(view)
        self.shift = self.adapt()
        meta = factors(self.meta, view.inputs, self.shift)
        first = None if self.start[0].shape[1] == 1 else view.user + 1
        change = squared_distance(meta, factors_of(self.start, first, view.inputs)).sqrt()
        known = torch.from_numpy(self.count).to(rows.device)[rows, view.user].clamp(min=1).to(change.dtype)
        bonus = change / self.root + (self.doubt / known.sqrt()).unsqueeze(1)
        return arms_of(meta.value + self.alpha.unsqueeze(1) * bonus, self.random, self.diverged)

    def clusters(self, view: View) -> Tensor:
        """Return who is in the cluster of every arm, (R, n, K) bool (line 7)."""
        if self.alike:
            arms = max(view.items.shape[1], self.meta[0].shape[1])
            return torch.ones((*self.count.shape, arms), dtype=torch.bool, device=view.user.device)
        opinions = outputs_of_all(self.users, view.inputs)
        own = opinions[self.history.rows, view.user].unsqueeze(1)
        return (opinions - own).abs() <= self.reach[:, None, None]

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the cluster of the arm played, (R, n) bool. arm: (R,)."""
        return self.members[self.history.rows, :, arm]

    def adapt(self) -> Shift:
        """Return the change of the meta-learner for the cluster of every arm (Algorithm 2)."""
        draw(self.random, self.stored, self.count, self.drawn)
        places = torch.from_numpy(self.drawn).to(self.history.rows.device)
        x, block, _, reward = self.history.rounds(places)
        samples = factors(self.meta, Inputs(x, block))
        error = samples.value - reward
        informed = (torch.from_numpy(self.count).to(places.device) > 0).to(error.dtype)
        clusters = (self.members * informed.unsqueeze(2)).transpose(1, 2)  # (R, K, n)
        size = clusters.sum(2, keepdim=True).clamp(min=1.0)
        return Shift(samples, clusters * (self.meta_rate[:, None] * error).unsqueeze(1) / size)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Take the rewards, (R,), of the arms that were played, (R,)."""
        rows = self.history.rows
        climb(self.meta, self.shift.samples, -self.shift.coefficients[rows, arm])
        learners = self.cluster(view, arm) if self.all_learn else only(view.user, self.count.shape[1])
        place = self.history.length
        self.history.append(view, arm, reward)
        if not self.alike:
            x, block, _, _ = self.history.rounds(torch.full_like(arm, place).unsqueeze(1))
            adam_step(self.users, self.adam, learners, x[:, 0], block[:, 0], reward, self.user_rate)
        store(learners.cpu().numpy(), place, self.stored, self.count)


@part(inlined=False)
def draw(random: np.ndarray, stored: np.ndarray, count: np.ndarray, drawn: np.ndarray) -> None:
    """Fill drawn, (R, n), with a random one of the rounds that each user has stored, 0 if there is none."""
    for r in range(drawn.shape[0]):
        for u in range(drawn.shape[1]):
            drawn[r, u] = stored[r, u, below(random[r], count[r, u])] if count[r, u] > 0 else 0


if __name__ == "__main__":
    script(__file__)
