"""Ridge regression on block contexts that are not written out: the data of learners and their Cholesky factors.

A context is x in block k of K and zeros elsewhere. M = lambda I + sum x x' is therefore block diagonal with K blocks,
and most of the time a block has far fewer observations than x has numbers, d. With the contexts of a block as the rows
of X, G = lambda I + X X' = L L' and z = L^-1 r,

    theta' x = q' z,    x' M^-1 x = (x' x - q' q) / lambda,    q = L^-1 X x,    theta = X' L'^-1 z

so an observation adds a row to L by one step of the Cholesky factorisation, and no d x d matrix is needed. A block with
more than d observations stores the factor of its M = L L' instead, with z = L^-1 b; then q = L^-1 x, theta = L'^-1 z,
x' M^-1 x = q' q, and an observation updates L by plane rotations. Both forms are exact, and rounding errors do not add
up.

All learners of a replica share its log (`manybandits.numerics.sparse_blocks.block_log`). The data of a learner are
weights: how often it counts each round. `manybandits.numerics.sparse_blocks.block_ridge` changes the data; `cut_back`
and `catch_up` then make L fit them, and keep the rows of L before the first one that changed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics import triangles
from manybandits.numerics.sparse_blocks.block_log import Log, features_of, product_with
from manybandits.numerics.triangles import LARGEST, TILE_BYTES, Triangles, most_tiles, new_triangles
from manybandits.numerics.vectors import fill


class BlockRidge(NamedTuple):
    """The data, the factors and the estimates of n learners."""

    log: Log
    triangles: Triangles  # n K: z and L of the K blocks of learner 0, then of learner 1, ...
    regularization: np.ndarray  # (n,): lambda
    weight: np.ndarray  # (n, T) int16: how often a learner counts a round
    factored: np.ndarray  # (n, T) int16: how often its L counts it
    full: np.ndarray  # (n K,) bool: whether L is the factor of M
    current: np.ndarray  # (n K,) bool: whether theta is that of L
    estimate: np.ndarray  # (n, K d): theta, see `estimate_of`
    count: np.ndarray  # (n,): observations


def new_block_ridge(regularization: float, learners: int, log: Log, copies: int) -> BlockRidge:
    """Return `learners` ridge regressions without observations.

    regularization: lambda > 0; copies: to how many learners at a time an observation may belong.
    Raises InputError if they would take more than 8 GiB.
    """
    blocks, rounds = len(log.ends), len(log.item)
    width = log.features.array.shape[1]
    count = learners * blocks
    tiles = most_tiles(copies * rounds, min(rounds, width), count)
    needed = tiles * TILE_BYTES + learners * (4 * rounds + 8 * blocks * width)
    if needed > LARGEST:
        raise InputError(
            f"{learners} learners on {rounds:,} rounds of {blocks} blocks of {width:,} features take "
            f"{needed / 2**30:.1f} GiB per replica, more than the limit of {LARGEST / 2**30:g}: play fewer rounds."
        )
    return BlockRidge(
        log=log,
        triangles=new_triangles(count, tiles),
        regularization=np.full(learners, regularization),
        weight=np.zeros((learners, rounds), np.int16),
        factored=np.zeros((learners, rounds), np.int16),
        full=np.zeros(count, bool),
        current=np.ones(count, bool),
        estimate=np.zeros((learners, blocks * width)),
        count=np.zeros(learners, np.int64),
    )


@part(inlined=False)
def gather_products(ridge: BlockRidge, learner: int, x: np.ndarray) -> None:
    """Fill `values` of the log with X x, where the rows of X are those in a learner's L for the block of x."""
    log, factored = ridge.log, ridge.factored[learner]
    row = 0
    i = log.ends[x[2], 0]
    while i >= 0:
        if factored[i] > 0:
            log.values[row] = root_of(factored[i]) * product_with(log, i, x[0], x[1])
            row += 1
        i = log.following[i]


@part(inlined=False)
def cut_back(ridge: BlockRidge, learner: int, block: int) -> None:
    """Remove rows from L, from the first one on whose round is no longer in the data or has another weight."""
    log, weight, factored = ridge.log, ridge.weight[learner], ridge.factored[learner]
    s = learner * len(log.ends) + block
    rows = 0
    i = log.ends[block, 0]
    while i >= 0 and weight[i] == factored[i]:
        rows += factored[i] > 0
        i = log.following[i]
    if i < 0:
        return
    if ridge.full[s]:
        ridge.full[s] = False
        rows, i = 0, log.ends[block, 0]
    triangles.shorten(ridge.triangles, s, rows)
    ridge.current[s] = False
    while i >= 0:
        factored[i] = 0
        i = log.following[i]


@part(inlined=False)
def catch_up(ridge: BlockRidge, learner: int, block: int) -> None:
    """Add to L the observations that are in the data but not in L."""
    log, weight, factored = ridge.log, ridge.weight[learner], ridge.factored[learner]
    s = learner * len(log.ends) + block
    missing = 0
    i = log.ends[block, 0]
    while i >= 0:
        missing += weight[i] > 0 and factored[i] == 0
        i = log.following[i]
    if missing == 0:
        return
    if ridge.triangles.rows[s] + missing > log.features.array.shape[1]:
        factor_matrix(ridge, learner, block)
        return
    x = np.empty(3, np.int64)
    i = log.ends[block, 0]
    while i >= 0:
        if weight[i] > 0 and factored[i] == 0:
            x[0], x[1], x[2] = i, log.item[i], block
            gather_products(ridge, learner, x)
            square = ridge.regularization[learner] + weight[i] * product_with(log, i, i, x[1])
            root = root_of(weight[i])
            for row in range(ridge.triangles.rows[s]):
                log.values[row] *= root
            triangles.append(ridge.triangles, s, log.values, square, root * log.reward[i])
            factored[i] = weight[i]
        i = log.following[i]


@part(inlined=False)
def factor_matrix(ridge: BlockRidge, learner: int, block: int) -> None:
    """Replace L by the factor of the M of a block."""
    log, weight = ridge.log, ridge.weight[learner]
    s = learner * len(log.ends) + block
    width = log.features.array.shape[1]
    gram, moment = np.zeros((width, width)), np.zeros(width)
    i = log.ends[block, 0]
    while i >= 0:
        if weight[i] > 0:
            x = features_of(log, log.item[i])
            for j in range(width):
                if x[j] != 0:
                    scaled = weight[i] * np.float64(x[j])
                    moment[j] += scaled * log.reward[i]
                    for k in range(j + 1):
                        gram[j, k] += scaled * x[k]
        ridge.factored[learner, i] = weight[i]
        i = log.following[i]
    triangles.shorten(ridge.triangles, s, 0)
    for j in range(width):
        for k in range(j):
            log.values[k] = gram[j, k]
        triangles.append(ridge.triangles, s, log.values, ridge.regularization[learner] + gram[j, j], moment[j])
    ridge.full[s] = True


@part(inlined=False)
def drop_factor(ridge: BlockRidge, learner: int, block: int) -> None:
    """Drop the L of a block."""
    s = learner * len(ridge.log.ends) + block
    triangles.shorten(ridge.triangles, s, 0)
    ridge.full[s] = False
    ridge.current[s] = False
    i = ridge.log.ends[block, 0]
    while i >= 0:
        ridge.factored[learner, i] = 0
        i = ridge.log.following[i]


@part(inlined=False)
def estimate_block(ridge: BlockRidge, learner: int, block: int) -> None:
    """Compute the estimate of a learner in one block."""
    log, factored = ridge.log, ridge.factored[learner]
    s = learner * len(log.ends) + block
    width = log.features.array.shape[1]
    estimate = ridge.estimate[learner, block * width : (block + 1) * width]
    triangles.solve_back(ridge.triangles, s, log.values)
    ridge.current[s] = True
    if ridge.full[s]:
        for j in range(width):
            estimate[j] = log.values[j]
        return
    fill(estimate, 0.0)
    row = 0
    i = log.ends[block, 0]
    while i >= 0:
        if factored[i] > 0:
            share, x = root_of(factored[i]) * log.values[row], features_of(log, log.item[i])
            for j in range(width):
                estimate[j] += share * x[j]
            row += 1
        i = log.following[i]


@part
def root_of(weight: int) -> float:
    """Return the square root of a weight in double precision; of an int16, np.sqrt has single precision only."""
    return np.sqrt(np.float64(weight))
