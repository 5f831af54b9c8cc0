"""Ridge regression on contexts of hundreds of numbers: the steps that take most of the time.

A matrix of 800 x 800 numbers is larger than the cache of a processor. Here `ROWS` rows of it are used together, before
the next ones are fetched, and features that are zero, as most pixels of an image of a letter are, are left out: they
would add zeros. Every number is added up in the same order as in `manybandits.numerics.ridge`, whose functions of the
same names call these. (One core, contexts of 793 numbers of which three quarters are zero: `predict` takes 0.4 in place
of 1.3 ms, `add` 0.3 in place of 1.5, `invert` 45 in place of 200.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.lanes import LANES, add_product, add_scaled, load, store, sum_lanes, twice, zeros
from manybandits.compiling.parts import part
from manybandits.numerics.triangles import pivot
from manybandits.numerics.vectors import dot, fill

ROWS = 32
"""Rows of a matrix that are used together: 200 kB if they have 800 numbers."""


class LongRidge(NamedTuple):
    """A `manybandits.numerics.ridge.Ridge` of more than `ROWS` dimensions."""

    gram: np.ndarray
    inverse: np.ndarray
    moment: np.ndarray
    estimate: np.ndarray
    count: np.ndarray


@part(inlined=False)
def predict(ridge: LongRidge, learner: int, contexts: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> None:
    inverse, estimate = ridge.inverse[learner], ridge.estimate[learner]
    dimension, last = contexts.shape[1], contexts.shape[0] - 1
    totals, used = np.empty((4, dimension)), np.empty(ROWS, np.int64)
    for a in range(0, last + 1, 4):
        b, c, d = min(a + 1, last), min(a + 2, last), min(a + 3, last)
        for k in range(4):
            fill(totals[k], 0.0)
        for start in range(0, dimension, ROWS):
            end, count = min(start + ROWS, dimension), 0
            for j in range(start, end):
                if contexts[a, j] != 0.0 or contexts[b, j] != 0.0 or contexts[c, j] != 0.0 or contexts[d, j] != 0.0:
                    used[count] = j
                    count += 1
            below = 0  # rows above this one are in or above the diagonal block of the columns
            for first in range(0, end, LANES):
                while below < count and used[below] < first + LANES:
                    below += 1
                row_a, row_b = load(totals[0], first), load(totals[1], first)
                row_c, row_d = load(totals[2], first), load(totals[3], first)
                for place in range(below, count):
                    j = used[place]
                    weights = load(inverse[j], first)
                    row_a = add_scaled(row_a, contexts[a, j], weights)
                    row_b = add_scaled(row_b, contexts[b, j], weights)
                    row_c = add_scaled(row_c, contexts[c, j], weights)
                    row_d = add_scaled(row_d, contexts[d, j], weights)
                store(totals[0], first, row_a)
                store(totals[1], first, row_b)
                store(totals[2], first, row_c)
                store(totals[3], first, row_d)
        for k in range(a, min(a + 4, last + 1)):
            mean_k = spread_k = zeros()
            for first in range(0, dimension, LANES):
                row, x = twice(load(totals[k - a], first)), load(contexts[k], first)
                for j in range(first, min(first + LANES, dimension)):
                    row = add_scaled(row, contexts[k, j], load(inverse[j], first))
                mean_k, spread_k = add_product(mean_k, load(estimate, first), x), add_product(spread_k, row, x)
            mean[k], spread[k] = sum_lanes(mean_k), sum_lanes(spread_k)


@part(inlined=False)
def add(ridge: LongRidge, learner: int, x: np.ndarray, reward: float) -> None:
    inverse, moment, estimate = ridge.inverse[learner], ridge.moment[learner], ridge.estimate[learner]
    dimension = len(x)
    direction = np.zeros(dimension)  # M^-1 x
    for start in range(0, dimension, ROWS):
        end = min(start + ROWS, dimension)
        for first in range(0, dimension, LANES):
            column = load(direction, first)
            for j in range(start, end):
                if x[j] != 0.0:
                    column = add_scaled(column, x[j], load(inverse[j], first))
            store(direction, first, column)
    scale = 1.0 / (1.0 + dot(direction, x))
    _add_scaled_to(moment, reward, x)
    _add_scaled_to(estimate, scale * (reward - dot(estimate, x)), direction)
    for i in range(dimension):
        _add_scaled_to(inverse[i], -scale * direction[i], direction)
        if x[i] != 0.0:
            _add_scaled_to(ridge.gram[learner, i], x[i], x)


@part
def _add_scaled_to(target: np.ndarray, scale: float, values: np.ndarray) -> None:
    for first in range(0, len(target), LANES):
        store(target, first, add_scaled(load(target, first), scale, load(values, first)))


@part(inlined=False)
def invert(ridge: LongRidge, learner: int) -> None:
    inverse, rest = ridge.inverse[learner], ridge.gram[learner].copy()
    dimension = len(rest)
    root = np.zeros((dimension, dimension))  # L^-1, where M = L L'
    for first in range(0, dimension, ROWS):
        last = min(first + ROWS, dimension)
        for i in range(first, last):
            pivot(rest, root, i, ridge.gram[learner, i, i])
            for k in range(i + 1, last):
                _subtract(rest[k, k:], rest[i : i + 1, k:], rest[i : i + 1, k])
                _subtract(root[k, : i + 1], root[i : i + 1, : i + 1], rest[i : i + 1, k])
        for k in range(last, dimension):
            _subtract(rest[k, k:], rest[first:last, k:], rest[first:last, k])
            _subtract(root[k, :last], root[first:last, :last], rest[first:last, k])
    for i in range(dimension):
        fill(inverse[i], 0.0)
    for first in range(0, dimension, ROWS):  # M^-1 = sum over the rows of L^-1 of their outer products
        last = min(first + ROWS, dimension)
        for i in range(last):
            k = max(first, i)
            _subtract(inverse[i, : i + 1], root[k:last, : i + 1], -root[k:last, i])


@part(inlined=False)
def _subtract(target: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> None:
    """Subtract weights, (n,), times rows, (n, m), from target, (m,), one row after the other, four in a pass."""
    paired = len(rows) - len(rows) % 4
    for k in range(0, paired, 4):
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        u, v, w, x = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for j in range(len(target)):
            target[j] = target[j] - u * a[j] - v * b[j] - w * c[j] - x * d[j]
    for k in range(paired, len(rows)):
        a, u = rows[k], weights[k]
        for j in range(len(target)):
            target[j] -= u * a[j]
