"""NeuralLinear: one network for all users embeds the arms, and CLUB plays on its last hidden layer.

Source: the baseline of M-CNB (section 6): "a shared neural network is built for all users to get an embedding for
each arm, which is fed into the linear bandit with the clustering procedure", after Zahavy and Mannor 2019 and
Nabati, Zahavy and Mannor 2021.

    z_a   = relu(W_(L-1) ... relu(W_1 x_a))
    a_t   = CLUB's choice among the contexts z_a        (Gentile et al. 2014, Figure 1; see `linear.club`)

The clustering procedure is not named; CLUB is the first of those that the paper compares. The network is trained on
rewards, like that of NeuralUCB. After a training, all observations are embedded anew (`memory` = embedded), as in
the papers it follows, or they keep their first embedding (`memory` = kept).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from manybandits.algorithms import compiled_policy, single_rounds
from manybandits.algorithms.contract import Columns, Option, Problem, script
from manybandits.algorithms.linear import club
from manybandits.algorithms.neural._dead import share_of_dead_units
from manybandits.algorithms.neural._learning import TRAINING, History, Tables, Training, View
from manybandits.compiling.kernels import compiled_kernel
from manybandits.compiling.replicas import stack
from manybandits.numerics.networks import Inputs, factors_of, initial_weights

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "NeuralLinear"
REFERENCE = "Ban et al. 2024, section 6, after Zahavy and Mannor 2019"
MEMORY = Option("memory", "embedded", "embeddings after a training", words=("embedded", "kept"), structural=True)
OPTIONS = (*club.OPTIONS, MEMORY, *TRAINING)
NUMBERS = 2**20
"""Numbers of the contexts that are embedded anew at a time: few enough to stay in the processor's cache."""


class Policy:
    """R replicas of NeuralLinear."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        self.diverged = np.zeros(len(random), np.bool_)
        width = int(options["width"][0])
        self.weights = initial_weights(
            random,
            1,
            problem.dimension,
            blocks=problem.blocks,
            width=width,
            layers=int(options["layers"][0]),
            like=tables.item,
        )
        self.training = Training(options, self.weights)
        self.history = History(len(random), problem.horizon, tables)
        linear = problem._replace(dimension=width)
        settings = ({name: values[r] for name, values in options.items()} for r in range(len(random)))
        states = (club.start(linear, setting, word) for setting, word in zip(settings, random, strict=True))
        self.club = stack(states, len(random))
        self.random = self.club.random  # one stream for both
        self.steps = compiled_kernel(club, single_rounds, compiled_policy)
        self.per_arm_users = problem.each_arm_its_user
        self.embedded_anew = str(options["memory"][0]) == "embedded"
        self.embedding: np.ndarray

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        parts = (part if isinstance(part, tuple) else (part,) for part in self.club)
        linear: Iterator[Any] = itertools.chain.from_iterable(parts)
        flat = (torch.from_numpy(field.view(np.int64) if field.dtype == np.uint64 else field) for field in linear)
        return (*self.weights, *self.training.adam.tensors, *self.history.tensors, *flat)

    def embed(self, given: Inputs) -> np.ndarray:
        """Return the last hidden layer of the network at Q contexts, (R, Q, m) float64."""
        at = factors_of(self.weights, None, given)
        self.diverged |= ~np.isfinite(at.value.cpu().numpy()).all(axis=1)
        return np.nan_to_num(at.inputs[-1].double().cpu().numpy())

    def select(self, view: View) -> Tensor:
        self.embedding = self.embed(view.inputs)
        chosen = np.empty(len(self.embedding), np.int64)
        users = view.users.cpu().numpy()
        if self.per_arm_users:
            self.steps.choose_apart(self.club, view.t, users, self.embedding, chosen)
        else:
            self.steps.choose_each(self.club, view.t, users[:, 0], self.embedding, chosen)
        return torch.as_tensor(chosen, device=view.users.device)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        self.history.append(view, arm, reward)
        played = self.embedding[np.arange(len(self.embedding)), arm.cpu().numpy()]
        rewards = reward.double().cpu().numpy()
        users = view.users[self.history.rows, arm].cpu().numpy()
        self.steps.learn_each(self.club, view.t, users, played, rewards)
        if self.training.due(view.t):
            self.training.run(self.history, self.random)
            if self.embedded_anew:
                self.embed_anew()

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units, (R,)."""
        return share_of_dead_units(self.weights, self.history, None, self.weights[-1].shape[2])

    def embed_anew(self) -> None:
        """Embed all observations with the current network, and let CLUB learn from them."""
        replicas, rounds = len(self.history.rows), self.history.length
        users, rewards = np.empty((replicas, rounds), np.int64), np.empty((replicas, rounds))
        embeddings = np.empty((replicas, rounds, self.weights[-1].shape[2]))
        some = max(1, NUMBERS // (replicas * self.weights[0].shape[3]))
        for places in torch.arange(rounds, device=self.history.rows.device).split(some):
            x, block, user, reward = self.history.rounds(places.expand(replicas, -1))
            piece = slice(int(places[0]), int(places[-1]) + 1)
            embeddings[:, piece] = self.embed(Inputs(x, block))
            users[:, piece], rewards[:, piece] = user.cpu().numpy(), reward.cpu().numpy()
        self.steps.relearn_each(self.club, users, embeddings, rewards)

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the cluster of the user of the arm played, (R, n) bool."""
        label = torch.from_numpy(self.club.label).to(arm.device)
        rows = self.history.rows
        return label == label[rows, view.users[rows, arm]].unsqueeze(1)

    def count_clusters(self) -> np.ndarray:
        """Return the number of clusters, (R,)."""
        clusters = np.empty(len(self.random))
        self.steps.count_each(self.club, clusters)
        return clusters


if __name__ == "__main__":
    script(__file__)
