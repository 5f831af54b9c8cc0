"""Random subsets."""

import numpy as np

from manybandits.numerics.subsets import distinct


def test_distinct_numbers_are_distinct_and_uniform():
    drawn = distinct(np.full(60_000, 5), 3, np.random.default_rng(0))
    assert (np.sort(drawn, axis=1)[:, 1:] > np.sort(drawn, axis=1)[:, :-1]).all()
    sets = np.sort(drawn, axis=1) @ [25, 5, 1]
    counts = np.unique(sets, return_counts=True)[1]
    assert len(counts) == 10
    assert ((counts - 6000) ** 2 / 6000).sum() < 28
