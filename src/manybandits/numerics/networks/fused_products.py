"""Products of weights and inputs, for the fused loops: inlined into `fused_passes` and `fused_training`."""

from __future__ import annotations

import numpy as np

from manybandits.compiling.parts import part


@part(fast=True)
def nonzero_places(x: np.ndarray, places: np.ndarray) -> int:
    """Write the indices where x, (d,), is not zero to places; return their number. Most pixels of an image are zero."""
    count = 0
    for i in range(x.shape[0]):
        places[count] = i
        count += x[i] != 0
    return count


@part(fast=True)
def multiply(layer: np.ndarray, x: np.ndarray, b: int, units: np.ndarray, places: np.ndarray) -> None:
    """Set units, (m,), to x' W, four rows of W at a time, where W is block b of a layer, (blocks, d, m)."""
    count = nonzero_places(x, places)
    units[:] = 0.0
    rest = count % 4
    for p in range(rest):
        i = places[p]
        for j in range(units.shape[0]):
            units[j] += x[i] * layer[b, i, j]
    for p in range(rest, count, 4):
        i0, i1, i2, i3 = places[p], places[p + 1], places[p + 2], places[p + 3]
        w0, w1, w2, w3 = x[i0], x[i1], x[i2], x[i3]
        for j in range(units.shape[0]):
            units[j] += (w0 * layer[b, i0, j] + w1 * layer[b, i1, j]) + (w2 * layer[b, i2, j] + w3 * layer[b, i3, j])


@part(fast=True)
def multiply_many(weights: np.ndarray, x: np.ndarray, taken: np.ndarray, some: np.ndarray, units: np.ndarray) -> None:
    """Set units[q], (m,), to W' x[taken[q]] for the q in `some`; W, (d, m), is read once for all of them."""
    nothing = weights.dtype.type(0)
    for q in some:
        units[q, :] = nothing
    rest = weights.shape[0] % 4
    for i in range(rest):
        for q in some:
            scale = x[taken[q], i]
            if scale != nothing:
                for j in range(units.shape[1]):
                    units[q, j] += scale * weights[i, j]
    for i in range(rest, weights.shape[0], 4):
        for q in some:
            w0, w1, w2, w3 = x[taken[q], i], x[taken[q], i + 1], x[taken[q], i + 2], x[taken[q], i + 3]
            if w0 != nothing or w1 != nothing or w2 != nothing or w3 != nothing:
                for j in range(units.shape[1]):
                    units[q, j] += (w0 * weights[i, j] + w1 * weights[i + 1, j]) + (
                        w2 * weights[i + 2, j] + w3 * weights[i + 3, j]
                    )


@part(fast=True)
def add_rows(
    into: np.ndarray, x: np.ndarray, i: int, some: np.ndarray, deltas: np.ndarray, present: np.ndarray
) -> None:
    """Add the sum over p in `present` of x[some[p], i] deltas[p] to a row, (m,), four terms at a time."""
    rest = len(present) % 4
    for p in present[:rest]:
        scale = x[some[p], i]
        for j in range(into.shape[0]):
            into[j] += scale * deltas[p, j]
    for place in range(rest, len(present), 4):
        p0, p1, p2, p3 = present[place], present[place + 1], present[place + 2], present[place + 3]
        x0, x1, x2, x3 = x[some[p0], i], x[some[p1], i], x[some[p2], i], x[some[p3], i]
        for j in range(into.shape[0]):
            into[j] += (x0 * deltas[p0, j] + x1 * deltas[p1, j]) + (x2 * deltas[p2, j] + x3 * deltas[p3, j])


@part(fast=True)
def sort_by_block(
    block: np.ndarray, taken: np.ndarray, members: np.ndarray, sorted_members: np.ndarray, ends: np.ndarray
) -> None:
    """Sort members by block[taken[q]]; those of block b are then in sorted_members[ends[b]:ends[b + 1]]."""
    ends[:] = 0
    for q in members:
        ends[block[taken[q]] + 1] += 1
    for b in range(len(ends) - 1):
        ends[b + 1] += ends[b]
    free = ends.copy()
    for q in members:
        b = block[taken[q]]
        sorted_members[free[b]] = q
        free[b] += 1


@part(fast=True)
def copy(row: np.ndarray, into: np.ndarray) -> None:
    """Copy a row, (m,). An assignment of arrays takes a second to compile, for its message on shapes that differ."""
    for j in range(row.shape[0]):
        into[j] = row[j]


@part(fast=True)
def rectify(units: np.ndarray) -> None:
    for j in range(units.shape[0]):
        units[j] = max(units[j], units.dtype.type(0))


@part(fast=True)
def dot(a: np.ndarray, b: np.ndarray) -> float:
    total = a.dtype.type(0)
    for j in range(a.shape[0]):
        total += a[j] * b[j]
    return total


@part(fast=True)
def slopes_before(last: np.ndarray, hidden: np.ndarray, error: float, delta: np.ndarray) -> None:
    """Fill delta, (m,), with error times the gradient of f in the inputs of the hidden units."""
    nothing = last.dtype.type(0)
    for j in range(hidden.shape[0]):
        delta[j] = error * last[0, j] if hidden[j] > nothing else nothing
