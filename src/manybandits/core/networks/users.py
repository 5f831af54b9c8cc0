"""Networks of many users: all of them evaluated at the arms of a round, some of them moved by observations.

On the CPU, two layers without biases go through the fused loops of `manybandits.core.networks.fused`; every other
depth and device through the general form. Both give the same numbers up to rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
import torch
from torch import Tensor

from manybandits.core.networks import Factors, Inputs, Weights, factors, fused, fusible, gradient
from manybandits.core.networks.optimisers import Adam

CHUNK = 2**18
"""Weights that the general form evaluates at a time: what stays in cache."""


def outputs_of_all(weights: Weights, given: Inputs, pool: Executor | None = None, pieces: int = 1) -> Tensor:
    """Return f of all n networks at the Q contexts of every replica, (R, n, Q).

    pool, pieces: share the networks out among threads.
    """
    replicas, learners = weights[0].shape[:2]
    arms = weights[0].shape[2] if given.block is None and given.x.shape[1] == 1 else given.x.shape[1]
    values = weights[0].new_empty((replicas, learners, arms))
    if fusible(weights, given) and given.block is None:
        place = torch.zeros if weights[0].shape[2] == 1 else torch.arange
        arrays = tuple(
            part.numpy() for part in (weights[0], weights[1].mT, given.x, place(arms, dtype=torch.int64), values)
        )
        _share(fused.outputs, replicas * learners, arrays, pool, pieces)
        return values
    step = max(1, CHUNK // (weights[0][0, 0].numel() + 1))
    block = None if given.block is None else given.block.repeat_interleave(learners, 0)
    flat = tuple(layer.flatten(0, 1) for layer in weights)
    x = given.x.repeat_interleave(learners, 0)
    rows = values.flatten(0, 1)
    for first in range(0, replicas * learners, step):
        part = slice(first, first + step)
        some = Inputs(x[part], None if block is None else block[part])
        rows[part] = factors(tuple(layer[part] for layer in flat), some).value
    return values


def adam_step(
    weights: Weights, adam: Adam, members: Tensor, x: Tensor, block: Tensor, reward: Tensor, rate: float
) -> None:
    """Let the networks of `members` take an Adam step on (f(x) - reward)^2 / 2.

    members: (R, n) bool; x: (R, d); block, reward: (R,).
    """
    if fusible(weights, Inputs(x)):
        first, last, moments = two_layer_arrays(weights, adam)
        given = (x.numpy(), block.numpy(), reward.numpy(), rate)
        size = first.shape[0] * first.shape[1]
        fused.adam_steps(0, size, first, last, moments, adam.steps.numpy(), members.numpy(), *given)
        return
    at = factors_of_members(weights, x, block)
    learners = members.shape[1]
    error = at.value - reward.repeat_interleave(learners).unsqueeze(1)
    slopes = gradient(at, error, tuple(layer.flatten(0, 1) for layer in weights))
    shaped = tuple(slope.view(layer.shape) for slope, layer in zip(slopes, weights, strict=True))
    inside = block[:, None] == torch.arange(weights[0].shape[2], device=block.device)
    touched = inside.unsqueeze(2) & _present(x, weights).unsqueeze(1)
    adam.step(weights, shaped, rate, members, touched.unsqueeze(1))


def train(weights: Weights, adam: Adam, learner: Tensor, x: Tensor, block: Tensor, reward: Tensor, rate: float) -> None:
    """Take S Adam steps on the mean of (f(x) - reward)^2 / 2 over B observations each, every one through its learner.

    learner, block, reward: (R, S, B); x: (R, S, B, d).
    """
    if fusible(weights, Inputs(x)):
        first, last, moments = two_layer_arrays(weights, adam)
        places, given = (learner.numpy(), x.numpy()), (block.numpy(), reward.numpy())
        fused.train(first, last, moments, adam.steps.numpy(), *places, *given, rate)
        return
    replicas, learners = weights[0].shape[:2]
    rows = torch.arange(replicas, device=x.device).unsqueeze(1)
    for u, contexts, b, r in zip(*(part.unbind(1) for part in (learner, x, block, reward)), strict=True):
        # Every observation meets its own network: R B networks with a context each.
        own = tuple(layer[rows, u].flatten(0, 1) for layer in weights)
        at = factors(own, Inputs(contexts.flatten(0, 1).unsqueeze(1), b.reshape(-1, 1)))
        error = (at.value - r.reshape(-1, 1)) / r.shape[1]
        place = (rows * learners + u).flatten()
        slopes = tuple(
            torch.zeros_like(layer).flatten(0, 1).index_add_(0, place, slope).view_as(layer)
            for layer, slope in zip(weights, gradient(at, error, own), strict=True)
        )
        touched = torch.zeros(weights[0].shape[:4], dtype=torch.int32, device=x.device)
        touched.index_put_((rows, u, b), _present(contexts, weights).int(), accumulate=True)
        moving = torch.zeros((replicas, learners), dtype=torch.bool, device=x.device)
        moving[rows, u] = True
        adam.step(weights, slopes, rate, moving, touched > 0)


def _present(x: Tensor, weights: Weights) -> Tensor:
    """Return which inputs of a first layer are not zero, (..., d); the bias, where there is one, never is."""
    return torch.nn.functional.pad(x != 0, (0, weights[0].shape[3] - x.shape[-1]), value=True)


def two_layer_arrays(weights: Weights, adam: Adam) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, ...]]:
    """Return the arrays that the fused loops change: first layer, last layer as rows, and Adam's moments of both."""
    parts = (layer.numpy() for layer in (adam.first[0], adam.second[0], adam.first[1].mT, adam.second[1].mT))
    return weights[0].numpy(), weights[1].mT.numpy(), tuple(parts)


def factors_of_members(weights: Weights, x: Tensor, block: Tensor) -> Factors:
    """Return f and its gradient of every network at one context a replica: R n of them, with Q = 1."""
    learners = weights[0].shape[1]
    flat = tuple(layer.flatten(0, 1) for layer in weights)
    placed = block.repeat_interleave(learners).unsqueeze(1)
    return factors(flat, Inputs(x.repeat_interleave(learners, 0).unsqueeze(1), placed))


def _share(
    kernel: Callable[..., None], size: int, arrays: tuple[np.ndarray, ...], pool: Executor | None, pieces: int
) -> None:
    """Run a kernel over 0, ..., size - 1, in pieces on the threads of a pool."""
    bounds = np.linspace(0, size, pieces + 1).astype(int)
    if pool is None or pieces == 1:
        kernel(0, size, *arrays)
        return
    for job in [pool.submit(kernel, a, b, *arrays) for a, b in itertools.pairwise(bounds)]:
        job.result()
