"""Groups of rows that are near each other."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.features.groups import k_means


def test_k_means_finds_separated_groups_and_refuses_too_many():
    rng = np.random.default_rng(0)
    features = np.repeat(10 * np.eye(3), 20, axis=0) + 0.01 * rng.normal(size=(60, 3))
    labels = k_means(features, 3)
    assert all(len(set(labels[first : first + 20])) == 1 for first in (0, 20, 40))
    with pytest.raises(InputError, match="4 groups were asked for, but the users have only"):
        k_means(np.eye(3), 4)
