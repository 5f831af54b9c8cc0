"""Counts of close pairs are those of a table of all pairs, wherever points move."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manybandits.numerics import close_pairs

POINTS, WIDTH = 8, 0.5


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_counts_are_those_of_a_table(seed):
    rng = np.random.default_rng(seed)
    pairs = close_pairs.new_close_pairs(POINTS, 2)
    points, radii = np.zeros((POINTS, 2)), np.zeros(POINTS)
    for j in rng.integers(POINTS, size=40):
        radii[j] = 0.0 if rng.random() < 0.2 else rng.uniform(0.2, 1.0)
        if radii[j]:
            points[j] = rng.normal(size=2)
            close_pairs.move(pairs, j, points[j], radii[j], WIDTH)
        else:
            close_pairs.remove(pairs, j, WIDTH)
        close = np.linalg.norm(points[:, None] - points, axis=2) < WIDTH * (radii[:, None] + radii)
        close &= (radii > 0)[:, None] & (radii > 0)
        assert pairs.later.tolist() == np.triu(close, 1).sum(axis=1).tolist()
        assert not radii[pairs.end[0] :].any()


@pytest.mark.parametrize(("place", "expected"), [(0.9, True), (1.1, False)])
def test_two_points_are_close_within_the_width_times_both_radii(place, expected):
    pairs = close_pairs.new_close_pairs(2, 1)
    close_pairs.move(pairs, 0, np.zeros(1), 1.5, WIDTH)
    close_pairs.move(pairs, 1, np.full(1, place), 0.5, WIDTH)
    assert close_pairs.are_close(pairs, 0, 1, WIDTH) == expected
