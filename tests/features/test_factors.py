import numpy as np
import pytest
from scipy import sparse

from manybandits.base.exceptions import InputError
from manybandits.features.factors import densest, densest_as_released, released_factors, singular_vectors, text_factors


def test_singular_vectors_agree_with_the_full_decomposition():
    matrix = np.random.default_rng(0).normal(size=(40, 25))
    left, right = singular_vectors(sparse.csr_array(matrix), 6)
    full_left, _, full_right = np.linalg.svd(matrix)
    assert np.allclose(np.abs(np.sum(left * full_left[:, :6], axis=0)), 1)
    assert np.allclose(np.abs(np.sum(right * full_right[:6].T, axis=0)), 1)


def test_text_factors_are_unit_rows_and_released_factors_end_in_a_constant():
    matrix = sparse.csr_array((np.random.default_rng(0).random((40, 25)) < 0.5).astype(float))
    for side in text_factors(matrix):
        assert np.allclose(np.linalg.norm(side, axis=1), 1)
        assert side.shape[1] == 10
    for side in released_factors(matrix):
        assert np.allclose(np.linalg.norm(side, axis=1), 1)
        assert np.allclose(side[:, -1], np.sqrt(0.5))


def test_too_few_users_for_the_factors_is_said():
    with pytest.raises(InputError, match="10 factors need more than 10 users and items"):
        text_factors(sparse.csr_array(np.ones((8, 30))))


@pytest.mark.data
def test_the_released_recipe_gives_the_published_yelp_features(mirror):
    folder = mirror / "yelp-2000x10000"
    entries = np.load(folder / "yelp_2000users_10000items_entry.npy")
    # The authors factorise the matrix of counts; its signs are the entries.
    counts = sparse.load_npz(folder / "yelp_2000users_10000items_counts_csr.npz").astype(float)
    assert np.array_equal(np.sign(counts.toarray()[entries[:, 0], entries[:, 1]]), entries[:, 2])
    users, items = released_factors(sparse.csr_array(counts))
    published_users = np.load(folder / "yelp_2000users_10000items_features.npy")
    published_items = np.load(folder / "yelp_10000items_2000users_features.npy")
    rated = np.diff(sparse.csc_array(counts).indptr) > 0
    sign = np.sign(np.sum(users * published_users, axis=0))
    assert np.abs(users * sign - published_users).max() < 1e-8
    sign = np.sign(np.sum(items * published_items, axis=0))  # the two sides were factorised one by one
    assert np.abs(items * sign - published_items)[rated].max() < 1e-8


def test_the_densest_ratings_are_those_of_the_busiest_users_and_items():
    users = np.array([0, 0, 0, 1, 1, 2])
    items = np.array([0, 1, 2, 0, 1, 0])
    assert densest(users, items, 2, 2).tolist() == [True, True, False, True, True, False]


def test_the_densest_ratings_as_released_are_numbered_by_their_ratings_and_ties_keep_their_order():
    users = np.array([0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4])
    items = np.array([0, 1, 2, 5, 1, 2, 1, 2, 7, 5, 5])
    # Of users 1 and 3 (three ratings each), 2 and 4 (two), 0 (one), the first three are kept: 1, 3 and 2. These rate
    # items 1 and 2 three times, and then all of them have two ratings of these.
    busiest, popular = densest_as_released(users, items, 1, 2)
    assert (busiest.tolist(), popular.tolist()) == ([1], [1, 2])
    busiest, popular = densest_as_released(users, items, 2, 3)
    assert (busiest.tolist(), popular.tolist()) == ([1, 3], [1, 2, 5])


def test_a_matrix_of_low_rank_has_as_many_factors_as_its_rank():
    """The others would be rounding errors, scaled to length 1: items that all rate alike would differ."""
    rated = sparse.csr_array(np.tile(1.0 + np.arange(40) % 5, (60, 1)))
    users, items = text_factors(rated)
    assert users.shape == (60, 1)
    assert np.allclose(items, items[0])
    two = sparse.csr_array(np.outer(np.arange(60) % 2, np.ones(40)) + np.outer(np.ones(60), 1.0 + np.arange(40) % 5))
    assert text_factors(two)[1].shape == (40, 2)
    assert released_factors(two)[1].shape == (40, 3)  # and the constant
