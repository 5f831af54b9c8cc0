"""Vectors of four lanes against numpy."""

import numpy as np
import pytest
from numba import njit

from manybandits.compiling.lanes import LANES, add_product, add_scaled, load, store, sum_lanes, twice, zeros


@njit
def inner_product(a, b):
    total = zeros()
    for first in range(0, len(a), LANES):
        total = add_product(total, load(a, first), load(b, first))
    return sum_lanes(total)


@njit
def twice_and_scaled(a, weight, out):
    for first in range(0, len(a), LANES):
        part = load(a, first)
        store(out, first, add_scaled(twice(part), weight, part))


@njit
def widened(a, out):
    for first in range(0, len(a), LANES):
        store(out, first, load(a, first))


@pytest.mark.parametrize("length", range(1, 14))
def test_single_precision_is_widened_exactly_and_stops_at_the_end_of_a_row(length):
    table = np.random.default_rng(length).normal(size=(3, length)).astype(np.float32)
    out = np.full(length + 5, 7.0)
    widened(table[1], out)
    assert (out[:length] == table[1]).all()
    assert (out[length : -(-length // LANES) * LANES] == 0.0).all()


@pytest.mark.parametrize("length", range(1, 14))
def test_lanes_stop_at_the_end_of_a_row(length):
    table = np.random.default_rng(length).normal(size=(3, length))
    a, b = table[1], table[2]
    np.testing.assert_allclose(inner_product(a, b), a @ b, rtol=1e-14, atol=1e-14)
    out = np.full(length + 5, 7.0)
    twice_and_scaled(a, 0.5, out[:length])
    np.testing.assert_allclose(out[:length], 2.5 * a, rtol=1e-15)
    assert (out[length:] == 7.0).all()


def test_lanes_are_summed_halves_first():
    a = np.array([1.0, 1e16, 1.0, -1e16])
    assert inner_product(a, np.ones(4)) == (1.0 + 1.0) + (1e16 - 1e16)
