"""Initial weights of the source of NeuralUCB, with which f is zero at every input.

Zhou, Li and Gu 2020 take inputs whose two halves are equal, W_l = (W, 0; 0, W) with entries N(0, 4/m) and W_L = (w',
-w') with entries N(0, 2/m), so that the two halves of a network cancel. Such a network of (x, x) / sqrt(2) is a
network of x: the weights of both halves of the input have the same gradient, and only their sum matters. So the first
layer here takes x, and its rows are W / sqrt(2), twice. Values, inner products of gradients and gradient steps are
those of the source; the diagonal of a sum of squared gradients is not, since the source spreads it over twice as many
weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.base.exceptions import InputError
from manybandits.base.seeds import generator
from manybandits.numerics.networks import Weights

if TYPE_CHECKING:
    from torch import Tensor


def symmetric_weights(
    random: np.ndarray,
    learners: int,
    dimension: int,
    *,
    blocks: int = 1,
    width: int = 100,
    layers: int = 2,
    like: Tensor,
) -> Weights:
    """Draw the initial weights of `learners` networks per replica. Arguments are those of `initial_weights`.

    Raises InputError if the width is odd.
    """
    if width % 2:
        raise InputError(f"width is {width}, but a network that starts at zero has two equal halves: give an even one.")
    half = width // 2
    drawn: list[list[np.ndarray]] = []
    for row in random:
        stream = generator(row)
        first = np.sqrt(2.0 / width) * stream.normal(size=(learners, blocks, dimension, half))
        hidden = [np.sqrt(4.0 / width) * stream.normal(size=(learners, half, half)) for _ in range(layers - 2)]
        last = np.sqrt(2.0 / width) * stream.normal(size=(learners, half, 1))
        nothing = np.zeros((learners, half, half))
        above = [np.block([[layer, nothing], [nothing, layer]]) for layer in hidden]
        drawn.append([np.concatenate([first, first], axis=3), *above, np.concatenate([last, -last], axis=1)])
    return tuple(torch.as_tensor(np.stack(layer)).to(like) for layer in zip(*drawn, strict=True))
