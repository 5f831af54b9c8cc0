import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from manybandits.numerics.partitions import agreement, count_parts


def test_agreement_is_the_adjusted_rand_index():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=(6, 1, 30))
    labels = rng.integers(5, size=(6, 7, 30))
    labels[0, 0] = truth[0, 0]
    ours = agreement(labels, truth)
    for i in range(6):
        for j in range(7):
            assert ours[i, j] == pytest.approx(adjusted_rand_score(truth[i, 0], labels[i, j]))
    assert ours[0, 0] == 1.0


@pytest.mark.parametrize("same", [np.zeros(9, int), np.arange(9)])
def test_one_part_and_nine_parts_agree_with_themselves(same):
    assert agreement(same[None], same[None]).item() == 1.0


def test_count_parts():
    assert count_parts(np.array([[0, 0, 0], [2, 0, 2], [2, 1, 0]])).tolist() == [1, 2, 3]
    assert count_parts(np.zeros((4, 0, 5), int)).shape == (4, 0)
