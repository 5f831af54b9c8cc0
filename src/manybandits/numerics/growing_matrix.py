"""Matrices that grow row by row, and their products with sparse vectors.

Rows are stored in tiles of `TILE` rows, each column by column. `multiply` keeps the products of 32 rows in registers
while it reads a tile from end to end, and reads only the columns for which the vector is not zero, because most pixels
of an image are zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.lanes import add_scaled, load, store, zeros
from manybandits.compiling.parts import part
from manybandits.numerics.triangles import TILE


class Rows(NamedTuple):
    """B matrices of d columns, in a store of P tiles."""

    tiles: np.ndarray  # (P, d, TILE)
    place: np.ndarray  # (B, S) int32: the tile of a matrix's first TILE rows, of its next, ...
    taken: np.ndarray  # (1,) int32: tiles in use


def new_rows(matrices: int, rows: int, columns: int, kind: type) -> Rows:
    """Return B = `matrices` matrices without rows, with room for `rows` rows in all. kind: float32 or float64."""
    strips = -(-rows // TILE)
    return Rows(
        tiles=np.zeros((most_strips(rows, matrices), columns, TILE), kind),
        place=np.zeros((matrices, strips), np.int32),
        taken=np.zeros(1, np.int32),
    )


def most_strips(rows: int, matrices: int) -> int:
    """Return the largest number of tiles that `matrices` matrices with `rows` rows in all can need."""
    begun = min(rows, matrices)
    return begun + (rows - begun) // TILE


@part(inlined=False)
def append_row(rows: Rows, matrix: int, row: int, x: np.ndarray) -> None:
    """Append x, (d,), to a matrix. row: its number of rows so far."""
    strip, inside = row // TILE, row % TILE
    if inside == 0:
        rows.place[matrix, strip] = rows.taken[0]
        rows.taken[0] += 1
    tile = rows.tiles[rows.place[matrix, strip]]
    for j in range(len(x)):
        tile[j, inside] = x[j]


@part
def nonzero_places(x: np.ndarray, used: np.ndarray) -> int:
    """Write the indices of the entries of x that are not zero to `used`; return how many there are. x, used: (d,)."""
    count = 0
    for j in range(len(x)):
        used[count] = j
        count += x[j] != 0.0
    return count


@part(inlined=False)
def multiply(rows: Rows, matrix: int, count: int, x: np.ndarray, used: np.ndarray, products: np.ndarray) -> None:
    """Fill products with the inner products of x and the first `count` rows of a matrix.

    x: (d,); used: indices of its entries that are not zero; products: as long as whole tiles; entries beyond `count`
    are overwritten.
    """
    for strip in range((count + TILE - 1) // TILE):
        tile = rows.tiles[rows.place[matrix, strip]]
        a = b = c = d = e = f = g = h = zeros()
        for j in used:
            weight, column = x[j], tile[j]
            a, b = add_scaled(a, weight, load(column, 0)), add_scaled(b, weight, load(column, 4))
            c, d = add_scaled(c, weight, load(column, 8)), add_scaled(d, weight, load(column, 12))
            e, f = add_scaled(e, weight, load(column, 16)), add_scaled(f, weight, load(column, 20))
            g, h = add_scaled(g, weight, load(column, 24)), add_scaled(h, weight, load(column, 28))
        part = products[strip * TILE : (strip + 1) * TILE]
        store(part, 0, a)
        store(part, 4, b)
        store(part, 8, c)
        store(part, 12, d)
        store(part, 16, e)
        store(part, 20, f)
        store(part, 24, g)
        store(part, 28, h)
