"""Feature vectors of users and items from a rating matrix, by truncated singular value decomposition.

Two recipes: `text_factors`, as the papers describe it (M-CNB section 6, Meta-Ban section 7), and
`released_factors`, as their published arrays were made.

Both see every rating that later defines a reward. That is how the papers do it.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError


def unit_rows(rows: np.ndarray) -> np.ndarray:
    """Scale every row of an (n, d) array to Euclidean length 1; rows of zeros stay as they are."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1.0)


def text_factors(matrix: sparse.csr_array, rank: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return unit factors of users, (U, rank), and items, (I, rank): the leading singular vectors.

    matrix: (U, I), ratings where there are any.
    """
    left, right = singular_vectors(matrix, rank)
    return unit_rows(left), unit_rows(right)


def released_factors(matrix: sparse.csr_array, dimension: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return the released features of users, (U, dimension), and items, (I, dimension).

    dimension - 1 singular vectors of the matrix of signs, rows of length 1, then a constant 1, all over
    sqrt(2). matrix: (U, I), +1 for a liked and -1 for a disliked item.
    """
    left, right = singular_vectors(matrix, dimension - 1)
    with_constant = [np.hstack([unit_rows(side), np.ones((len(side), 1))]) / np.sqrt(2.0) for side in (left, right)]
    return with_constant[0], with_constant[1]


def singular_vectors(matrix: sparse.csr_array, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the `rank` leading left, (U, rank), and right, (I, rank), singular vectors.

    The largest entry of every left vector is positive and the work is done on one core, so that the same
    matrix gives the same bytes.
    """
    if rank >= min(matrix.shape):
        raise InputError(f"{rank} factors need more than {rank} users and items, but the matrix is {matrix.shape}.")
    with threadpool_limits(1):
        start = np.full(min(matrix.shape), 1.0 / np.sqrt(min(matrix.shape)))
        left, values, right = svds(matrix.astype(np.float64), k=rank, v0=start)
    order = np.argsort(-values)
    left, right = left[:, order], right[order].T
    sign = np.sign(left[np.abs(left).argmax(axis=0), np.arange(rank)])
    return left * sign, right * sign


def densest(users: np.ndarray, items: np.ndarray, most_users: int, most_items: int) -> np.ndarray:
    """Select the ratings among the users and the items with the most ratings; return a mask over ratings.

    Text recipe: both counts are taken on the whole data. Ties go to the smaller number.
    """
    return _most_frequent(users, most_users)[users] & _most_frequent(items, most_items)[items]


def densest_as_released(users: np.ndarray, items: np.ndarray, most_users: int, most_items: int) -> np.ndarray:
    """Select as the released code does: 3n users first, then the items these rate, then n of the users."""
    kept = _most_frequent(users, 3 * most_users)[users]
    kept &= _most_frequent(items[kept], most_items, len(np.bincount(items)))[items]
    kept &= _most_frequent(users[kept], most_users, len(np.bincount(users)))[users]
    return kept


def _most_frequent(numbers: np.ndarray, most: int, length: int = 0) -> np.ndarray:
    """Return a mask over 0, 1, ...: the `most` numbers that occur most often."""
    counts = np.bincount(numbers, minlength=length)
    chosen = np.zeros(len(counts), bool)
    chosen[np.argsort(-counts, kind="stable")[:most]] = True
    return chosen & (counts > 0)
