"""What a Gaussian process has observed, in groups that know nothing of each other, and its kernel with a new context.

The kernel is k(x, y) = exp(-gamma |x - y|^2), or exp(-gamma |x - y|). For each group the contexts are kept as the rows
of a matrix, and beside it a factor L L' of the covariance of what was observed, noise included, with z = L^-1 r. Which
covariance that is, is the business of `manybandits.numerics.gaussian_process` and
`manybandits.numerics.by_reference.block_gaussian_process`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics import triangles
from manybandits.numerics.growing_matrix import Rows, most_strips, multiply, new_rows, set_row
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
    """Return groups without observations; raise InputError where they would take more than 8 GiB.

    kept: observations of all groups together; dimension: of a context;
    kind: of its numbers, float32 or float64.
    """
    tiles = most_tiles(kept, kept, groups)
    context_bytes = most_strips(kept, groups) * TILE * dimension * np.dtype(kind).itemsize
    needed = tiles * TILE_BYTES + context_bytes + groups * kept * 8
    if needed > LARGEST:
        raise InputError(
            f"a Gaussian process on {kept:,} observations of {dimension:,} numbers takes {needed / 2**30:.1f} GiB a "
            f"replica, above {LARGEST / 2**30:g}: lower the option kept."
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
    """Return the kernel of two contexts of this squared distance, which may be below zero by a rounding error."""
    distance = max(square, 0.0)
    if observed.exponential:
        distance = np.sqrt(distance)
    return np.exp(-observed.gamma * distance)


@part
def is_full(observed: Observed) -> bool:
    """Whether there is no room for another observation."""
    return total(observed.triangles.rows) == observed.square.shape[1]


@part
def gather(observed: Observed, group: int, x: np.ndarray, used: np.ndarray, square: float, values: np.ndarray) -> int:
    """Fill `values` with the kernels of x with the n contexts of a group; return n.

    x: (d,); used: where it is not zero; square: x' x; values: room for whole tiles.
    """
    count = observed.triangles.rows[group]
    multiply(observed.rows, group, count, x, used, values)
    for i in range(count):
        values[i] = kernel_at(observed, square + observed.square[group, i] - 2.0 * values[i])
    return count


@part(inlined=False)
def add(
    observed: Observed, group: int, x: np.ndarray, square: float, values: np.ndarray, variance: float, reward: float
) -> tuple[float, float]:
    """Add an observation to a group; return what L has on the diagonal for it, and z.

    x: (d,); square: x' x; values: the covariance of x with those before it, with room for whole tiles, and then the row
    of L; variance: that of x itself, without noise.
    """
    row = observed.triangles.rows[group]
    set_row(observed.rows, group, row, x)
    observed.square[group, row] = square
    return triangles.append(observed.triangles, group, values, variance + observed.regularization, reward)
