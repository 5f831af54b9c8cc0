"""Observations of a Gaussian process in independent groups, and their kernels with a new context.

The kernel is k(x, y) = exp(-gamma |x - y|^2), or exp(-gamma |x - y|). Each group stores its contexts as the rows of a
matrix, the Cholesky factor L of the covariance of its rewards r, noise included, and z = L^-1 r. The covariance itself
is given by `manybandits.numerics.gaussian_process` and `manybandits.numerics.sparse_blocks.block_gaussian_process`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics import triangles
from manybandits.numerics.growing_matrix import Rows, append_row, most_strips, multiply, new_rows
from manybandits.numerics.triangles import LARGEST, TILE, TILE_BYTES, Triangles, most_tiles, new_triangles
from manybandits.numerics.vectors import total


class Observed(NamedTuple):
    """Up to `kept` observations in B groups."""

    gamma: float
    exponential: bool  # whether the distance is not squared
    regularization: float  # lambda, the variance of the noise
    rows: Rows  # B matrices: the contexts of a group
    square: np.ndarray  # (B, kept): their squared lengths
    triangles: Triangles  # B: L and z of a group


def new_observed(
    regularization: float,
    gamma: float,
    exponential: bool,
    groups: int,
    kept: int,
    dimension: int,
    kind: type,
) -> Observed:
    """Return groups without observations; raise InputError if they would take more than 8 GiB.

    kept: number of observations of all groups together; dimension: of a context; kind: float32 or float64, of contexts.
    """
    tiles = most_tiles(kept, kept, groups)
    context_bytes = most_strips(kept, groups) * TILE * dimension * np.dtype(kind).itemsize
    needed = tiles * TILE_BYTES + context_bytes + groups * kept * 8
    if needed > LARGEST:
        raise InputError(
            f"a Gaussian process on {kept:,} observations of {dimension:,} numbers takes {needed / 2**30:.1f} GiB per "
            f"replica, more than the limit of {LARGEST / 2**30:g}: lower the option kept."
        )
    return Observed(
        gamma=gamma,
        exponential=exponential,
        regularization=regularization,
        rows=new_rows(groups, kept, dimension, kind),
        square=np.zeros((groups, kept)),
        triangles=new_triangles(groups, tiles),
    )


@part
def kernel_at(observed: Observed, square: float) -> float:
    """Return the kernel of two contexts at this squared distance, which a rounding error may make negative."""
    distance = max(square, 0.0)
    if observed.exponential:
        distance = np.sqrt(distance)
    return np.exp(-observed.gamma * distance)


@part
def is_full(observed: Observed) -> bool:
    """Return whether there is no room for another observation."""
    return total(observed.triangles.rows) == observed.square.shape[1]


@part
def fill_kernels(
    observed: Observed, group: int, x: np.ndarray, used: np.ndarray, square: float, values: np.ndarray
) -> int:
    """Fill `values` with the kernels of x and the n contexts of a group; return n.

    x: (d,); used: indices of its entries that are not zero; square: x' x; values: as long as whole tiles.
    """
    count = observed.triangles.rows[group]
    multiply(observed.rows, group, count, x, used, values)
    for i in range(count):
        values[i] = kernel_at(observed, square + observed.square[group, i] - 2.0 * values[i])
    return count


@part(inlined=False)
def add_observation(
    observed: Observed, group: int, x: np.ndarray, square: float, values: np.ndarray, variance: float, reward: float
) -> tuple[float, float]:
    """Add an observation to a group; return its diagonal entry of L and its entry of z.

    x: (d,); square: x' x; values: the covariances of x and the contexts before it, as long as whole tiles; overwritten
    by the row of L. variance: the prior variance at x, without noise.
    """
    row = observed.triangles.rows[group]
    append_row(observed.rows, group, row, x)
    observed.square[group, row] = square
    return triangles.append(observed.triangles, group, values, variance + observed.regularization, reward)
