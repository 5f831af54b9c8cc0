"""The matrix Z = lambda I + share sum of g g' of every network: its diagonal, or all of it for small networks.

Both forms store the inverse. The full inverse is updated by Sherman and Morrison's formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from manybandits.algorithms.contract import Option
from manybandits.base.exceptions import InputError
from manybandits.numerics.networks import Factors, Weights, add_squares, learner_weights, quadratic, vectors

if TYPE_CHECKING:
    from torch import Tensor

COVARIANCE = Option("covariance", "diagonal", "the stored part of Z", words=("diagonal", "full"), structural=True)
MOST_WEIGHTS = 5000
"""The largest number of weights of a network whose full Z is stored: 100 MB in single precision."""


class Diagonal:
    """The inverse of the diagonal of Z. regularization: (R,), lambda."""

    def __init__(self, weights: Weights, regularization: Tensor, share: float) -> None:
        self.share = share
        self.tensors: Weights = tuple(
            torch.ones_like(layer) / regularization.view(-1, *[1] * (layer.dim() - 1)) for layer in weights
        )

    def spread(self, given: Factors, learner: Tensor | None) -> Tensor:
        """Return g' Z^-1 g, (R, Q). learner: (R,), the network, or (R, Q), or None if there is only one."""
        return quadratic(given, self.tensors, learner)

    def add(self, played: Factors, learner: Tensor | None) -> None:
        """Add the term of the arm played, whose gradient is `played`, with Q = 1."""
        if learner is None:
            learner = torch.zeros(len(played.value), dtype=torch.int64, device=played.value.device)
        add_squares(self.tensors, learner, played, self.share)


class Full:
    """The inverse of Z, in full. Arguments are those of `Diagonal`."""

    def __init__(self, weights: Weights, regularization: Tensor, share: float) -> None:
        count = sum(layer[0, 0].numel() for layer in weights)
        if count > MOST_WEIGHTS:
            raise InputError(
                f"covariance = full keeps {count} x {count} numbers for every network, above {MOST_WEIGHTS}: "
                "give a smaller width, or covariance = diagonal."
            )
        self.share = share
        self.blocks = weights[0].shape[2]
        eye = torch.eye(count, dtype=weights[0].dtype, device=weights[0].device)
        inverse = eye / regularization.view(-1, 1, 1, 1)
        self.tensors: Weights = (inverse.expand(-1, weights[0].shape[1], -1, -1).clone(),)

    def spread(self, given: Factors, learner: Tensor | None) -> Tensor:
        """Return g' Z^-1 g, (R, Q). learner: (R,), the network, or (R, Q), or None if there is only one."""
        g = vectors(given, self.blocks)
        (inverse,) = learner_weights(self.tensors, learner)
        product = (g.unsqueeze(2) @ inverse).squeeze(2) if inverse.dim() == 4 else g @ inverse
        return (product * g).sum(2).clamp(min=0.0)

    def add(self, played: Factors, learner: Tensor | None) -> None:
        """Add the term of the arm played, whose gradient is `played`, with Q = 1."""
        g = vectors(played, self.blocks)
        rows = torch.arange(len(g), device=g.device)
        at = (rows, torch.zeros_like(rows) if learner is None else learner)
        direction = g @ self.tensors[0][at]  # (R, 1, p)
        scale = self.share / (1.0 + self.share * (direction * g).sum(2, keepdim=True))
        self.tensors[0][at] -= scale * direction.mT @ direction


KINDS: dict[str, type[Diagonal] | type[Full]] = {"diagonal": Diagonal, "full": Full}
