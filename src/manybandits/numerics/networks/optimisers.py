"""Adam for batched networks, with its own moments and step count for every network.

    m <- b1 m + (1 - b1) g,   v <- b2 v + (1 - b2) g^2,   w <- w - rate (m / c1) / (sqrt(v / c2) + eps)

with c1 = 1 - b1^s and c2 = 1 - b2^s after the s-th step of a network (Kingma and Ba 2015). Only weights that an
observation concerns change: a network without an observation in a batch takes no step, and in the first layer the
weights of inputs that are zero in all observations of a network do not change, nor do their moments. Block contexts and
images are mostly zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from manybandits.numerics.networks import Weights
from manybandits.numerics.networks.fused_training import EPSILON, FADING, FADING_SQUARES

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Adam:
    """The moments and step counts of n networks in each of R replicas, changed in place by `step`."""

    first: Weights
    second: Weights
    steps: Tensor  # (R, n)

    @staticmethod
    def over(weights: Weights) -> Adam:
        """Return the optimiser of these networks before their first step."""
        first, second = (tuple(torch.zeros_like(layer) for layer in weights) for _ in range(2))
        return Adam(first, second, torch.zeros(weights[0].shape[:2], dtype=torch.int64, device=weights[0].device))

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*self.first, *self.second, self.steps)

    def step(
        self, weights: Weights, gradient: Weights, rate: float, moving: Tensor, touched: Tensor | None = None
    ) -> None:
        """Take one step, in place.

        gradient: shaped like weights; moving: (R, n) bool, the networks that take a step; touched: (R, n, blocks, d)
        bool, the inputs of the first layer that are not zero.
        """
        self.steps.add_(moving)
        steps = self.steps.clamp(min=1).to(weights[0].dtype)
        rates, roots = rate / (1.0 - FADING**steps), (1.0 - FADING_SQUARES**steps).rsqrt()
        for place, (layer, m, v, g) in enumerate(zip(weights, self.first, self.second, gradient, strict=True)):
            shape = (*moving.shape, *[1] * (layer.dim() - 2))
            moves = moving.view(shape)
            if place == 0 and touched is not None:
                moves = moves & touched.unsqueeze(4)
            m.copy_(torch.where(moves, torch.lerp(m, g, 1.0 - FADING), m))
            v.copy_(torch.where(moves, torch.lerp(v, g * g, 1.0 - FADING_SQUARES), v))
            layer.addcdiv_(m * (rates.view(shape) * moves), (v.sqrt() * roots.view(shape)).add_(EPSILON), value=-1.0)
