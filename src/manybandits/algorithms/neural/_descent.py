"""The network of the source of NeuralUCB, and its training: a choice beside the network of M-CNB and Meta-Ban.

`network` = scaled is the network of Zhou, Li and Gu 2020, which Zhang et al. 2021 take over:

    f(x; theta) = sqrt(m) W_L relu(... relu(W_1 x)),   f(x; theta_0) = 0 by symmetric weights
    theta minimises  sum (f(x_i; theta) - r_i)^2 / 2 + m lambda |theta - theta_0|^2 / 2          (Algorithm 2)

The factor sqrt(m) is kept in rewards: what is called f here is f / sqrt(m), which learns r / sqrt(m). A step of size
`rate` on the mean of the loss, whose penalty is then m lambda / t, is a step of size m rate on f / sqrt(m). The
source takes every step on all observations (`batch` = 0); its experiments take batches. `network` = plain is f
without the factor, from N(0, 2/m) and N(0, 1/m), trained by Adam without a penalty: the network that M-CNB and
Meta-Ban give to all methods (M-CNB, equation 4; "the same simple neural network").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, Option, Problem
from manybandits.algorithms.neural._learning import History, Training
from manybandits.numerics.networks import Weights, initial_weights
from manybandits.numerics.networks.symmetric import symmetric_weights
from manybandits.numerics.networks.users import Batches, descend

if TYPE_CHECKING:
    from torch import Tensor

NETWORKS = ("plain", "scaled")
NETWORK = Option("network", "plain", "the network and its training", words=NETWORKS, structural=True)
SCALED = Option("network", "scaled", NETWORK.meaning, words=NETWORKS, structural=True)
ORIGIN = Option("origin", "latest", "weights that descent starts at", words=("latest", "first"), structural=True)
"""Algorithm 2 of the source starts at theta_0 (first); experiments, and its authors' code, go on from the latest."""


def is_scaled(options: Columns) -> bool:
    """Return whether the network is that of the source of NeuralUCB."""
    return str(options["network"][0]) == "scaled"


def weights_of(problem: Problem, options: Columns, random: np.ndarray, learners: int, like: Tensor) -> Weights:
    """Return the initial weights of n networks per replica; see `initial_weights`."""
    facts: dict[str, Any] = {
        "blocks": problem.blocks,
        "width": int(options["width"][0]),
        "layers": int(options["layers"][0]),
    }
    if is_scaled(options):
        return symmetric_weights(random, learners, problem.dimension, **facts, like=like)
    return initial_weights(random, learners, problem.dimension, **facts, like=like)


def training_of(options: Columns, weights: Weights, regularization: Tensor | None) -> Training:
    """Return the training of networks at their initial weights. regularization: (R,), lambda; None: no penalty."""
    if is_scaled(options):
        return Descent(options, weights, regularization)
    return Training(options, weights)


class Descent(Training):
    """Gradient descent on the penalised loss of networks that are scaled by sqrt(m)."""

    def __init__(self, options: Columns, weights: Weights, regularization: Tensor | None) -> None:
        super().__init__(options, weights)
        self.width = int(options["width"][0])
        self.gain = self.width**0.5
        self.regularization = regularization
        self.from_first = str(options["origin"][0]) == "first"
        self.remembers = self.from_first or regularization is not None
        self.start = tuple(layer.clone() for layer in weights) if self.remembers else weights

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return self.start if self.remembers else ()

    def run_on(self, history: History, places: np.ndarray) -> None:
        """Train on some rounds; see `Training`."""
        if self.from_first:
            for layer, first in zip(self.weights, self.start, strict=True):
                layer.copy_(first)
        super().run_on(history, places)

    def step(self, batches: Batches, history: History) -> None:
        """Take one gradient step per batch of rounds from the history."""
        if self.regularization is None:
            pull = torch.zeros(self.weights[0].shape[:2], device=history.rows.device)
        else:
            known = observations_of(history, self.weights[0].shape[1])
            pull = self.regularization.unsqueeze(1) / known.clamp(min=1).to(self.regularization.dtype)
        descend(self.weights, self.start, pull, batches, self.rate * self.width)


def observations_of(history: History, networks: int) -> Tensor:
    """Return how many observations each of n networks has, (R, n): those of its user, or all if n = 1."""
    users = history.user[:, : history.length].long()
    if networks == 1:
        return torch.full((len(users), 1), history.length, device=users.device)
    counts = torch.zeros((len(users), networks), dtype=torch.int64, device=users.device)
    return counts.scatter_add_(1, users, torch.ones_like(users))
