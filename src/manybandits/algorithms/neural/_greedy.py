"""Greedy play with networks: in each round one of n networks chooses the arm; each is trained on its own rounds."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from manybandits.algorithms.contract import Columns, Problem
from manybandits.algorithms.neural._learning import History, Tables, Training, View, arms_of
from manybandits.numerics.networks import factors_of, initial_weights


class Greedy:
    """R replicas of n networks that learn independently."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables, networks: int) -> None:
        self.random = random
        self.diverged = np.zeros(len(random), np.bool_)
        self.weights = initial_weights(
            random,
            networks,
            problem.dimension,
            blocks=problem.blocks,
            width=int(options["width"][0]),
            layers=int(options["layers"][0]),
            like=tables.item,
        )
        self.training = Training(options, tuple(layer.flatten(0, 1).unsqueeze(1) for layer in self.weights))
        self.history = History(len(random), problem.horizon, tables)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        adam = (part.unflatten(0, self.weights[0].shape[:2]) for part in self.training.adam.tensors)
        return (*self.weights, *adam, *self.history.tensors)

    def greedy_arm(self, view: View, network: Tensor | None) -> Tensor:
        """Return the best arm, (R,), according to one network per replica. network: (R,), or None if n = 1."""
        return arms_of(factors_of(self.weights, network, view.inputs).value, self.random, self.diverged)
