"""Matrices that grow in tiles, against numpy."""

import numpy as np
import pytest

from manybandits.numerics import growing_matrix
from manybandits.numerics.growing_matrix import TILE, most_strips, new_rows
from manybandits.numerics.triangles import padded_length

pytestmark = pytest.mark.usefixtures("form")


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 7, 40])
def test_products_with_a_sparse_vector_are_those_of_numpy(columns, kind):
    rng = np.random.default_rng(0)
    counts = [3, 0, 2 * TILE, TILE + 1]
    kept = new_rows(4, sum(counts), columns, kind)
    full = [rng.normal(size=(count, columns)).astype(kind).astype(float) for count in counts]
    order = rng.permutation(np.repeat(np.arange(4), counts))
    seen = [0] * 4
    for matrix in order:  # the matrices grow side by side
        growing_matrix.append_row(kept, matrix, seen[matrix], full[matrix][seen[matrix]])
        seen[matrix] += 1
    x = rng.normal(size=columns) * (rng.random(columns) < 0.5)
    used = np.zeros(columns, np.int64)
    used = used[: growing_matrix.nonzero_places(x, used)]
    assert used.tolist() == np.flatnonzero(x).tolist()
    for matrix, count in enumerate(counts):
        products = np.full(padded_length(sum(counts)), np.nan)
        growing_matrix.multiply(kept, matrix, count, x, used, products)
        np.testing.assert_allclose(products[:count], full[matrix] @ x, atol=1e-12)


def test_there_are_tiles_for_every_way_to_share_the_rows_out():
    rng = np.random.default_rng(0)
    for _ in range(300):
        matrices, total = int(rng.integers(1, 12)), int(rng.integers(1, 400))
        counts = rng.multinomial(total, rng.dirichlet(np.full(matrices, 0.5)))
        assert (-(-counts // TILE)).sum() <= most_strips(total, matrices)
    assert most_strips(1, 5) == 1
    assert most_strips(TILE + 1, 1) == 2
