"""Cholesky factors that grow row by row, many of them in one store of tiles.

Triangle s is a lower triangular L with L L' = A, kept together with z = L^-1 g for a right-hand side g. `append` adds a
row and a column to A, `shorten` removes the last ones, and `rotate` changes A to A + x x'. L is cut into tiles of
32 x 32 numbers, each stored column by column, so that `solve` keeps 32 unknowns in registers while it reads a row of
tiles from end to end. The tiles of a triangle are linked in the order in which they are read; tiles that are freed
are reused by the next triangle that grows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.base.exceptions import Uncomputable
from manybandits.compiling.lanes import LANES, add_product, add_scaled, load, store, sum_lanes, zeros
from manybandits.compiling.parts import part
from manybandits.numerics.vectors import fill

TILE = 32
TILE_BYTES = 8 * TILE * (TILE + 1) + 8
"""Memory of a tile, including its part of z and its links."""
TOLERANCE = 1e-14
"""The least share of a diagonal entry of A that must be its own, beside the rows before it."""
LARGEST = 2**33
"""Most memory, in bytes, that a method built on triangles may take per replica."""


class Triangles(NamedTuple):
    """N triangles in a store of P tiles."""

    rows: np.ndarray  # (N,): rows of a triangle
    first: np.ndarray  # (N,): its first tile, -1 = none
    last: np.ndarray  # (N,)
    tiles: np.ndarray  # (P, TILE, TILE): a column of L, then the next
    goals: np.ndarray  # (P, TILE): z, beside the tiles on the diagonal
    after: np.ndarray  # (P,): the next tile of a triangle, or the next that is free; -1 = none
    before: np.ndarray  # (P,): the tile before
    free: np.ndarray  # (1,): the first free tile


def new_triangles(count: int, tiles: int) -> Triangles:
    """Return `count` triangles without rows, with room for `tiles` tiles."""
    after = np.arange(1, tiles + 1, dtype=np.int32)
    after[-1] = -1
    return Triangles(
        rows=np.zeros(count, np.int32),
        first=np.full(count, -1, np.int32),
        last=np.full(count, -1, np.int32),
        tiles=np.zeros((tiles, TILE, TILE)),
        goals=np.zeros((tiles, TILE)),
        after=after,
        before=np.full(tiles, -1, np.int32),
        free=np.zeros(1, np.int32),
    )


def most_tiles(total: int, largest: int, count: int) -> int:
    """Return the largest number of tiles that `count` triangles can need, of `largest` rows each and `total` in all.

    A triangle of s strips (rows of tiles) has 1 + (s - 1) (s + 2) / 2 tiles, and all of its strips but the last are
    full.
    """
    strips = padded_length(largest) // TILE
    return min(count, total) + -(-total // TILE) * (strips + 2) // 2


def padded_length(length: int) -> int:
    """Return `length` rounded up to whole tiles: the length of an array for a vector of this length."""
    return -(-length // TILE) * TILE


@part
def product(a: np.ndarray, b: np.ndarray) -> float:
    """Return a' b for two contiguous vectors of the same length."""
    p = q = r = s = zeros()
    for i in range(0, len(a), 4 * LANES):
        p = add_product(p, load(a, i), load(b, i))
        q = add_product(q, load(a, i + LANES), load(b, i + LANES))
        r = add_product(r, load(a, i + 2 * LANES), load(b, i + 2 * LANES))
        s = add_product(s, load(a, i + 3 * LANES), load(b, i + 3 * LANES))
    return (sum_lanes(p) + sum_lanes(q)) + (sum_lanes(r) + sum_lanes(s))


@part(inlined=False)
def solve(triangles: Triangles, s: int, values: np.ndarray) -> float:
    """Replace the first n of `values` by L^-1 values; return their inner product with z. n: the rows of triangle s.

    values: as long as whole tiles; entries beyond n are overwritten.
    """
    rows = triangles.rows[s]
    along = 0.0
    tile = triangles.first[s]
    for top in range(0, rows, TILE):
        strip = values[top : top + TILE]
        a, b, c, d = load(strip, 0), load(strip, 4), load(strip, 8), load(strip, 12)
        e, f, g, h = load(strip, 16), load(strip, 20), load(strip, 24), load(strip, 28)
        for left in range(0, top, TILE):
            part = triangles.tiles[tile]
            for j in range(TILE):
                weight, column = -values[left + j], part[j]
                a, b = add_scaled(a, weight, load(column, 0)), add_scaled(b, weight, load(column, 4))
                c, d = add_scaled(c, weight, load(column, 8)), add_scaled(d, weight, load(column, 12))
                e, f = add_scaled(e, weight, load(column, 16)), add_scaled(f, weight, load(column, 20))
                g, h = add_scaled(g, weight, load(column, 24)), add_scaled(h, weight, load(column, 28))
            tile = triangles.after[tile]
        store(strip, 0, a)
        store(strip, 4, b)
        store(strip, 8, c)
        store(strip, 12, d)
        store(strip, 16, e)
        store(strip, 20, f)
        store(strip, 24, g)
        store(strip, 28, h)
        part, goal = triangles.tiles[tile], triangles.goals[tile]
        height = min(TILE, rows - top)
        for first in range(0, height, LANES):
            end = min(first + LANES, height)
            for j in range(first, end):
                value = strip[j] / part[j, j]
                strip[j] = value
                along += value * goal[j]
                for i in range(j + 1, end):
                    strip[i] -= part[j, i] * value
            for below in range(end, height, LANES):
                rest = load(strip, below)
                for j in range(first, end):
                    rest = add_scaled(rest, -strip[j], load(part[j], below))
                store(strip, below, rest)
        tile = triangles.after[tile]
    return along


@part(inlined=False)
def solve_back(triangles: Triangles, s: int, values: np.ndarray) -> None:
    """Fill the first n of `values` with L'^-1 z. n: the rows of triangle s; values: as long as whole tiles."""
    rows = triangles.rows[s]
    fill(values, 0.0)  # sums over the unknowns found so far, each replaced by its own unknown in the end
    tile = triangles.last[s]
    for top in range((rows - 1) // TILE * TILE, -1, -TILE):
        strip = values[top : top + TILE]
        part, goal = triangles.tiles[tile], triangles.goals[tile]
        height = min(TILE, rows - top)
        for j in range(height - 1, -1, -1):
            rest = goal[j] - strip[j]
            for i in range(j + 1, height):
                rest -= part[j, i] * strip[i]
            strip[j] = rest / part[j, j]
        tile = triangles.before[tile]
        for left in range(top - TILE, -1, -TILE):
            part = triangles.tiles[tile]
            for j in range(TILE):
                values[left + j] += product(part[j], strip)
            tile = triangles.before[tile]


@part(inlined=False)
def append(triangles: Triangles, s: int, values: np.ndarray, square: float, goal: float) -> tuple[float, float]:
    """Add a row and a column to A, and an entry to g; return the new diagonal entry of L and the new entry of z.

    values: the new row of A up to the diagonal, as long as whole tiles; overwritten by the row of L. square: the new
    diagonal entry of A; goal: the new entry of g. Raises Uncomputable if rounding errors are all that is left of it.
    """
    row = triangles.rows[s]
    along = solve(triangles, s, values)
    known = values[:row]
    rest = square - product(known, known)
    if not rest > TOLERANCE * square:
        raise Uncomputable
    diagonal = np.sqrt(rest)
    top, inside = row // TILE * TILE, row % TILE
    if inside == 0:
        for _ in range(row // TILE + 1):
            take_tile(triangles, s)
    tile = triangles.last[s]
    part = triangles.tiles[tile]
    reached = (goal - along) / diagonal
    triangles.goals[tile, inside] = reached
    for j in range(inside):
        part[j, inside] = values[top + j]
    part[inside, inside] = diagonal
    for left in range(top - TILE, -1, -TILE):
        tile = triangles.before[tile]
        for j in range(TILE):
            triangles.tiles[tile, j, inside] = values[left + j]
    triangles.rows[s] += 1
    return diagonal, reached


@part(inlined=False)
def take_tile(triangles: Triangles, s: int) -> None:
    """Append a tile of zeros to triangle s."""
    tile, last = triangles.free[0], triangles.last[s]
    if tile < 0:
        raise MemoryError("the store of tiles is full")
    triangles.free[0] = triangles.after[tile]
    triangles.tiles[tile] = 0.0
    triangles.goals[tile] = 0.0
    triangles.after[tile] = -1
    triangles.before[tile] = last
    if last < 0:
        triangles.first[s] = tile
    else:
        triangles.after[last] = tile
    triangles.last[s] = tile


@part(inlined=False)
def shorten(triangles: Triangles, s: int, rows: int) -> None:
    """Keep only the first `rows` rows of triangle s."""
    for strip in range((triangles.rows[s] + TILE - 1) // TILE, (rows + TILE - 1) // TILE, -1):
        for _ in range(strip):
            tile = triangles.last[s]
            triangles.last[s] = triangles.before[tile]
            triangles.after[tile] = triangles.free[0]
            triangles.free[0] = tile
    if triangles.last[s] < 0:
        triangles.first[s] = -1
    else:
        triangles.after[triangles.last[s]] = -1
    triangles.rows[s] = rows


@part(inlined=False)
def duplicate(target: Triangles, s: int, source: Triangles, other: int) -> None:
    """Make triangle s of `target` a copy of triangle `other` of `source`."""
    shorten(target, s, 0)
    tile = source.first[other]
    while tile >= 0:
        take_tile(target, s)
        end = target.last[s]
        for j in range(TILE):
            target.goals[end, j] = source.goals[tile, j]
            for i in range(TILE):
                target.tiles[end, j, i] = source.tiles[tile, j, i]
        tile = source.after[tile]
    target.rows[s] = source.rows[other]


@part(inlined=False)
def rotate(triangles: Triangles, s: int, values: np.ndarray, goal: float) -> None:
    """Add x x' to A and goal x to g by plane rotations, which lose no accuracy.

    values: x, as long as whole tiles; overwritten.
    """
    rows = triangles.rows[s]
    stretch, turn = np.empty(rows), np.empty(rows)
    tile = triangles.first[s]
    for top in range(0, rows, TILE):
        strip = values[top : top + TILE]
        for left in range(0, top, TILE):
            part = triangles.tiles[tile]
            for j in range(TILE):
                rotate_column(part[j], strip, 0, stretch[left + j], turn[left + j])
            tile = triangles.after[tile]
        part = triangles.tiles[tile]
        for j in range(min(TILE, rows - top)):
            diagonal = np.sqrt(part[j, j] ** 2 + strip[j] ** 2)
            stretch[top + j], turn[top + j] = diagonal / part[j, j], strip[j] / part[j, j]
            part[j, j] = diagonal
            rotate_column(part[j], strip, j + 1, stretch[top + j], turn[top + j])
            value = (triangles.goals[tile, j] + turn[top + j] * goal) / stretch[top + j]
            goal = stretch[top + j] * goal - turn[top + j] * value
            triangles.goals[tile, j] = value
        tile = triangles.after[tile]


@part
def rotate_column(column: np.ndarray, x: np.ndarray, first: int, stretch: float, turn: float) -> None:
    """Rotate a column of a tile together with x, both (TILE,), from entry `first` on."""
    for i in range(first, TILE):
        column[i] = (column[i] + turn * x[i]) / stretch
        x[i] = stretch * x[i] - turn * column[i]


@part
def pivot(rest: np.ndarray, root: np.ndarray, i: int, own: float) -> None:
    """Make row i of `rest`, what is left of a matrix M = L L', column i of L, and row i of `root` that of L^-1.

    own: entry i of the diagonal of M. Raises Uncomputable if too little of it is left beside the rows before it.
    """
    if not rest[i, i] > TOLERANCE * own:
        raise Uncomputable
    scale = 1.0 / np.sqrt(rest[i, i])
    for j in range(i, rest.shape[1]):
        rest[i, j] *= scale
    for j in range(i):
        root[i, j] *= scale
    root[i, i] = scale
