"""Frozen games: what is refused when a game is read."""

import numpy as np
import pytest

from manybandits.base.artifacts import load_arrays, load_facts, save_arrays
from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.environments.game_file import load_game
from tests.planted.runs import restamp


def test_a_game_with_nan_is_refused_by_name(tmp_path):
    path = tmp_path / "game.npz"
    synthetic.freeze(path, users=10, clusters=2, items=30, dimension=4)
    arrays = load_arrays(path)
    arrays["item_table"][0, 0] = np.nan
    save_arrays(path, arrays, load_facts(path))
    restamp(path)
    with pytest.raises(InputError, match=r"game.npz: array 'item_table' holds NaN"):
        load_game(path)
