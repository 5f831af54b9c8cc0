"""Public data in one call: the table and the game of a family, by edition, from a cache; and tables of OpenML."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

import manybandits as mb
from manybandits import datasets
from manybandits.datasets.build import build
from manybandits.environments import catalogue
from manybandits.interface.data import editions, families


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of data beside the compiled kernels, which stay where they are, and no mirror."""
    monkeypatch.setattr("manybandits.interface.data.cache_folder", lambda: tmp_path)
    monkeypatch.setattr("manybandits.datasets.command_line.cache_folder", lambda: tmp_path)
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    return tmp_path


def test_every_data_set_is_an_edition_of_a_family_whose_functions_have_its_settings():
    known = [name for family in families() for name in editions(family).values()]
    assert sorted(known) == datasets.names()
    for family in families():
        table, game = getattr(mb.data, family), getattr(mb.games, family)
        assert list(inspect.signature(table).parameters) == ["edition"]
        parameters = inspect.signature(game).parameters
        default = parameters["game"].default if "game" in parameters else None
        kind = default or {"log": "replay", "tags": "lastfm-agents"}.get(
            datasets.load(next(iter(editions(family).values()))).DATASET.kind, "classification"
        )
        settings = catalogue.load_module(catalogue.script_of(kind)).SETTINGS
        assert {name: parameters[name].default for name in settings} == settings
        assert table.__name__ == game.__name__ == family
        assert {family} <= set(dir(mb.data)) & set(dir(mb.games))


def test_type_checkers_know_every_family_and_no_other_name():
    for module, more in ((mb.games, catalogue.WITHOUT_DATA), (mb.data, ())):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        declared = {node.target.id for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and node.value is None}
        assert declared == {*families(), *more}


def test_the_default_edition_needs_no_step_by_hand():
    assert [next(iter(editions(one))) for one in ("movielens", "yelp", "amazon_fashion", "mnist")] == [
        "1m", "2000x10000", "amazon-fashion", "mnist",
    ]  # fmt: skip


def test_a_public_game_has_the_rounds_of_the_workflow_and_is_tidied_once(cache, tmp_path, capsys):
    game = mb.games.embedded(users=100)
    assert "generated ratings. Licence: MIT, like the code. Cite: manybandits." in capsys.readouterr().err
    tidy = build(datasets.load("embedded-ratings"), tmp_path / "raw", tmp_path / "tidy")
    given = ["--game", "m-cnb", "--tidy", str(tidy), "--role", "embedded", "--users", "100"]
    catalogue.load_module(catalogue.script_of("m-cnb")).main([*given, "--out", str(tmp_path / "there.npz")])
    assert game.name == mb.games.load(tmp_path / "there.npz").name
    assert game.facts["name"] == "embedded-ratings-users-100"
    assert list(mb.data.embedded("embedded-ratings").columns) == ["user", "item", "rating"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: mb.games.movielns, AttributeError, "no data called 'movielns': did you mean 'movielens'"),
        (lambda: mb.data.mnits, AttributeError, "no data called 'mnits': did you mean 'mnist'"),
        (lambda: mb.games.movielens("1n"), mb.InputError, "unknown edition of movielens '1n': .*1m, "),
        (lambda: mb.games.embedded(poolz="users"), mb.InputError, "unknown argument of .*embedded 'poolz': .*'pools'"),
        (lambda: mb.games.embedded(pools="usrs"), mb.InputError, "unknown pools 'usrs': .*'users'"),
        (lambda: mb.games.embedded(game="m-cbn"), mb.InputError, "unknown game of embedded 'm-cbn': .*'m-cnb'"),
        (lambda: mb.data.article(), mb.InputError, "yahoo-r6a is not downloaded automatically: ask for R6A"),
        (lambda: mb.data.cifar10("first-15000"), mb.InputError, "has no official address: name a mirror that holds"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_named_with_the_nearest(cache, call, error, words):
    with pytest.raises(error, match=words):
        call()


def table_of_openml(**changes):
    data = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0] * 5, "z": [1.0, 0.0] * 10})
    facts = {"data": data, "target": pd.Series(["a", "b"] * 10, name="class"), "details": {"name": "iris"}, "url": "u"}
    return lambda **given: SimpleNamespace(**{**facts, **changes})


def refused(error):
    def fetch(**given):
        raise error

    return fetch


def test_a_table_of_openml_is_a_frame_and_a_game(cache, monkeypatch, capsys):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", table_of_openml())
    assert list(mb.data.openml(61).columns) == ["x", "z", "label"]
    game = mb.games.openml(61, user="hidden")
    assert (game.facts["name"], game.facts["arms"]) == ("openml-61", 2)
    assert "OpenML 61, iris. Licence: not stated. Cite: u." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fetch", "words"),
    [
        (refused(OSError("Name or service not known")), r"table 61 of OpenML cannot be had \(Name or service"),
        (refused(ValueError("OpenML dataset 61 is gone.")), r"cannot be had \(OpenML .*gone\): give the number"),
        (table_of_openml(target=None), "table 61 of OpenML has no single target"),
    ],
)  # fmt: skip
def test_what_openml_lacks_is_a_sentence(cache, monkeypatch, fetch, words):
    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    with pytest.raises(mb.InputError, match=words):
        mb.games.openml(61)
