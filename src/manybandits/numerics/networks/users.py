"""Networks of many users: evaluation of all of them at the arms of a round, and training of those with observations.

On the CPU, the fused loops of `fused_training` train networks without biases, and those of `fused_passes` evaluate such
networks of two layers; everything else uses batched torch operations. Both give the same numbers up to rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from manybandits.numerics.networks import (
    Factors,
    Inputs,
    Weights,
    climb,
    factors,
    fused_descent,
    fused_passes,
    fused_training,
    fusible,
    gradient,
    learner_weights,
    outputs,
)
from manybandits.numerics.networks.optimisers import Adam

if TYPE_CHECKING:
    from torch import Tensor


class Batches(NamedTuple):
    """Q observations per replica, and which of them are in each of S batches."""

    learner: Tensor  # (R, Q): the network that learns from it
    x: Tensor  # (R, Q, d)
    block: Tensor  # (R, Q)
    reward: Tensor  # (R, Q)
    order: Tensor  # (R, S, B): the observations of each batch
    size: Tensor  # (R,): how many of the B are used; if none, nothing changes

    def arrays(self) -> tuple[np.ndarray, ...]:
        """Return the fields for a fused loop: it is compiled for each layout of them, so indices have but one."""
        return tuple((part if part.is_floating_point() else part.contiguous()).numpy() for part in self)


CHUNK = 2**18
"""Number of weights that the torch form evaluates at a time: as many as fit into the processor's cache."""


def outputs_of_all(
    weights: Weights, given: Inputs, pool: Executor | None = None, pieces: int = 1, *, learners: int | None = None
) -> Tensor:
    """Return f of all n networks at the Q contexts of every replica, (R, n, Q).

    pool, pieces: threads, and the number of jobs that the networks are divided into. learners: n, if only the first n
    networks are wanted.
    """
    replicas, most = weights[0].shape[:2]
    learners = most if learners is None else learners
    arms = weights[0].shape[2] if given.block is None and given.x.shape[1] == 1 else given.x.shape[1]
    values = weights[0].new_empty((replicas, learners, arms))
    if fusible(weights, given) and given.block is None:
        place = torch.zeros if weights[0].shape[2] == 1 else torch.arange
        arrays = tuple(
            part.numpy() for part in (weights[0], weights[1].mT, given.x, place(arms, dtype=torch.int64), values)
        )
        _share(fused_passes.outputs, replicas * learners, arrays, pool, pieces)
        return values
    step = max(1, CHUNK // (weights[0][0, 0].numel() + 1))
    block = None if given.block is None else given.block.repeat_interleave(learners, 0)
    flat = tuple(layer[:, :learners].flatten(0, 1) for layer in weights)
    x = given.x.repeat_interleave(learners, 0)
    rows = values.flatten(0, 1)
    for first in range(0, replicas * learners, step):
        part = slice(first, first + step)
        some = Inputs(x[part], None if block is None else block[part])
        rows[part] = outputs(tuple(layer[part] for layer in flat), some)
    return values


def adam_step(
    weights: Weights, adam: Adam, members: Tensor, x: Tensor, block: Tensor, reward: Tensor, rate: float
) -> None:
    """Take one Adam step on (f(x) - reward)^2 / 2 with the networks in `members`, in place.

    members: (R, n) bool; x: (R, d); block, reward: (R,).
    """
    if trainable(x):
        arrays = *arrays_of(weights, adam), *(part.numpy() for part in (members, x, block, reward))
        fused_training.adam_steps(*arrays, rate)
        return
    at = factors_of_members(weights, x, block)
    learners = members.shape[1]
    error = at.value - reward.repeat_interleave(learners).unsqueeze(1)
    slopes = gradient(at, error, tuple(layer.flatten(0, 1) for layer in weights))
    shaped = tuple(slope.view(layer.shape) for slope, layer in zip(slopes, weights, strict=True))
    inside = block[:, None] == torch.arange(weights[0].shape[2], device=block.device)
    touched = inside.unsqueeze(2) & (x != 0).unsqueeze(1)
    adam.step(weights, shaped, rate, members, touched.unsqueeze(1))


def train(weights: Weights, adam: Adam, batches: Batches, rate: float) -> None:
    """Take one Adam step per batch on its mean of (f(x) - reward)^2 / 2, with f the network of each observation."""
    if trainable(batches.x):
        arrays = *arrays_of(weights, adam), *batches.arrays()
        fused_training.train(*arrays, rate)
        return
    for taken in batches.order.unbind(1):
        slopes, counts, touched = _slopes_of_batch(weights, batches, taken)
        adam.step(weights, slopes, rate, counts > 0, touched)


def descend(weights: Weights, start: Weights, pull: Tensor, batches: Batches, rate: float) -> None:
    """Take one gradient step per batch on its mean of (f(x) - reward)^2 / 2 + pull |W - start|^2 / 2.

    f is the network of each observation, and W are its weights. start: shaped like weights; pull: (R, n).
    """
    if trainable(batches.x):
        arrays = *layers_of(weights), *layers_of(start), pull.numpy(), *batches.arrays()
        fused_descent.descend(*arrays, rate)
        return
    for taken in batches.order.unbind(1):
        slopes, counts, _ = _slopes_of_batch(weights, batches, taken)
        back = pull * counts / batches.size.unsqueeze(1)
        for layer, slope, first in zip(weights, slopes, start, strict=True):
            layer -= rate * (slope + back.to(layer.dtype).view(*back.shape, *[1] * (layer.dim() - 2)) * (layer - first))


def _slopes_of_batch(weights: Weights, batches: Batches, taken: Tensor) -> tuple[Weights, Tensor, Tensor]:
    """Return the gradient of the mean loss of a batch, shaped like weights, and what the batch concerns.

    taken: (R, B), the observations of the batch. Returned with it: the number of observations of every network, (R, n),
    and which inputs of its first layer are not zero in all of them, (R, n, blocks, d) bool.
    """
    replicas, learners = weights[0].shape[:2]
    rows = torch.arange(replicas, device=batches.x.device).unsqueeze(1)
    used = torch.arange(taken.shape[1], device=rows.device) < batches.size.unsqueeze(1)  # (R, B)
    u, contexts, b, r = (part[rows, taken] for part in batches[:4])
    # Every observation has its own network: R B networks with one context each.
    own = tuple(layer[rows, u].flatten(0, 1) for layer in weights)
    at = factors(own, Inputs(contexts.flatten(0, 1).unsqueeze(1), b.reshape(-1, 1)))
    shares = used / batches.size.clamp(min=1).unsqueeze(1)
    error = (at.value - r.reshape(-1, 1)) * shares.to(at.value.dtype).view(-1, 1)
    place = (rows * learners + u).flatten()
    slopes = tuple(
        torch.zeros_like(layer).flatten(0, 1).index_add_(0, place, slope).view_as(layer)
        for layer, slope in zip(weights, gradient(at, error, own), strict=True)
    )
    present = (contexts != 0) & used.unsqueeze(2)
    touched = torch.zeros(weights[0].shape[:4], dtype=torch.int32, device=rows.device)
    touched.index_put_((rows, u, b), present.int(), accumulate=True)
    counts = torch.zeros((replicas, learners), dtype=torch.int32, device=rows.device)
    counts.index_put_((rows, u), used.int(), accumulate=True)
    return slopes, counts, touched > 0


def factors_after_step(
    weights: Weights, adam: Adam, batches: Batches, size: Tensor, given: Inputs, rate: float
) -> Factors:
    """Return f and its gradient at K contexts, each after an Adam step of its own with one network per replica.

    Networks and optimiser do not change. batches: with order, (R, K, B), the observations of every step, of which the
    first `size`, (R, K), are used. Only for networks that `fusible` and `trainable` ones.
    """
    first = weights[0]
    value = first.new_empty(size.shape)
    hidden = first.new_empty((*size.shape, first.shape[4]))
    delta = torch.empty_like(hidden)
    block = torch.arange(size.shape[1]) if first.shape[2] > 1 else torch.zeros(size.shape[1], dtype=torch.int64)
    taken = *batches._replace(size=size).arrays()[1:], given.x.numpy(), block.numpy()
    found = value.numpy(), hidden.numpy(), delta.numpy()
    fused_training.evaluate_after_step(*arrays_of(weights, adam), *taken, rate, *found)
    return Factors(value, (given.x, hidden), (delta, torch.ones_like(value).unsqueeze(2)), None)


def descend_alone(weights: Weights, batches: Batches, rate: float) -> None:
    """Take one plain gradient step per batch on the loss of `train`, in place, with one network per replica."""
    own = learner_weights(weights, None)
    rows = torch.arange(len(own[0]), device=own[0].device).unsqueeze(1)
    counts = torch.arange(batches.order.shape[2], device=rows.device) < batches.size.unsqueeze(1)  # (R, B)
    steps = -rate * counts.to(own[0].dtype) / batches.size.clamp(min=1).unsqueeze(1)
    for taken in batches.order.unbind(1):
        x, block, reward = (part[rows, taken] for part in batches[1:4])
        at = factors(own, Inputs(x, block))
        climb(own, at, steps * (at.value - reward))


def combine(base: Tensor, total: Tensor, slopes: Tensor, whole: Tensor, moves: Tensor) -> Tensor:
    """Return base - whole total - sum over v of moves[v] slopes[v], (R, K, P): entry k from block k of each.

    base, total: (R, B, P), slopes: (R, n, B, P), where B is 1 or K; whole: (R, K); moves: (R, K, up to n), mostly 0.
    """
    if base.device.type == "cpu":
        combined = base.new_empty((*whole.shape, base.shape[2]))
        fused_passes.combine(*(part.numpy() for part in (base, total, slopes, whole, moves, combined)))
        return combined
    apart = slopes[:, : moves.shape[2]].transpose(1, 2)  # (R, B, n, P)
    return base - whole.unsqueeze(2) * total - (moves.unsqueeze(2) @ apart).squeeze(2)


def trainable(x: Tensor) -> bool:
    """Return whether the fused loops can train networks on contexts: on the CPU."""
    return x.device.type == "cpu"


def arrays_of(weights: Weights, adam: Adam) -> tuple[Any, ...]:
    """Return the arrays that the fused loops change: the layers, the last layer as a row, Adam's moments, the steps."""
    (m, last_m), (v, last_v) = layers_of(adam.first), layers_of(adam.second)
    return *layers_of(weights), (m, v, last_m, last_v), adam.steps.numpy()


def layers_of(weights: Weights) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Return the layers as the fused loops take them: all but the last, and the last as a row."""
    first, *others = weights[:-1]
    return (first.numpy(), *(layer.unsqueeze(2).numpy() for layer in others)), weights[-1].mT.numpy()


def factors_of_members(weights: Weights, x: Tensor, block: Tensor) -> Factors:
    """Return f and its gradient of every network at one context per replica, for R n networks, with Q = 1."""
    learners = weights[0].shape[1]
    flat = tuple(layer.flatten(0, 1) for layer in weights)
    placed = block.repeat_interleave(learners).unsqueeze(1)
    return factors(flat, Inputs(x.repeat_interleave(learners, 0).unsqueeze(1), placed))


def _share(
    kernel: Callable[..., None], size: int, arrays: tuple[np.ndarray, ...], pool: Executor | None, pieces: int
) -> None:
    """Run a kernel over 0, ..., size - 1, in pieces, on the threads of a pool."""
    bounds = np.linspace(0, size, pieces + 1).astype(int)
    if pool is None or pieces == 1:
        kernel(0, size, *arrays)
        return
    for job in [pool.submit(kernel, a, b, *arrays) for a, b in itertools.pairwise(bounds)]:
        job.result()
