"""NeuralUCB for many replicas: one network for all users, or one for each.

Source: Zhou, Li and Gu 2020, *Neural contextual bandits with UCB-based exploration*, Algorithm 1.

    a_t = argmax_a  f(x_a; theta) + alpha sqrt(g(x_a; theta)' Z^-1 g(x_a; theta) / m)
    Z   = lambda I + sum over the arms played of g g' / m

`covariance` = diagonal stores only the diagonal of Z, as the code of its authors and the experiments of M-CNB and
Meta-Ban do: the bonus is the root of a sum over weights. `covariance` = full stores all of Z, for small networks.
As released: no 1/m, the bonus is sqrt(sum of lambda alpha g^2 / Z); PyTorch's initial weights, with biases; the
authors' training (see `_learning`), which with one model per user trains only that of the user served.
"""

from __future__ import annotations

import numpy as np
from torch import Tensor

from manybandits.algorithms.contract import ALPHA, LAMBDA, Columns, Problem
from manybandits.algorithms.neural._covariance import COVARIANCE, KINDS
from manybandits.algorithms.neural._learning import (
    TRAINING,
    History,
    Tables,
    Training,
    View,
    arms_of,
    numbers_of,
    train_as_released,
)
from manybandits.numerics.networks import Factors, factors_of, initial_weights

OPTIONS = (ALPHA, LAMBDA, COVARIANCE, *TRAINING)
RELEASED_OPTIONS = ("alpha", "lambda")  # alpha is their nu, which scales the variance


class NeuralUCB:
    """R replicas of NeuralUCB, with one network for all users."""

    def __init__(self, problem: Problem, options: Columns, released: bool, random: np.ndarray, tables: Tables) -> None:
        self.random, self.released = random, released
        self.each_arm_its_user = problem.each_arm_its_user
        self.diverged = np.zeros(len(random), np.bool_)
        learners = self.networks(problem)
        self.width = int(options["width"][0])
        self.weights = initial_weights(
            random,
            learners,
            problem.dimension,
            blocks=problem.blocks,
            width=self.width,
            layers=int(options["layers"][0]),
            as_released=released,
            like=tables.item,
        )
        numbers = numbers_of(options, tables.item)
        regularization = numbers["lambda"]
        self.scale = self.scale_of(numbers)
        kind = KINDS[str(options["covariance"][0])]
        self.covariance = kind(self.weights, regularization, 1.0 if released else 1.0 / self.width)
        self.training = Training(options, self.weights)
        self.history = History(len(random), problem.horizon, tables)
        self.seen: Factors

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*self.weights, *self.covariance.tensors, *self.training.adam.tensors, *self.history.tensors)

    def scale_of(self, numbers: dict[str, Tensor]) -> Tensor:
        """Return the factor of the root of g' Z^-1 g, (R,). numbers: the options."""
        if self.released:
            return (numbers["lambda"] * numbers["alpha"]).sqrt()
        return numbers["alpha"] / self.width**0.5

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

    def select(self, view: View) -> Tensor:
        """Return the arm that every replica plays, (R,)."""
        learner = self.learner(view)
        self.seen = factors_of(self.weights, learner, view.inputs)
        spread = self.covariance.spread(self.seen, learner)
        values = self.seen.value + self.explore(self.scale.unsqueeze(1) * spread.sqrt())
        return arms_of(values, self.random, self.diverged)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Take the rewards, (R,), of the arms that were played, (R,)."""
        self.history.append(view, arm, reward)
        learner = None if self.weights[0].shape[1] == 1 else view.users[self.history.rows, arm]
        self.covariance.add(self.seen.arm(arm), learner)
        if self.training.due(view.t):
            if self.released:
                train_as_released(self.weights, self.history, self.random, learner)
            else:
                self.training.run(self.history, self.random)
