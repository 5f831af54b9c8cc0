"""Gradients that are stored, one of each of n learners, with their sum.

A learner's gradient is as large as its network, and in every round one of each replica changes. What changes is read
and written once: with images, passes over memory take most of the time of Meta-Ban.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.compiling.fused_loops import fused_loop
from manybandits.numerics.networks import Weights

if TYPE_CHECKING:
    from torch import Tensor


def replace(stored: Weights, total: Weights, learner: Tensor, new: Weights, own: Weights, shrink: Tensor) -> None:
    """Make new + shrink sign(own) the gradient of one learner per replica, in place.

    stored: (R, n, ...) each layer, total: (R, ...), the sum over learners; learner: (R,); new: (R, ...), the gradient
    of a loss; own: (R, ...), the weights at which it was taken; shrink: (R,), the weight of |own|_1 in the loss.
    """
    rows = torch.arange(len(learner), device=learner.device)
    for layer, whole, slope, weight in zip(stored, total, new, own, strict=True):
        if layer.device.type == "cpu":
            flat = layer.flatten(2), whole.flatten(1), learner, slope.flatten(1), weight.flatten(1), shrink
            _replace(*(part.numpy() for part in flat))
            continue
        found = slope + shrink.view(-1, *[1] * (slope.dim() - 1)) * weight.sign()
        whole += found - layer[rows, learner]
        layer[rows, learner] = found


@fused_loop
def _replace(
    stored: np.ndarray, total: np.ndarray, learner: np.ndarray, new: np.ndarray, own: np.ndarray, shrink: np.ndarray
) -> None:
    """Do so with one layer. stored: (R, n, P); total, new, own: (R, P); learner, shrink: (R,)."""
    nothing = stored.dtype.type(0)
    for r in range(total.shape[0]):
        row, pull = stored[r, learner[r]], shrink[r]
        for j in range(total.shape[1]):
            side = pull if own[r, j] > nothing else (-pull if own[r, j] < nothing else nothing)
            found = new[r, j] + side
            total[r, j] += found - row[j]
            row[j] = found
