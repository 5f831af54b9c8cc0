"""What all round loops share: blocks of rounds with their checkpoints, pieces of the replicas, and totals."""

import numpy as np
import pytest

from manybandits.environments.kinds.batch import Batch, Workers
from manybandits.environments.kinds.curves import RunningTotals, count_untried, with_optional


def test_blocks_hold_every_round_and_every_checkpoint_once():
    checkpoints = np.array([3, 10, 11, 25])
    told = []
    batch = Batch(np.array([7, 7, 2]), checkpoints, progress=told.append)
    blocks = list(batch.blocks(10))
    assert [(block.number, block.done, block.length) for block in blocks] == [(0, 0, 10), (1, 10, 10), (2, 20, 5)]
    assert [block.checkpoints.tolist() for block in blocks] == [[0, 1], [2], [3]]
    for block in blocks:
        assert np.array_equal(block.done + block.places + 1, checkpoints[block.checkpoints])
        assert np.array_equal(block.checkpoint_of[block.places], block.checkpoints)
        assert (block.checkpoint_of >= 0).sum() == len(block.checkpoints)
    assert told == [30, 30, 15]


def test_rounds_that_were_told_within_a_block_are_not_told_again():
    told = []
    batch = Batch(np.array([7, 7, 2]), np.array([25]), progress=told.append)
    for _ in batch.blocks(20):
        batch.tell(9)
    assert told == [9, 51, 9, 6]


def test_replicas_of_a_seed_share_its_rounds():
    batch = Batch(np.array([7, 7, 2]), np.array([1]))
    assert batch.drawn.tolist() == [2, 7]
    assert batch.drawn[batch.stream].tolist() == [7, 7, 2]


@pytest.mark.parametrize(("replicas", "threads"), [(1, 1), (5, 1), (5, 2), (3, 4)])
def test_every_replica_is_played_once_whatever_the_threads(replicas, threads):
    played = np.zeros(replicas, int)

    def kernel(state, first, last, given):
        state[first:last] += given

    told = []
    with Workers(Batch(np.arange(replicas), np.array([1]), threads, told.append)) as workers:
        workers.play(kernel, played, 1, rounds=10)
    assert (played == 1).all()
    assert sum(told) == 10 * replicas, "the rounds of all replicas are reported"


def test_an_error_in_a_thread_is_raised():
    def kernel(state, first, last):
        raise FloatingPointError

    with pytest.raises(FloatingPointError), Workers(Batch(np.arange(2), np.array([1]))) as workers:
        workers.play(kernel, (), rounds=1)


def test_totals_do_not_depend_on_the_length_of_blocks():
    rng = np.random.default_rng(0)
    rewards, expected = rng.random((2, 20, 3)), rng.random((2, 20, 3))
    chosen, checkpoints = rng.integers(3, size=(4, 20)), np.array([4, 9, 20])
    batch = Batch(np.array([0, 1, 1, 0]), checkpoints)
    found = []
    for length in (20, 7, 1):
        totals = RunningTotals(batch)
        for block in batch.blocks(length):
            part = slice(block.done, block.done + block.length)
            totals.add(block, rewards[:, part], expected[:, part], chosen[:, part])
        found.append(totals.curves)
    taken = np.take_along_axis(rewards[batch.stream], chosen[:, :, None], axis=2)[:, :, 0]
    for curves in found:
        assert np.allclose(curves["reward"], taken.cumsum(axis=1)[:, checkpoints - 1])
        assert (np.diff(curves["regret"], axis=1) >= 0).all()
        assert np.allclose(curves["regret"], found[0]["regret"])


def test_a_diverged_replica_has_no_totals_from_its_block_on():
    batch = Batch(np.array([0, 0]), np.array([2, 4, 6]))
    totals, pays = RunningTotals(batch), np.ones((1, 2, 2))
    for block in batch.blocks(2):
        totals.add(block, pays, pays, np.zeros((2, 2), int))
        if block.number == 1:
            totals.set_nan(block, np.array([False, True]))
    assert totals.curves["reward"][0].tolist() == [2, 4, 6]
    assert np.isnan(totals.curves["reward"][1]).tolist() == [False, True, True]


def test_an_arm_is_untried_until_its_first_round_whatever_the_length_of_blocks():
    chosen = np.array([[0, 0, 2, 1], [2, 2, 2, 2]])
    for length in (4, 3, 1):
        tried = np.zeros((2, 3), np.bool_)
        parts = [count_untried(chosen[:, first : first + length], tried) for first in range(0, 4, length)]
        assert np.concatenate(parts, axis=1).tolist() == [[2, 2, 1, 0], [2, 2, 2, 2]]


def test_a_game_without_clusters_has_their_columns_with_nan():
    curves = with_optional({"regret": np.zeros((2, 3)), "size": np.ones((2, 3))})
    assert set(curves) == {"regret", "clusters", "size", "purity", "agreement", "untried", "dead"}
    assert (curves.pop("regret") == 0).all()
    assert (curves.pop("size") == 1).all()
    assert all(curve.shape == (2, 3) and np.isnan(curve).all() for curve in curves.values())
