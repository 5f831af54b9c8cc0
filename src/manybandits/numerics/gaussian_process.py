"""Gaussian process regression with a radial kernel, updated one observation at a time.

The prior covariance of two contexts is k(x, y) = exp(-gamma |x - y|^2) or exp(-gamma |x - y|), and rewards have noise
of variance lambda. With K the kernel matrix of the observed contexts, k(x) the kernels of x and these contexts,
L L' = K + lambda I and z = L^-1 r, the posterior is

    mean at x = q' z,    covariance at x and y = k(x, y) - q(x)' q(y),    q(x) = L^-1 k(x)

An observation adds a row to L by one step of the Cholesky factorisation. The process learns from the first `kept`
observations only; after them L and z do not change.

For block contexts that are not written out, `new_process` returns a `BlockProcess`, which gives the same results with
smaller factors. All functions here take it in place of a `Process`.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics import triangles
from manybandits.numerics.by_reference import block_gaussian_process
from manybandits.numerics.by_reference.block_gaussian_process import BlockProcess, new_block_process
from manybandits.numerics.by_reference.block_log import Log
from manybandits.numerics.growing_matrix import nonzero_places
from manybandits.numerics.kernel_matrix import Observed, add_observation, fill_kernels, is_full, kernel_at, new_observed
from manybandits.numerics.triangles import padded_length


class Process(NamedTuple):
    """The observations of a process, and workspace."""

    observed: Observed  # one group: L and z
    solved: np.ndarray  # (K, V): q of each arm, padded_length to whole tiles
    used: np.ndarray  # (d,): indices of the entries of a context that are not zero


def new_process(
    regularization: float,
    gamma: float,
    exponential: bool,
    kept: int,
    arms: int,
    dimension: int,
    log: Log | None = None,
) -> Process:
    """Return a process without observations: a `BlockProcess` if there is a log.

    regularization: lambda > 0; exponential: whether the kernel is exp(-gamma |x - y|); kept: number of
    observations to learn from; log: of block contexts that are not written out. Raises InputError if the observations
    would take more than 8 GiB, or cannot be split by blocks.
    """
    if log is not None:
        return cast(Process, new_block_process(regularization, gamma, exponential, kept, log))
    return Process(
        observed=new_observed(regularization, gamma, exponential, 1, kept, dimension, np.float64),
        solved=np.zeros((arms, padded_length(kept))),
        used=np.zeros(dimension, np.int64),
    )


@part(instead={BlockProcess: block_gaussian_process.posterior}, inlined=False)
def posterior(process: Process, contexts: np.ndarray, mean: np.ndarray, covariance: np.ndarray) -> None:
    """Fill mean, (K,), and covariance, (K, K), with the posterior at the contexts of a round, (K, d)."""
    observed = process.observed
    square = np.empty(len(contexts))
    for k in range(len(contexts)):
        x, q = contexts[k], process.solved[k]
        square[k] = triangles.product(x, x)
        count = fill_kernels(observed, 0, x, process.used[: nonzero_places(x, process.used)], square[k], q)
        mean[k] = triangles.solve(observed.triangles, 0, q)
        for j in range(k + 1):
            between = square[k] + square[j] - 2.0 * triangles.product(x, contexts[j])
            rest = kernel_at(observed, between) - triangles.product(q[:count], process.solved[j, :count])
            covariance[k, j] = covariance[j, k] = rest
        covariance[k, k] = max(covariance[k, k], 0.0)


@part(instead={BlockProcess: block_gaussian_process.observe}, inlined=False)
def observe(process: Process, x: np.ndarray, reward: float) -> None:
    """Add the observation (x, reward), unless the process already has `kept` of them. x: (d,)."""
    if is_full(process.observed):
        return
    square, values = triangles.product(x, x), process.solved[0]
    fill_kernels(process.observed, 0, x, process.used[: nonzero_places(x, process.used)], square, values)
    add_observation(process.observed, 0, x, square, values, 1.0, reward)
