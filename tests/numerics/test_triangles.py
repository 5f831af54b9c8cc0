"""Triangular factors in tiles against numpy."""

import numpy as np
import pytest

from manybandits.numerics import triangles
from manybandits.numerics.triangles import TILE, Triangles, most_tiles, new_triangles, padded_length

pytestmark = pytest.mark.usefixtures("form")


def store(count: int, tiles: int) -> Triangles:
    """The triangles of one replica."""
    return new_triangles(count, tiles)


def positive(size: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite matrix and a goal."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(size, size))
    return root @ root.T + 0.1 * np.eye(size), rng.normal(size=size)


def padded(values: np.ndarray, size: int) -> np.ndarray:
    room = np.zeros(padded_length(size))
    room[: len(values)] = values
    return room


def grow(factors: Triangles, s: int, matrix: np.ndarray, goal: np.ndarray) -> None:
    """Append the rows that triangle s has not yet."""
    for row in range(factors.rows[s], len(matrix)):
        triangles.append(factors, s, padded(matrix[row, :row], len(matrix)), matrix[row, row], goal[row])


def check(factors: Triangles, s: int, matrix: np.ndarray, goal: np.ndarray) -> None:
    """Triangle s solves with the factor of `matrix`."""
    size = len(matrix)
    assert factors.rows[s] == size
    lower = np.linalg.cholesky(matrix)
    x = np.random.default_rng(9).normal(size=size)
    values = padded(x, size)
    along = triangles.solve(factors, s, values)
    np.testing.assert_allclose(values[:size], np.linalg.solve(lower, x), atol=1e-8)
    np.testing.assert_allclose(along, x @ np.linalg.solve(matrix, goal), atol=1e-8)
    triangles.solve_back(factors, s, values)
    np.testing.assert_allclose(values[:size], np.linalg.solve(matrix, goal), atol=1e-8)


@pytest.mark.parametrize("size", [1, 2, TILE - 1, TILE, TILE + 1, 3 * TILE, 3 * TILE + 5])
def test_rows_that_are_appended_make_the_factor(size):
    matrix, goal = positive(size)
    factors = store(1, 20)
    grow(factors, 0, matrix, goal)
    check(factors, 0, matrix, goal)


def test_append_gives_the_row_of_the_factor_and_the_last_of_z():
    matrix, goal = positive(TILE + 4)
    lower = np.linalg.cholesky(matrix)
    factors = store(1, 3)
    for row in range(len(matrix)):
        values = padded(matrix[row, :row], len(matrix))
        diagonal, z = triangles.append(factors, 0, values, matrix[row, row], goal[row])
        np.testing.assert_allclose([*values[:row], diagonal], lower[row, : row + 1], atol=1e-10)
        np.testing.assert_allclose(z, np.linalg.solve(lower, goal)[row], atol=1e-8)


@pytest.mark.parametrize("kept", [0, 1, TILE, TILE + 3, 2 * TILE])
def test_a_triangle_that_was_shortened_grows_again_as_if_it_had_never_been_longer(kept):
    rng = np.random.default_rng(0)
    rows, goals = rng.normal(size=(170, 90)), rng.normal(size=170)
    then = np.r_[:kept, 90 : 165 - kept]  # the rows that were kept, then others
    old, old_goal = rows[:80] @ rows[:80].T + np.eye(80), goals[:80]
    new, new_goal = rows[then] @ rows[then].T + np.eye(len(then)), goals[then]
    factors = store(2, 12)
    grow(factors, 1, old, old_goal)
    triangles.shorten(factors, 1, kept)
    grow(factors, 1, new, new_goal)
    check(factors, 1, new, new_goal)


def test_a_rotation_is_the_factor_of_the_matrix_plus_an_outer_product():
    matrix, goal = positive(70)
    factors = store(1, 6)
    grow(factors, 0, matrix, goal)
    rng = np.random.default_rng(1)
    for _ in range(50):
        x, reward = rng.normal(size=70), rng.normal()
        matrix, goal = matrix + np.outer(x, x), goal + reward * x
        triangles.rotate(factors, 0, padded(x, 70), reward)
    check(factors, 0, matrix, goal)


def test_tiles_pass_from_one_triangle_to_another_and_none_is_lost():
    first, second = store(3, 9), store(1, 6)
    matrix, goal = positive(90)
    for s in (0, 2, 1, 0):
        grow(first, s, matrix[:40, :40], goal[:40])
        triangles.duplicate(second, 0, first, s)
        check(second, 0, matrix[:40, :40], goal[:40])
        triangles.shorten(first, s, 0)
    grow(first, 0, matrix, goal)
    check(first, 0, matrix, goal)
    grow(first, 1, matrix[:33, :33], goal[:33])
    with pytest.raises(MemoryError, match="the store of tiles is full"):
        grow(first, 2, matrix, goal)


def test_most_tiles_is_enough_for_every_way_to_share_the_rows_out():
    rng = np.random.default_rng(0)
    for _ in range(300):
        largest, count = int(rng.integers(1, 200)), int(rng.integers(1, 12))
        sizes = rng.integers(0, largest + 1, size=count) * (rng.random(count) < 0.7)
        strips = -(-sizes // TILE)
        assert (strips * (strips + 1) // 2).sum() <= most_tiles(int(sizes.sum()), largest, count)
