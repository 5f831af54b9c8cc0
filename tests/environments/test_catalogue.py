"""The games that can be named, and those among them that need no data."""

import importlib

import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.environments.catalogue import GAMES, WITHOUT_DATA, freeze_without_data
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.agents import AgentGame
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.environments.kinds.users import UserGame


@pytest.mark.parametrize("module", sorted(set(GAMES.values())))
def test_every_module_says_which_kind_of_game_it_makes_and_what_it_can_be_made_with(module):
    found = importlib.import_module(module)
    assert all(callable(getattr(found, name)) for name in ("game", "main"))
    assert not found.SETTINGS or callable(found.check)


@pytest.mark.parametrize(
    ("name", "kind"), [("synthetic", UserGame), ("agents", AgentGame), ("instances", InstanceGame)]
)
def test_a_game_that_needs_no_data_is_made_and_read_again(name, kind, tmp_path):
    game = load_game(freeze_without_data(name, {"arms": 3, "dimension": 4 if name == "synthetic" else 6}, tmp_path))
    assert name in WITHOUT_DATA
    assert type(game) is kind
    assert game.arms == 3


def test_settings_of_a_synthetic_game_can_be_checked_before_it_is_made():
    synthetic.check(synthetic.SETTINGS)
    with pytest.raises(InputError, match="only 5 items: offer fewer arms"):
        synthetic.check({**synthetic.SETTINGS, "items": 5})
