"""Frozen games: what is drawn for a round, and what is refused when a game is read."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import load_arrays, load_facts, save_arrays
from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.environments.game import distinct, load_game


def test_distinct_numbers_are_distinct_and_uniform():
    drawn = distinct(np.full(60_000, 5), 3, np.random.default_rng(0))
    assert (np.sort(drawn, axis=1)[:, 1:] > np.sort(drawn, axis=1)[:, :-1]).all()
    sets = np.sort(drawn, axis=1) @ [25, 5, 1]
    counts = np.unique(sets, return_counts=True)[1]
    assert len(counts) == 10
    assert ((counts - 6000) ** 2 / 6000).sum() < 28


def test_a_game_with_nan_is_refused_by_name(tmp_path):
    path = tmp_path / "game.npz"
    synthetic.freeze(path, users=10, clusters=2, items=30, dimension=4)
    arrays = load_arrays(path)
    arrays["item_table"][0, 0] = np.nan
    save_arrays(path, arrays, load_facts(path))
    with pytest.raises(InputError, match=r"game.npz: array 'item_table' holds NaN"):
        load_game(path)
