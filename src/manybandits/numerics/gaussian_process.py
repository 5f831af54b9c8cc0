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
from manybandits.numerics.growing_matrix import nonzero_places
from manybandits.numerics.kernel_matrix import Observed, add_observation, fill_kernels, is_full, kernel_at, new_observed
from manybandits.numerics.sparse_blocks import block_gaussian_process
from manybandits.numerics.sparse_blocks.block_gaussian_process import BlockProcess, new_block_process
from manybandits.numerics.sparse_blocks.block_log import Log
from manybandits.numerics.triangles import padded_length


class Process(NamedTuple):
    """The observations of a process, and workspace."""

    observed: Observed  # one group: L and z
    solved: np.ndarray  # (K, V): q of each arm, padded_length to whole tiles; K = 1 if only marginals are asked for
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

    regularization: lambda > 0; exponential: whether the kernel is exp(-gamma |x - y|); kept: number of observations to
    learn from; arms: the largest number of arms whose joint posterior is asked for, 1 for their `marginals`; log: of
    block contexts that are not written out. Raises InputError if the observations would take more than 8 GiB, or cannot
    be split by blocks.
    """
    if log is not None:
        return cast(Process, new_block_process(regularization, gamma, exponential, kept, log))
    return Process(
        observed=new_observed(regularization, gamma, exponential, 1, kept, dimension, np.float64),
        solved=np.zeros((arms, padded_length(kept))),
        used=np.zeros(dimension, np.int64),
    )


@part(overloads={BlockProcess: block_gaussian_process.posterior}, inlined=False)
def posterior(process: Process, contexts: np.ndarray, mean: np.ndarray, covariance: np.ndarray) -> None:
    """Fill mean, (K,), and covariance, (K, K), with the posterior at the contexts of a round, (K, d).

    The process was made for at least K arms.
    """
    observed = process.observed
    square = np.empty(len(contexts))
    for k in range(len(contexts)):
        q = process.solved[k]
        square[k], count, mean[k] = solve_at(process, contexts[k], q)
        for j in range(k + 1):
            between = square[k] + square[j] - 2.0 * triangles.product(contexts[k], contexts[j])
            rest = kernel_at(observed, between) - triangles.product(q[:count], process.solved[j, :count])
            covariance[k, j] = covariance[j, k] = rest
        covariance[k, k] = max(covariance[k, k], 0.0)


@part(inlined=False)
def marginals_of_blocks(process: BlockProcess, contexts: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
    # Arms are as few as blocks, and their covariances are products of two numbers each, so that all are computed.
    covariance = np.empty((len(contexts), len(contexts)))
    block_gaussian_process.posterior(process, contexts, mean, covariance)
    for k in range(len(contexts)):
        variance[k] = covariance[k, k]


@part(overloads={BlockProcess: marginals_of_blocks}, inlined=False)
def marginals(process: Process, contexts: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
    """Fill mean and variance, (K,) each, with the posterior at each of the contexts of a round alone, (K, d).

    They equal the mean and the diagonal of the covariance of `posterior`, to the last bit.
    """
    prior, q = kernel_at(process.observed, 0.0), process.solved[0]
    for k in range(len(contexts)):
        _, count, mean[k] = solve_at(process, contexts[k], q)
        variance[k] = max(prior - triangles.product(q[:count], q[:count]), 0.0)


@part
def solve_at(process: Process, x: np.ndarray, q: np.ndarray) -> tuple[float, int, float]:
    """Fill q, (V,), with L^-1 k(x); return x' x, the number of observations and the mean at x. x: (d,)."""
    square = triangles.product(x, x)
    count = fill_kernels(process.observed, 0, x, process.used[: nonzero_places(x, process.used)], square, q)
    return square, count, triangles.solve(process.observed.triangles, 0, q)


@part(overloads={BlockProcess: block_gaussian_process.observe}, inlined=False)
def observe(process: Process, x: np.ndarray, reward: float) -> None:
    """Add the observation (x, reward), unless the process already has `kept` of them. x: (d,)."""
    if is_full(process.observed):
        return
    square, values = triangles.product(x, x), process.solved[0]
    fill_kernels(process.observed, 0, x, process.used[: nonzero_places(x, process.used)], square, values)
    add_observation(process.observed, 0, x, square, values, 1.0, reward)
