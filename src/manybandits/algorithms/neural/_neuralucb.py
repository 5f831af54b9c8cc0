"""NeuralUCB for many replicas: one network for all users, or one for each.

Source: Zhou, Li and Gu 2020, *Neural contextual bandits with UCB-based exploration*, Algorithms 1 and 2.

    a_t = argmax_a  f(x_a; theta) + alpha sqrt(g(x_a; theta)' Z^-1 g(x_a; theta) / m)
    Z   = lambda I + sum over the arms played of g g' / m

`network` chooses between the network and training of the source and those of M-CNB and Meta-Ban; see `_descent`. Here f
and g are always those without the factor sqrt(m), so that g is what the source calls g / sqrt(m), and Z adds g g'. With
`divisor` = width it adds g g' / m, as if Algorithm 1 were applied to the plain network word by word: lambda is then m
times as large as in the source.

`covariance` = diagonal stores only the diagonal of Z, as the code of its authors and the experiments of M-CNB and
Meta-Ban do: the bonus is the root of a sum over weights. `covariance` = full stores all of Z, for small networks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import ALPHA, LAMBDA, Columns, Option, Problem
from manybandits.algorithms.neural._covariance import COVARIANCE, KINDS
from manybandits.algorithms.neural._dead import share_of_dead_units
from manybandits.algorithms.neural._descent import NETWORK, ORIGIN, training_of, weights_of
from manybandits.algorithms.neural._learning import (
    BATCH,
    TRAINING,
    History,
    Tables,
    View,
    arms_of,
    numbers_of,
)
from manybandits.numerics.networks import Factors, factors_of

if TYPE_CHECKING:
    from torch import Tensor

DIVISOR = Option(
    "divisor", "one", "what g g' of f without sqrt(m) is divided by", words=("one", "width"), structural=True
)
ANY_BATCH = Option("batch", BATCH.default, "observations of a step; 0: all", low=0, structural=True)
TRAINED = (*(ANY_BATCH if option is BATCH else option for option in TRAINING), ORIGIN)
OPTIONS = (ALPHA, LAMBDA, NETWORK, DIVISOR, COVARIANCE, *TRAINED)


class NeuralUCB:
    """R replicas of NeuralUCB, with one network for all users."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        self.random = random
        self.each_arm_its_user = problem.each_arm_its_user
        self.diverged = np.zeros(len(random), np.bool_)
        self.weights = weights_of(problem, options, random, self.networks(problem), tables.item)
        numbers = numbers_of(options, tables.item)
        width = int(options["width"][0])
        divisor = 1 if str(options["divisor"][0]) == "one" else width
        kind = KINDS[str(options["covariance"][0])]
        self.covariance = kind(self.weights, numbers["lambda"], 1 / divisor)
        self.training = training_of(options, self.weights, numbers["lambda"])
        self.scale = self.scale_of(numbers) / divisor**0.5 / self.training.gain
        self.explores = bool(self.scale.any())  # if none of the replicas does, Z is not needed
        self.history = History(len(random), problem.horizon, tables)
        self.seen: Factors

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*self.weights, *self.covariance.tensors, *self.training.tensors, *self.history.tensors)

    def scale_of(self, numbers: dict[str, Tensor]) -> Tensor:
        """Return the factor of the root of g' Z^-1 g, (R,). numbers: the options."""
        return numbers["alpha"]

    def explore(self, deviation: Tensor) -> Tensor:
        """Return what is added to the value of every arm, (R, K). deviation: (R, K)."""
        return deviation

    def networks(self, problem: Problem) -> int:
        """Return how many networks there are."""
        return 1

    def learner(self, view: View) -> Tensor | None:
        """Return the network that plays, (R,), or that of each arm, (R, K), or None if there is only one."""
        if self.weights[0].shape[1] == 1:
            return None
        return view.users if self.each_arm_its_user else view.user

    def learner_of(self, view: View, arm: Tensor) -> Tensor | None:
        """Return the network of the arm played, (R,), or None if there is only one."""
        return None if self.weights[0].shape[1] == 1 else view.users[self.history.rows, arm]

    def select(self, view: View) -> Tensor:
        learner = self.learner(view)
        self.seen = factors_of(self.weights, learner, view.inputs)
        spread = self.covariance.spread(self.seen, learner) if self.explores else torch.zeros_like(self.seen.value)
        values = self.seen.value + self.explore(self.scale.unsqueeze(1) * spread.sqrt())
        return arms_of(values, self.random, self.diverged)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        if self.explores:
            self.covariance.add(self.seen.arm(arm), self.learner_of(view, arm))
        self.train(view, arm, reward)

    def train(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Store the observation, and train the networks in the rounds of the schedule."""
        self.history.append(view, arm, reward / self.training.gain)
        if self.training.due(view.t):
            self.run_training()

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units, (R,): of the network of the newest observation, if there are several."""
        user = self.history.user[:, max(0, self.history.length - 1)].long()
        network = None if self.weights[0].shape[1] == 1 else user
        return share_of_dead_units(self.weights, self.history, network, self.weights[-1].shape[2])

    def run_training(self) -> None:
        """Train the networks on draws from the whole history."""
        self.training.run(self.history, self.random)
