"""M-CNB: clusters of neural bandits, and a meta-learner that adapts to the cluster of each arm.

Source: Ban, Qi, Wei, Liu and He 2024, *Meta clustering of neural bandits*, Algorithms 1 and 2, which ``plain/m_cnb``
follows line by line. Here R replicas play at once, and less is computed:

* The networks of all users and replicas are batched tensors, whose gradients have a closed form: see `_m_cnb_users`.
* The networks that Theta becomes for the K arms are built only where nothing shorter says what their outputs are: see
  `_m_cnb_meta`.
* What a user has stored are places in a history that all users of a replica share.

    index   f(x_i; T_i) + alpha (|g(x_i; T_i) - g(x_i; theta_0)| / m^(1/4)
                                 + sqrt((S + 1) / (2 mu_u)) + sqrt(2 ln(1 / delta) / mu_u))

Here T_i is Theta, adapted to the cluster of arm i, u the user to whom the arm is presented, and mu_u the number of
observations that u has stored. All networks start at the same weights (line 2). Before the first round, every user has
learned from one observation of its own (line 3), so users differ.

What the text leaves open, or says twice, is an option; its default is the letter of Algorithms 1 and 2 with "Adam for
SGD" (section 6). Of the other values, `learning` = history and `meta_training` = all are section 4's,
`counts` = served is the notation of section 3, and `learners` = served and `first` = own are the authors' code's.
With `samples` above 0 an adaptation takes "a few samples" of the cluster (section 4), however large it is.
alpha, which the paper tunes and Algorithm 1 does not have, multiplies the bonus. Without line 3 (`first_data` = none) a
user without data draws nothing and has mu = 1.

What its authors' code plays is `manybandits.algorithms.released.m_cnb_2024`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import ALPHA, Columns, FirstObservations, Option, Problem, script
from manybandits.algorithms.neural._dead import share_of_dead_units
from manybandits.algorithms.neural._learning import (
    TRAINING,
    History,
    Tables,
    Training,
    View,
    arms_of,
    numbers_of,
    only,
    store,
)
from manybandits.algorithms.neural._m_cnb_meta import Draws, Meta
from manybandits.algorithms.neural._m_cnb_users import Users
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.networks import factors_of, initial_weights, squared_distance
from manybandits.numerics.networks.users import outputs_of_all

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "M-CNB"
REFERENCE = "Ban et al. 2024, Algorithms 1 and 2"
OPTIONS = (
    ALPHA,
    Option("nu", 5.0, "how far a cluster reaches, in (0, gamma) (Configurations)", low=1.0),
    Option("gamma", 0.4, "gap between clusters (Configurations)", low=0.0),
    Option("S", 1.0, "norm parameter of the bonus (Configurations)", low=0.0),
    Option("delta", 0.1, "confidence level (not stated)", low=1e-12, high=1.0),
    Option("first_data", "one", "observations of a user before the rounds", words=("one", "none"), structural=True),
    Option("first", "same", "the users' initial weights", words=("same", "own"), structural=True),
    Option("learning", "step", "what a user learns from", words=("step", "history"), structural=True),
    Option("learners", "cluster", "who learns from an observation", words=("cluster", "served"), structural=True),
    Option("counts", "learned", "the rounds that mu counts", words=("learned", "served"), structural=True),
    Option("user_optimiser", "adam", "how a user's network steps", words=("adam", "plain"), structural=True),
    Option("user_rate", 0.001, "eta_1, step size of users (not stated)", low=0.0, structural=True),
    Option("draws", "arm", "how often a member draws", words=("arm", "round"), structural=True),
    Option("samples", 0, "draws of an adaptation, each by a random member; 0: one by each", low=0, structural=True),
    Option("meta_optimiser", "adam", "how Theta steps (section 6)", words=("adam", "plain"), structural=True),
    Option("meta_rate", 0.001, "eta_2, step size of the meta-learner (not stated)", low=0.0, structural=True),
    Option("meta_steps", 1, "steps of an adaptation", low=1, structural=True),
    Option("meta_training", "none", "on what Theta is trained besides", words=("none", "all"), structural=True),
    *TRAINING,
)


class Policy:
    """R replicas of M-CNB."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        users, replicas = problem.users, len(random)

        def chosen(name: str) -> str:
            return str(options[name][0])

        self.random = random
        self.diverged = np.zeros(replicas, np.bool_)
        width, own = int(options["width"][0]), chosen("first") == "own"
        self.start = initial_weights(
            random,
            1 + users * own,
            problem.dimension,
            blocks=problem.blocks,
            width=width,
            layers=int(options["layers"][0]),
            like=tables.item,
        )
        self.meta = Meta(options, tuple(layer[:, :1] for layer in self.start))
        starts = (layer[:, 1:] if own else layer.expand(-1, users, *layer.shape[2:]) for layer in self.start)
        self.users = Users(options, tuple(layer.clone(memory_format=torch.contiguous_format) for layer in starts))
        self.training = Training(options, self.meta.weights)
        self.with_first, self.meta_trains = chosen("first_data") == "one", chosen("meta_training") == "all"
        self.all_learn, self.by_step = chosen("learners") == "cluster", chosen("learning") == "step"
        self.draws_for_each_arm, self.samples = chosen("draws") == "arm", int(options["samples"][0])
        self.history = History(replicas, problem.horizon, tables, first=users)
        self.stored = np.zeros((replicas, users, problem.horizon + 1), np.int32)  # T_u, places in the history
        self.count = np.zeros((replicas, users), np.int64)
        self.served = np.zeros((replicas, users), np.int64)
        self.mu = self.count if chosen("counts") == "learned" else self.served
        given = numbers_of(options, tables.item)
        self.reach = (given["nu"] - 1.0) / given["nu"] * given["gamma"]
        self.alpha = given["alpha"]
        self.doubt = ((given["S"] + 1.0) / 2.0).sqrt() + (-2.0 * given["delta"].log()).sqrt()
        self.root = width**0.25
        self.members: Tensor

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        counts = tuple(map(torch.from_numpy, (self.stored, self.count, self.served)))
        networks = (*self.start, *self.meta.tensors, *self.users.tensors, *self.training.adam.tensors)
        return (*networks, *self.history.tensors, *counts)

    def observe_first(self, first: FirstObservations) -> None:
        """Take one observation of every user that has data, and learn from it. first: tensors, (R, n)."""
        if not self.with_first:
            return
        place = self.history.length
        self.history.append_all(first)  # Algorithm 1, line 3
        for column in range(self.history.length - place):
            members = only(first.users[:, column], self.count.shape[1]).cpu().numpy()
            store(members, place + column, self.stored, self.count)
            self.served += members
        if self.by_step:
            self.users.train(self.history, self.stored[:, :, :1], 1, self.informed)
        else:
            self.train_users()

    def select(self, view: View) -> Tensor:
        self.members = self.clusters(view)  # Algorithm 1, line 7
        self.sgd_meta(view)  # Algorithm 1, line 8
        return arms_of(self.indices(view), self.random, self.diverged)  # Algorithm 1, line 11

    def clusters(self, view: View) -> Tensor:
        """Return who is in the cluster of every arm, (R, n, K) bool."""
        opinions = outputs_of_all(self.users.weights, view.inputs)
        own = opinions.gather(1, view.users.unsqueeze(1))
        return (opinions - own).abs() <= self.reach[:, None, None]

    def sgd_meta(self, view: View) -> None:
        """Adapt Theta to the cluster of every arm (Algorithm 2)."""
        known = (self.count > 0)[:, None]
        used = np.ascontiguousarray(self.members.transpose(1, 2).cpu().numpy() & known)
        if self.samples:
            rounds, used = self.draw_some(used)
        else:
            rounds = self.draw(used if self.draws_for_each_arm else known, self.meta.steps)  # Algorithm 2: draw (x, r)
        drawn = Draws(*(torch.from_numpy(array).to(self.members.device) for array in (rounds, used)))
        self.meta.adapt(drawn, self.history, view)  # Algorithm 2: steps on the mean of their losses

    def indices(self, view: View) -> Tensor:
        """Return the index of every arm, (R, K) (Algorithm 1, line 9)."""
        meta = self.meta.at(view)
        first = None if self.start[0].shape[1] == 1 else view.users + 1
        change = squared_distance(meta, factors_of(self.start, first, view.inputs)).sqrt()
        known = torch.from_numpy(self.mu).to(change.device).gather(1, view.users).clamp(min=1).to(change.dtype)
        bonus = change / self.root + self.doubt.unsqueeze(1) / known.sqrt()
        return meta.value + self.alpha.unsqueeze(1) * bonus

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the cluster of the arm played, (R, n) bool. arm: (R,)."""
        return self.members[self.history.rows, :, arm]

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        self.meta.keep(arm)  # Algorithm 1, line 13
        served = only(view.users[self.history.rows, arm], self.count.shape[1])
        learners = self.cluster(view, arm) if self.all_learn else served  # Algorithm 1, line 14
        place = self.history.length
        self.history.append(view, arm, reward)
        if self.by_step:
            x, block, _, _ = self.history.rounds(torch.full_like(arm, place).unsqueeze(1))
            self.users.step(learners, x[:, 0], block[:, 0], reward)  # Algorithm 1, lines 15 and 16
        store(learners.cpu().numpy(), place, self.stored, self.count)  # Algorithm 1, line 17
        self.served += served.cpu().numpy()
        if self.training.due(view.t):
            if not self.by_step:
                self.train_users()
            if self.meta_trains:
                self.training.run(self.history, self.random)

    def train_users(self) -> None:
        """Train every user that has data on random ones of them (section 4)."""
        rounds = self.draw((self.count > 0)[:, None], self.users.draws)
        places = np.ascontiguousarray(rounds[:, 0].transpose(0, 2, 1))
        self.users.train(self.history, places, self.users.batch, self.informed)

    def draw(self, drawing: np.ndarray, times: int) -> np.ndarray:
        """Return places of random observations of their own that users draw, (R, A, times, n). drawing: (R, A, n)."""
        replicas, arms, users = drawing.shape
        rounds = np.zeros((replicas, arms, times, users), np.int64)
        draw(self.random, drawing, self.stored, self.count, rounds)
        return rounds

    def draw_some(self, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return places that random members draw, (R, K, S, samples), and which are used, (R, K, samples) bool.

        members: (R, K, n) bool, those of the cluster of every arm that have stored any.
        """
        rounds = np.zeros((*members.shape[:2], self.meta.steps, self.samples), np.int64)
        draw_some(self.random, members, self.stored, self.count, rounds)
        return rounds, np.repeat(members.any(2, keepdims=True), self.samples, 2)

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units of the meta-learner, (R,)."""
        return share_of_dead_units(self.meta.weights, self.history, None, self.meta.weights[-1].shape[2])

    @property
    def informed(self) -> Tensor:
        """Who has stored an observation, (R, n) bool."""
        return torch.from_numpy(self.count > 0).to(self.history.rows.device)


@part(inlined=False)
def draw(random: np.ndarray, drawing: np.ndarray, stored: np.ndarray, count: np.ndarray, rounds: np.ndarray) -> None:
    """Fill rounds, (R, A, S, n), with random ones of those that each user has stored. drawing: (R, A, n), who draws."""
    replicas, arms, steps, users = rounds.shape
    for r in range(replicas):
        for k in range(arms):
            for s in range(steps):
                for u in range(users):
                    if drawing[r, k, u]:
                        rounds[r, k, s, u] = stored[r, u, below(random[r], count[r, u])]


@part(inlined=False)
def draw_some(
    random: np.ndarray, members: np.ndarray, stored: np.ndarray, count: np.ndarray, rounds: np.ndarray
) -> None:
    """Fill rounds, (R, K, S, C): a random member for each draw, with replacement, and a random one of its rounds."""
    replicas, arms, steps, samples = rounds.shape
    for r in range(replicas):
        for k in range(arms):
            known = np.flatnonzero(members[r, k])
            for s in range(steps if len(known) > 0 else 0):
                for c in range(samples):
                    u = known[below(random[r], len(known))]
                    rounds[r, k, s, c] = stored[r, u, below(random[r], count[r, u])]


if __name__ == "__main__":
    script(__file__)
