"""Gaussian process regression on block contexts that are not written out.

It gives the posterior of `manybandits.numerics.gaussian_process`, exactly, with a smaller factor for each block.

Two contexts in different blocks are orthogonal, so that |x - y|^2 = |x|^2 + |y|^2 and their kernel is a product,
k(x, y) = u(x) u(y), where u(x)^2 is the kernel at distance sqrt(2) |x|; for exp(-gamma |x - y|) this holds if all
contexts have the same length. Within a block, k(x, y) = u(x) u(y) + h(x, y), and h is a kernel, too: the conditional
covariance given f below. The process is therefore a sum of independent processes: f u(x), with one number f ~ N(0, 1)
for all blocks, and a process of covariance h in each block. Given f, the blocks are independent. With H the matrix of
h on the n observations of a block, L L' = H + lambda I, z = L^-1 r and w = L^-1 u,

    f given all observations:  precision p = 1 + sum of w' w,  mean m = (sum of w' z) / p       sums over blocks
    mean at x               =  q' z + c m                      q = L^-1 h(x),  c = u(x) - q' w, in the block of x
    covariance at x and y   =  c(x) c(y) / p, and where x = y  + h(x, x) - q' q

K arms thus cost one solve each with the small factor of their own block, instead of with a factor of all observations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.compiling.replicas import Shared
from manybandits.numerics import kernel_matrix, triangles
from manybandits.numerics.growing_matrix import nonzero_places
from manybandits.numerics.kernel_matrix import Observed, is_full, kernel_at, new_observed
from manybandits.numerics.sparse_blocks.block_log import Log
from manybandits.numerics.triangles import padded_length

SAME = 1e-5
"""Lengths of float32 contexts that differ by no more than this count as equal."""


class BlockProcess(NamedTuple):
    """The observations of a process, and workspace."""

    features: Shared  # (I, d) float32
    observed: Observed  # one group per block: L and z of h
    height: np.ndarray  # (K, kept): u of an observation
    common: np.ndarray  # (K, kept): w of a block
    precision: np.ndarray  # (1,): p
    moment: np.ndarray  # (1,): the sum of w' z
    x: np.ndarray  # (d,): the features of the item of the round
    used: np.ndarray  # (d,): indices of those that are not zero
    solved: np.ndarray  # (V,): q, padded_length to whole tiles


def new_block_process(regularization: float, gamma: float, exponential: bool, kept: int, log: Log) -> BlockProcess:
    """Return a process without observations.

    Raises InputError if the kernel is exponential and contexts have different lengths.
    """
    lengths = np.linalg.norm(log.features.array, axis=1)
    if exponential and np.ptp(lengths) > SAME:
        raise InputError(
            f"contexts have lengths from {lengths.min():.4g} to {lengths.max():.4g}, but an exponential kernel needs "
            "contexts of equal length: set kernel to gaussian."
        )
    blocks, width = len(log.ends), log.features.array.shape[1]
    return BlockProcess(
        features=log.features,
        observed=new_observed(regularization, gamma, exponential, blocks, kept, width, np.float32),
        height=np.zeros((blocks, kept)),
        common=np.zeros((blocks, kept)),
        precision=np.ones(1),
        moment=np.zeros(1),
        x=np.zeros(width),
        used=np.zeros(width, np.int64),
        solved=np.zeros(padded_length(kept)),
    )


@part(inlined=False)
def posterior(process: BlockProcess, contexts: np.ndarray, mean: np.ndarray, covariance: np.ndarray) -> None:
    used, square, height = take_features(process, contexts[0, 1])
    precision, shared = process.precision[0], process.moment[0] / process.precision[0]
    share = np.empty(len(contexts))
    for k in range(len(contexts)):
        block = contexts[k, 2]
        count = fill_covariances(process, block, used, square, height)
        own = triangles.solve(process.observed.triangles, block, process.solved)
        q = process.solved[:count]
        share[k] = height - triangles.product(q, process.common[block, :count])
        mean[k] = own + share[k] * shared
        for j in range(k + 1):
            covariance[k, j] = covariance[j, k] = share[k] * share[j] / precision
        covariance[k, k] += max(1.0 - height * height - triangles.product(q, q), 0.0)


@part(inlined=False)
def observe(process: BlockProcess, x: np.ndarray, reward: float) -> None:
    if is_full(process.observed):
        return
    block = x[2]
    used, square, height = take_features(process, x[1])
    row = fill_covariances(process, block, used, square, height)
    variance = 1.0 - height * height
    diagonal, z = kernel_matrix.add_observation(
        process.observed, block, process.x, square, process.solved, variance, reward
    )
    w = (height - triangles.product(process.solved[:row], process.common[block, :row])) / diagonal
    process.height[block, row], process.common[block, row] = height, w
    process.precision[0] += w * w
    process.moment[0] += w * z


@part
def take_features(process: BlockProcess, item: int) -> tuple[np.ndarray, float, float]:
    """Set `x` to the features of an item; return the indices of those that are not zero, x' x and u(x)."""
    features = process.features.array[item]
    for j in range(len(features)):
        process.x[j] = features[j]
    square = triangles.product(process.x, process.x)
    used = process.used[: nonzero_places(process.x, process.used)]
    return used, square, np.sqrt(kernel_at(process.observed, 2.0 * square))


@part
def fill_covariances(process: BlockProcess, block: int, used: np.ndarray, square: float, height: float) -> int:
    """Fill `solved` with h(x): the covariances of x and the n observations of a block, given f; return n."""
    count = kernel_matrix.fill_kernels(process.observed, block, process.x, used, square, process.solved)
    for i in range(count):
        process.solved[i] -= height * process.height[block, i]
    return count
