"""One replica of a state, taken out inside a kernel."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.registry import cpu_target

from manybandits.compiling.replicas import Borrowed, Shared, replica


class Inner(NamedTuple):
    matrix: np.ndarray  # (R, n, m)
    table: Shared


class Outer(NamedTuple):
    number: np.ndarray  # (R,)
    flag: np.ndarray  # (R,) bool
    row: np.ndarray  # (R, n) int32
    inner: Inner


def states() -> Outer:
    rng = np.random.default_rng(0)
    inner = Inner(rng.normal(size=(3, 4, 5)), Shared(rng.normal(size=(2, 7))))
    return Outer(np.arange(3.0), np.array([True, False, True]), np.arange(12, dtype=np.int32).reshape(3, 4), inner)


@njit
def look_and_write(states, r):
    one = replica(states, r)
    one.row[1] = -7
    one.inner.matrix[2, 3] += one.number
    last = one.inner.matrix[-1]
    return one.flag, one.inner.matrix.shape, last.sum(), one.inner.table.array[1, 6], len(one.row)


@pytest.mark.parametrize("r", [0, 1, 2])
def test_a_replica_is_a_view_of_every_field_and_shares_what_all_share(r):
    given, same = states(), states()
    flag, shape, total, last, length = look_and_write(given, r)
    same.row[r, 1] = -7
    same.inner.matrix[r, 2, 3] += r
    assert (flag, shape, length) == (bool(same.flag[r]), (4, 5), 4)
    assert total == pytest.approx(same.inner.matrix[r, -1].sum())
    assert last == same.inner.table.array[1, 6]
    assert np.array_equal(given.row, same.row)
    assert np.array_equal(given.inner.matrix, same.inner.matrix)


def test_rows_that_do_not_lie_side_by_side_are_taken_by_their_strides():
    wide = np.arange(24.0).reshape(3, 8)
    given = Outer(wide[:, 0], wide[:, 1] > 2, wide[:, ::2].astype(np.int32), states().inner)
    assert look_and_write(given, 2)[4] == 4
    assert given.row[2].tolist() == [16, -7, 20, 22]


def test_nothing_counts_the_references_of_a_borrowed_array():
    counted = typeof(np.zeros(2))
    models = cpu_target.target_context.data_model_manager
    assert models[counted].contains_nrt_meminfo()
    assert not models[Borrowed(counted)].contains_nrt_meminfo()
