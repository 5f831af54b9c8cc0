"""Batched fully connected networks: n networks in each of R replicas, on CPU or CUDA by the same code.

    f(x; W) = W_L relu(W_(L-1) ... relu(W_1 x)),   L >= 2 layers, m units in each hidden layer

Algorithms use networks through their gradients. The gradient of f in the weights of layer l is one outer product,
input_l delta_l', and is never written out: `Factors` holds the two vectors, from which inner products, squares and
gradient steps are computed at any depth. Sums over samples are matrix products of their factors.

Weights have the axis of inputs before that of units, as in x' W:

    weights[0]   (R, n, blocks, d, m)      blocks > 1 for block contexts: x touches the weights of its block only
    weights[l]   (R, n, m, m)
    weights[-1]  (R, n, m, 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import torch

from manybandits.base.seeds import generator
from manybandits.numerics.networks import fused_passes
from manybandits.numerics.networks.layer_products import arms_of, backward, blocks_of, forward, networks_of

if TYPE_CHECKING:
    from torch import Tensor

Weights: TypeAlias = "tuple[Tensor, ...]"


class Inputs(NamedTuple):
    """Q contexts per replica.

    block (R, Q): the block of each. With `block` None and several blocks, x holds one instance per replica, (R, 1, d),
    which is placed in each block in turn, so that Q = blocks.
    """

    x: Tensor  # (R, Q, d)
    block: Tensor | None = None


class Factors(NamedTuple):
    """f and its gradient at Q contexts: in layer l the outer product of inputs[l][r, q] and deltas[l][r, q]."""

    value: Tensor  # (R, Q)
    inputs: tuple[Tensor, ...]  # L tensors (R, Q, inputs of the layer)
    deltas: tuple[Tensor, ...]  # L tensors (R, Q, units of the layer)
    block: Tensor | None

    def arm(self, arm: Tensor) -> Factors:
        """Return the factors of one context per replica, Q = 1. arm: (R,)."""
        rows = torch.arange(len(arm), device=arm.device)

        def take(values: Tensor) -> Tensor:
            return values[rows, arm if values.shape[1] > 1 else 0].unsqueeze(1)

        return Factors(
            self.value[rows, arm].unsqueeze(1),
            tuple(map(take, self.inputs)),
            tuple(map(take, self.deltas)),
            arm.unsqueeze(1) if self.inputs[0].shape[1] == 1 else None if self.block is None else take(self.block),
        )


def initial_weights(
    random: np.ndarray,
    learners: int,
    dimension: int,
    *,
    blocks: int = 1,
    width: int = 100,
    layers: int = 2,
    like: Tensor,
) -> Weights:
    """Draw the initial weights of `learners` networks per replica from its stream. random: (R, 1) uint64.

    The papers use N(0, 2/m) in hidden layers, N(0, 1/m) in the last layer and no biases. like: a tensor of the device
    and precision.
    """
    shapes: list[tuple[int, ...]] = [(blocks, dimension, width), *[(width, width)] * (layers - 2), (width, 1)]
    drawn: list[list[np.ndarray]] = []
    for row in random:
        stream = generator(row)
        one = []
        for place, shape in enumerate(shapes):
            spread = np.sqrt((1.0 if place == layers - 1 else 2.0) / width)
            one.append(spread * stream.normal(size=(learners, *shape)))
        drawn.append(one)
    return tuple(torch.as_tensor(np.stack(layer)).to(like) for layer in zip(*drawn, strict=True))


def learner_weights(weights: Weights, learner: Tensor | None) -> Weights:
    """Return the weights of one network per replica, (R, ...), or of one per context, (R, Q, ...).

    learner: (R,) or (R, Q), or None if n = 1.
    """
    if learner is None:
        return tuple(layer[:, 0] for layer in weights)
    rows = torch.arange(len(learner), device=learner.device).view(-1, *[1] * (learner.dim() - 1))
    return tuple(layer[rows, learner] for layer in weights)


def one_by_one(weights: Weights, learners: Tensor, given: Inputs) -> tuple[Weights, Inputs]:
    """Return R Q networks with one context each, of which each has only the block that its context touches.

    weights: of n networks per replica; learners: (R, Q), the network of each context.
    """
    arms, blocks = learners.shape[1], weights[0].shape[2]
    rows = torch.arange(len(learners), device=learners.device).unsqueeze(1)
    place = given.block if given.block is not None else torch.arange(arms, device=rows.device) % blocks
    first = weights[0][rows, learners, place].flatten(0, 1)
    others = (layer[rows, learners].flatten(0, 1) for layer in weights[1:])
    x = given.x.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)
    return (first.unsqueeze(1), *others), Inputs(x)


class Shift(NamedTuple):
    """A low-rank change of a network that differs by context: W_l - sum over s of c[q, s] input_s delta_s'.

    A gradient step on S samples is such a change. Q contexts then have Q different networks, which are never built.
    """

    samples: Factors  # S of them
    coefficients: Tensor  # (R, Q, S)


def factors_of(weights: Weights, learner: Tensor | None, given: Inputs) -> Factors:
    """Return f and its gradient at Q contexts for one of n networks per replica, or one per context.

    learner: (R,) or (R, Q), or None if n = 1.
    """
    if fusible(weights, given):
        return _two_layers(weights, learner, given)
    if learner is not None and learner.dim() == 2:
        at = factors(*one_by_one(weights, learner, given))
        inputs, deltas = (tuple(part.view(*learner.shape, -1) for part in parts) for parts in (at.inputs, at.deltas))
        block = given.block
        if block is None and weights[0].shape[2] > 1:
            block = torch.arange(learner.shape[1], device=learner.device).expand(learner.shape)
        return Factors(at.value.view(learner.shape), inputs, deltas, block)
    return factors(learner_weights(weights, learner), given)


def factors(weights: Weights, given: Inputs, shift: Shift | None = None) -> Factors:
    """Return f and its gradient at Q contexts for one network per replica. weights: L tensors (R, inputs, units).

    shift: the low-rank change of the network of each context.
    """
    if shift is None and fusible(weights, given):
        return _two_layers(tuple(layer.unsqueeze(1) for layer in weights), None, given)
    units, inputs = _forward(weights, given, shift)
    deltas = [torch.ones_like(units)]
    for place in range(len(weights) - 1, 0, -1):
        back = backward(weights[place], deltas[0])
        if shift is not None:
            weight = shift.coefficients * (deltas[0] @ shift.samples.deltas[place].transpose(1, 2))
            back = back - weight @ shift.samples.inputs[place]
        deltas.insert(0, back * (inputs[place] > 0))
    return Factors(units.squeeze(2), tuple(inputs), tuple(deltas), given.block)


def outputs(weights: Weights, given: Inputs) -> Tensor:
    """Return f at Q contexts for one network per replica, (R, Q): the `value` of `factors`."""
    return factors(weights, given).value if fusible(weights, given) else _forward(weights, given)[0].squeeze(2)


def _forward(weights: Weights, given: Inputs, shift: Shift | None = None) -> tuple[Tensor, list[Tensor]]:
    """Return f at Q contexts, (R, Q, 1), and the inputs of every layer. Arguments: as in `factors`."""
    block = given.block
    below = given.x
    inputs = []
    for place, layer in enumerate(weights):
        inputs.append(below)
        units = forward(layer, below, block)
        if shift is not None:
            weight = _coefficients(shift, layer, block) * (below @ shift.samples.inputs[place].transpose(1, 2))
            units = units - weight @ shift.samples.deltas[place]
        if place < len(weights) - 1:
            below = units.clamp(min=0.0)
    return units, inputs


def fusible(weights: Weights, given: Inputs) -> bool:
    """Return whether the fused loops can evaluate these networks: two layers, on the CPU."""
    return len(weights) == 2 and given.x.device.type == "cpu"


def _two_layers(weights: Weights, learner: Tensor | None, given: Inputs) -> Factors:
    """Compute `factors_of` with the fused loop."""
    first, last = weights
    replicas, blocks, width = first.shape[0], first.shape[2], first.shape[4]
    arms = arms_of(blocks, given.x, given.block)
    value, hidden = first.new_empty((replicas, arms)), first.new_empty((replicas, arms, width))
    delta = torch.empty_like(hidden)
    places = networks_of(learner, replicas), given.x, blocks_of(blocks, given.block, arms)
    arrays: list[Any] = [part.numpy() for part in (first, last.mT, *places, value, hidden, delta)]
    fused_passes.two_layers(*arrays, given.block is not None and places[0].shape[1] == 1)
    return Factors(value, (given.x, hidden), (delta, torch.ones_like(value).unsqueeze(2)), given.block)


def _coefficients(shift: Shift, layer: Tensor, block: Tensor | None) -> Tensor:
    """Return c, (R, Q, S); in a first layer of several blocks, a sample changes the contexts of its own block only."""
    if layer.dim() == 3 or layer.shape[1] == 1:
        return shift.coefficients
    assert shift.samples.block is not None
    if block is None:
        block = torch.arange(layer.shape[1], device=layer.device).unsqueeze(0)
    return shift.coefficients * (block.unsqueeze(2) == shift.samples.block.unsqueeze(1))


def gradient(samples: Factors, weight: Tensor, like: Weights) -> Weights:
    """Return the sum over q of weight[r, q] times the gradient of f at context q, shaped as one network per replica."""
    total = tuple(torch.zeros_like(layer) for layer in like)
    climb(total, samples, weight)
    return total


def climb(weights: Weights, samples: Factors, weight: Tensor) -> None:
    """Add the sum over q of weight[r, q] times the gradient of f at context q to one network per replica, in place."""
    for place, (layer, x, delta) in enumerate(zip(weights, samples.inputs, samples.deltas, strict=True)):
        blocks = layer if place == 0 else layer.unsqueeze(1)
        block = samples.block if place == 0 and blocks.shape[1] > 1 else None
        if layer.device.type == "cpu":
            one = torch.zeros((1, 1), dtype=torch.int64)
            fused_passes.add_slopes(
                *(part.numpy() for part in (blocks, x, delta, weight, one if block is None else block))
            )
        elif block is None:
            blocks += (x.mT @ (delta * weight.unsqueeze(2))).unsqueeze(1)
        else:
            inside = block.unsqueeze(1) == torch.arange(blocks.shape[1], device=layer.device)[:, None]
            blocks += x.unsqueeze(1).mT @ ((delta * weight.unsqueeze(2)).unsqueeze(1) * inside.unsqueeze(3))


def quadratic(given: Factors, inverse: Weights, learner: Tensor | None) -> Tensor:
    """Return g' D g, (R, Q), for the gradients g and one of n diagonal matrices D per replica, or one per context.

    inverse: the diagonals, shaped like the weights of networks; learner: (R,) or (R, Q), or None if n = 1.
    """
    total = torch.zeros_like(given.value)
    x, *others = given.inputs
    if fusible(inverse, Inputs(x)):
        places = networks_of(learner, len(total)), x, blocks_of(inverse[0].shape[2], given.block, total.shape[1])
        arrays = (inverse[0], inverse[1].mT, *places, others[0], given.deltas[0], total)
        fused_passes.quadratic(*(part.numpy() for part in arrays))
        return total
    if learner is not None and learner.dim() == 2:
        networks, alone = one_by_one(inverse, learner, Inputs(x, given.block))
        inputs, deltas = (tuple(part.flatten(0, 1).unsqueeze(1) for part in parts) for parts in (others, given.deltas))
        single = Factors(total.view(-1, 1), (alone.x, *inputs), deltas, None)
        return quadratic(single, tuple(layer.unsqueeze(1) for layer in networks), None).view_as(total)
    for below, delta, layer in zip(given.inputs, given.deltas, learner_weights(inverse, learner), strict=True):
        total = total + (forward(layer, below.square(), given.block) * delta.square()).sum(2)
    return total


def vectors(given: Factors, blocks: int) -> Tensor:
    """Return the gradients as vectors, (R, Q, p), for small networks and tests."""
    parts = []
    for place, (below, delta) in enumerate(zip(given.inputs, given.deltas, strict=True)):
        product = below.unsqueeze(3) * delta.unsqueeze(2)  # (R, Q, inputs, units)
        if place == 0 and blocks > 1:
            block = given.block if given.block is not None else torch.arange(blocks, device=below.device).unsqueeze(0)
            inside = block.unsqueeze(2) == torch.arange(blocks, device=below.device)  # (R, Q, blocks)
            product = product.unsqueeze(2) * inside[..., None, None]
        parts.append(product.flatten(2))
    return torch.cat(parts, dim=2)


def add_squares(inverse: Weights, learner: Tensor, given: Factors, share: float) -> None:
    """Add share g^2 to a diagonal matrix, given by its inverse and changed in place, for one gradient g per replica.

    inverse: shaped like n networks per replica; learner: (R,), the network whose diagonal it is; given: Q = 1.
    """
    rows = torch.arange(len(learner), device=learner.device)
    block = torch.zeros_like(rows) if given.block is None else given.block[:, 0]
    if fusible(inverse, Inputs(given.inputs[0])):
        x, hidden, delta = (part[:, 0].numpy() for part in (*given.inputs, given.deltas[0]))
        diagonal = inverse[0].numpy(), inverse[1].mT.numpy()
        fused_passes.add_squares(*diagonal, learner.numpy(), block.numpy(), x, hidden, delta, share)
        return
    for place, layer in enumerate(inverse):
        squares = given.inputs[place][:, 0].square().unsqueeze(2) * given.deltas[place].square()
        at = (rows, learner, block) if place == 0 else (rows, learner)
        layer[at] = layer[at] / (1.0 + share * layer[at] * squares)


def squared_length(given: Factors) -> Tensor:
    """Return the squared Euclidean length of the gradients, (R, Q)."""
    total = torch.zeros_like(given.value)
    for u, v in zip(given.inputs, given.deltas, strict=True):
        total = total + u.square().sum(2) * v.square().sum(2)
    return total


def squared_distance(a: Factors, b: Factors) -> Tensor:
    """Return the squared Euclidean distance of the gradients of two networks at the same contexts, (R, Q).

    In every layer |u v' - w z'|^2 = |u|^2 |v|^2 - 2 (u'w) (v'z) + |w|^2 |z|^2.
    """
    total = torch.zeros_like(a.value)
    for u, v, w, z in zip(a.inputs, a.deltas, b.inputs, b.deltas, strict=True):
        total = total + u.square().sum(2) * v.square().sum(2) + w.square().sum(2) * z.square().sum(2)
        total = total - 2.0 * (u * w).sum(2) * (v * z).sum(2)
    return total.clamp(min=0.0)
