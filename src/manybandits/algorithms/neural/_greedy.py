"""Greedy play with networks: in each round one of n networks chooses the arm; each is trained on its own rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, Problem
from manybandits.algorithms.neural._dead import share_of_dead_units
from manybandits.algorithms.neural._descent import ORIGIN, SCALED, training_of, weights_of
from manybandits.algorithms.neural._learning import TRAINING, History, Tables, View, arms_of
from manybandits.numerics.networks import factors_of

if TYPE_CHECKING:
    from torch import Tensor

OPTIONS = (SCALED, *TRAINING, ORIGIN)


class Greedy:
    """R replicas of n networks that learn independently."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables, networks: int) -> None:
        self.random = random
        self.diverged = np.zeros(len(random), np.bool_)
        self.weights = weights_of(problem, options, random, networks, tables.item)
        self.training = training_of(options, tuple(layer.flatten(0, 1).unsqueeze(1) for layer in self.weights), None)
        self.history = History(len(random), problem.horizon, tables)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        trained = (part.unflatten(0, self.weights[0].shape[:2]) for part in self.training.tensors)
        return (*self.weights, *trained, *self.history.tensors)

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units of the first network, (R,)."""
        only = torch.zeros_like(self.history.rows)
        return share_of_dead_units(self.weights, self.history, only, self.weights[-1].shape[2])

    def greedy_arm(self, view: View, network: Tensor | None) -> Tensor:
        """Return the best arm, (R,), according to one network per replica. network: (R,), or None if n = 1."""
        return arms_of(factors_of(self.weights, network, view.inputs).value, self.random, self.diverged)
