"""Feature vectors of users and items by truncated singular value decomposition of a rating matrix.

There are two recipes: `text_factors`, as the papers describe it (M-CNB section 6, Meta-Ban section 7), and
`released_factors`, as the published arrays of the papers were made.

Both use all ratings, including those that later define rewards, as the papers do.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError

NOISE = 1e-10
"""The share of the largest singular value below which another one is a rounding error."""


def unit_rows(rows: np.ndarray) -> np.ndarray:
    """Return the rows of an (n, d) array scaled to Euclidean length 1; rows of zeros do not change."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1.0)


def text_factors(matrix: sparse.csr_array, rank: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of users, (U, rank), and items, (I, rank), by the text: leading singular vectors, unit rows.

    matrix: (U, I), the ratings; 0 where there is none.
    """
    left, right = singular_vectors(matrix, rank)
    return unit_rows(left), unit_rows(right)


def released_factors(matrix: sparse.csr_array, dimension: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of users, (U, dimension), and items, (I, dimension), as released.

    The first dimension - 1 singular vectors of the matrix of signs, scaled to rows of length 1, then a constant 1, all
    divided by sqrt(2). matrix: (U, I), +1 for a liked and -1 for a disliked item.
    """
    left, right = singular_vectors(matrix, dimension - 1)
    with_constant = [np.hstack([unit_rows(side), np.ones((len(side), 1))]) / np.sqrt(2.0) for side in (left, right)]
    return with_constant[0], with_constant[1]


def singular_vectors(matrix: sparse.csr_array, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the `rank` leading left, (U, rank), and right, (I, rank), singular vectors.

    Of a matrix of lower rank there are as many as its rank: the next ones would be rounding errors. The entry of
    largest magnitude in every left vector is positive, and the work is done on one core, so that the same matrix gives
    the same bytes. Raises InputError where the matrix is too small, or has no entry but 0.
    """
    if rank >= min(matrix.shape):
        raise InputError(
            f"{rank} factors need more than {rank} users and items, but the ratings have {matrix.shape[0]} and "
            f"{matrix.shape[1]}: take more of both."
        )
    with threadpool_limits(1):
        start = np.full(min(matrix.shape), 1.0 / np.sqrt(min(matrix.shape)))
        left, values, right = svds(matrix.astype(np.float64), k=rank, v0=start)
    order = np.argsort(-values)
    order = order[values[order] > NOISE * values.max()]
    if not len(order):
        raise InputError("all entries of the matrix of ratings are 0, so that it has no factors: use other ratings.")
    left, right = left[:, order], right[order].T
    sign = np.sign(left[np.abs(left).argmax(axis=0), np.arange(len(order))])
    return left * sign, right * sign


def densest(users: np.ndarray, items: np.ndarray, most_users: int, most_items: int) -> np.ndarray:
    """Return a mask over ratings: those between the users with the most ratings and the items with the most ratings.

    This is the recipe of the text: ratings are counted on the whole data. Ties go to the smaller number.
    users, items: (n,), the user and the item of every rating.
    """
    return _most_frequent(users, most_users)[users] & _most_frequent(items, most_items)[items]


def densest_as_released(
    users: np.ndarray, items: np.ndarray, most_users: int, most_items: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the users and the items that are chosen as released, (n,) and (m,), in the order of their new numbers.

    The code takes 3n users first, then the items most rated by them, then n of these users, each time in order of
    decreasing numbers of ratings; ties stay in the order of the step before.
    """
    busy = _most_rated(users, np.arange(users.max() + 1), 3 * most_users)
    kept = np.isin(users, busy)
    popular = _most_rated(items[kept], np.arange(items.max() + 1), most_items)
    kept &= np.isin(items, popular)
    return _most_rated(users[kept], busy, most_users), popular


def _most_rated(numbers: np.ndarray, candidates: np.ndarray, most: int) -> np.ndarray:
    """Return up to `most` candidates that occur in `numbers`, the most frequent ones first."""
    counts = np.bincount(numbers, minlength=candidates.max() + 1)[candidates]
    order = np.argsort(-counts, kind="stable")[:most]
    return candidates[order[counts[order] > 0]]


def _most_frequent(numbers: np.ndarray, most: int) -> np.ndarray:
    """Return a mask over 0, 1, ..., which is true for the `most` numbers that occur most often."""
    counts = np.bincount(numbers)
    chosen = np.zeros(len(counts), bool)
    chosen[np.argsort(-counts, kind="stable")[:most]] = True
    return chosen & (counts > 0)
