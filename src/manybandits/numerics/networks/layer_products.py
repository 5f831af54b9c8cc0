"""Products of one layer with the contexts of R replicas, in fused loops on the CPU, and the block of each context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from manybandits.numerics.networks import fused_passes

if TYPE_CHECKING:
    from torch import Tensor


def networks_of(learner: Tensor | None, replicas: int) -> Tensor:
    """Return the number of the network of every context, (R, Q), or of all contexts of a replica, (R, 1)."""
    if learner is None:
        return torch.zeros((replicas, 1), dtype=torch.int64)
    return (learner if learner.dim() == 2 else learner.unsqueeze(1)).contiguous()


def arms_of(blocks: int, x: Tensor, block: Tensor | None) -> int:
    """Return Q, the number of contexts per replica."""
    return blocks if block is None and x.shape[1] == 1 else x.shape[1]


def blocks_of(blocks: int, block: Tensor | None, arms: int) -> Tensor:
    """Return the block of every context, (R, Q) or a shape that broadcasts to it."""
    if block is not None:
        return block.contiguous()
    return (torch.arange(arms) if blocks > 1 else torch.zeros(1, dtype=torch.int64)).unsqueeze(0)


def forward(layer: Tensor, below: Tensor, block: Tensor | None) -> Tensor:
    """Return below @ layer, (R, Q, units); in a first layer of several blocks, each context uses its own block.

    On the CPU the bits of a context do not depend on the other contexts, which matrix products do not guarantee.
    """
    blocks = layer if layer.dim() == 4 else layer.unsqueeze(1)
    several = blocks.shape[1]
    if layer.device.type == "cpu":
        arms = arms_of(several, below, block)
        units = layer.new_empty((len(layer), arms, layer.shape[-1]))
        place = blocks_of(several, block if several > 1 else None, arms)
        fused_passes.forward(*(part.numpy() for part in (blocks, below, place, units)))
        return units
    if several == 1:
        return below @ blocks[:, 0]
    units = below.unsqueeze(1) @ layer  # (R, blocks, Q, units)
    if block is None:
        return units.squeeze(2)
    rows = torch.arange(len(units), device=units.device).unsqueeze(1)
    return units[rows, block, torch.arange(block.shape[1], device=units.device)]


def backward(layer: Tensor, delta: Tensor) -> Tensor:
    """Return delta @ layer', (R, Q, inputs)."""
    if layer.device.type == "cpu":
        slopes = layer.new_empty((*delta.shape[:2], layer.shape[1]))
        fused_passes.backward(*(part.numpy() for part in (layer, delta, slopes)))
        return slopes
    return delta @ layer.mT
