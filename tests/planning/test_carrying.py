"""Identities of packed tables are carried over an edit of code only if no value differs."""

from __future__ import annotations

import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments.catalogue import load_module
from manybandits.planning.carrying import Known, carried, chosen, digest_of_values
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan import make_plan

BEFORE = Known({"a": "1", "b": "2"}, {"runs/a": ("old a", "x"), "runs/b": ("old b", "y"), "runs/c": ("old c", "z")})
HERE = Known({"a": "1", "b": "2"}, {"runs/a": ("new a", "x"), "runs/b": ("new b", "other"), "runs/c": ("new c", "z")})


def test_a_table_that_was_up_to_date_and_is_asked_for_alike_has_the_identity_of_the_new_code():
    packed = {"runs/a": "old a", "runs/b": "old b", "runs/c": "older", "regressions/d": "old d"}
    assert carried(packed, BEFORE, HERE) == {**packed, "runs/a": "new a"}


def test_no_table_is_carried_over_if_a_value_differs():
    with pytest.raises(InputError, match=r"^b has other values than before the edit"):
        carried({"runs/a": "old a"}, BEFORE, Known({"a": "1", "b": "3"}, HERE.tables))


def test_what_was_not_played_before_the_edit_is_named():
    with pytest.raises(InputError, match=r"^c was not played before the edit: make the digests again there"):
        carried({}, BEFORE, Known({**HERE.values, "c": "3"}, HERE.tables))


@pytest.fixture(scope="module")
def plays(root):
    return make_plan(load_configuration(root, [root / "configs/embedded.yaml"]), root).plays


def test_one_play_stands_for_all_of_an_algorithm_with_its_options_on_a_kind_of_game(plays):
    def key(play):
        return play.spec.title, play.spec.protocol, play.environment.module

    found = chosen(plays)
    assert len(found) < len(plays)
    assert sorted(map(key, found.values())) == sorted(set(map(key, plays.values())))


def test_a_digest_is_that_of_what_an_algorithm_chooses(plays, tmp_path):
    made = [play for play in plays.values() if not play.environment.datasets and play.spec.algorithm != "random"]
    pairs = ((one, two) for one in made for two in made if one.environment == two.environment and one is not two)
    first, other = next(pairs)
    game = tmp_path / f"{first.environment.name}.npz"
    load_module(first.environment.module).main([*first.environment.arguments, "--out", str(game)])
    digest = digest_of_values(first, game)
    assert digest == digest_of_values(first, game)
    assert digest != digest_of_values(other, game)
