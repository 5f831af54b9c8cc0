"""The states of replicas: stacked, and one of them taken out again, inside a kernel and outside."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.registry import cpu_target

from manybandits.compiling.replicas import Borrowed, Shared, replica, row, stack


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


class Log(NamedTuple):
    rounds: np.ndarray  # (T,)
    table: Shared


class Part(NamedTuple):
    log: Log
    weight: np.ndarray  # (n, m)


class Whole(NamedTuple):
    number: float
    count: int
    flag: bool
    lists: np.ndarray  # (n, D) int32, filled up with -1
    first: Part
    second: Part
    random: np.ndarray  # (1,) uint64


TABLE = Shared(np.arange(4.0))


def one_state(r: int) -> Whole:
    log = Log(np.full(5, r, np.int16), TABLE)
    lists = np.arange(2 * (r + 1), dtype=np.int32).reshape(2, r + 1)
    first, second = Part(log, np.full((2, 3), float(r))), Part(log, np.zeros((2, 3)))
    return Whole(r / 2, r, r > 1, lists, first, second, np.array([r], np.uint64))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_states_are_stacked_with_the_replica_axis_first_and_each_can_be_taken_out_again(order):
    stacked = stack(map(one_state, order), 3)
    assert [field.dtype for field in stacked[:3]] == [np.float64, np.int64, np.bool_]
    assert stacked.lists.shape == (3, 2, 3)
    assert stacked.first.weight.flags.c_contiguous
    for place, r in enumerate(order):
        given, taken = one_state(r), row(stacked, place)
        assert taken[:3] == given[:3]
        assert np.array_equal(taken.lists[:, : r + 1], given.lists)
        assert (taken.lists[:, r + 1 :] == -1).all()
        for name in ("first", "second"):
            assert np.array_equal(getattr(taken, name).weight, getattr(given, name).weight)
        assert taken.first.log.rounds.tolist() == [r] * 5
        assert taken.random.tolist() == [r]


@pytest.mark.parametrize("replicas", [1, 3])
def test_a_part_in_several_places_stays_one_and_what_all_share_is_not_copied(replicas):
    stacked = stack(map(one_state, range(replicas)), replicas)
    assert stacked.first.log is stacked.second.log
    assert stacked.first.log.table is TABLE
    assert row(stacked, 0).first.log.table is TABLE


def test_the_state_of_one_replica_is_not_copied():
    given = one_state(2)
    stacked = stack([given], 1)
    assert stacked.first.weight.base is given.first.weight
    assert stacked.number.tolist() == [1.0]


def test_numbers_of_which_replicas_have_more_or_fewer_are_refused():
    states = [Part(Log(np.zeros(2), TABLE), np.ones((2, width))) for width in (2, 3)]
    with pytest.raises(AssertionError):
        stack(states, 2)
