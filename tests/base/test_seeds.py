import numpy as np
import pytest

from manybandits.base import seeds
from manybandits.numerics import draws


def test_splitmix64_gives_the_published_words():
    random = np.zeros(1, np.uint64)
    words = [int(draws.next_word(random)) for _ in range(3)]
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_streams_depend_on_the_key_and_not_on_the_order_of_opening():
    first = seeds.stream("rounds", "game", 1, 0).random(5)
    seeds.stream("rounds", "game", 2, 0).random(100)
    assert np.array_equal(first, seeds.stream("rounds", "game", 1, 0).random(5))
    assert not np.array_equal(first, seeds.stream("rounds", "game", 1, 1).random(5))
    assert not np.array_equal(first, seeds.stream("rounds", "other", 1, 0).random(5))
    assert not np.array_equal(seeds.stream("1").random(3), seeds.stream(1).random(3))


def test_the_word_of_a_replica_depends_on_its_seed_alone():
    together = seeds.words(np.array([3, 1, 2]), "policy")
    assert np.array_equal(together[1], seeds.words(np.array([1]), "policy")[0])
    assert len(np.unique(together)) == 3


def test_uniform_numbers_are_uniform():
    random = seeds.words(np.array([0]), "test")[0]
    numbers = np.array([draws.uniform(random) for _ in range(20_000)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    counts = np.histogram(numbers, 20, (0, 1))[0]
    assert ((counts - 1000) ** 2 / 1000).sum() < 45  # chi-squared with 19 degrees of freedom, p < 0.001


@pytest.mark.parametrize("n", [1, 2, 7])
def test_below_reaches_every_number_and_no_other(n):
    random = seeds.words(np.array([1]), "test")[0]
    assert {draws.below(random, n) for _ in range(300)} == set(range(n))
