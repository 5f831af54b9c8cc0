"""Games from settings: the same as those of the command line, with checks."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pyarrow
import pytest

import manybandits as mb
from manybandits.environments import agents, instances, own, synthetic
from manybandits.environments.catalogue import WITHOUT_DATA, freeze_without_data
from manybandits.environments.game_file import load_game

MODULES = {"synthetic": synthetic, "agents": agents, "instances": instances}


@pytest.mark.parametrize("kind", WITHOUT_DATA)
def test_a_game_takes_the_settings_of_its_module_with_their_defaults(kind):
    parameters = inspect.signature(getattr(mb.games, kind)).parameters
    assert {name: one.default for name, one in parameters.items()} == MODULES[kind].SETTINGS


@pytest.mark.parametrize(("kind", "settings"), [("synthetic", {"users": 6, "clusters": 2}), ("agents", {"agents": 6})])
def test_a_game_has_the_rounds_of_the_command_line(kind, settings, tmp_path):
    made = getattr(mb.games, kind)(**settings)
    frozen = mb.games.load(freeze_without_data(kind, settings, tmp_path))
    assert made.name == frozen.name  # the digest of the arrays, which is the key of its rounds
    assert made.facts | {"name": ""} == frozen.facts | {"name": ""}


def test_the_name_of_a_game_has_the_settings_that_were_changed():
    assert mb.games.synthetic().facts["name"] == "synthetic"
    assert mb.games.synthetic(noise=0.5, users=6).facts["name"] == "synthetic-users-6-noise-0.5"


@pytest.mark.parametrize(
    ("kind", "settings", "words"),
    [
        ("synthetic", {"users": 3}, "5 clusters of 3 users"),
        ("synthetic", {"users": 2.5}, "users is 2.5; give a whole number that is not below 0, such as 50"),
        ("synthetic", {"users": "many"}, "users is 'many'; give a number, such as 50"),
        ("synthetic", {"noise": float("nan")}, "noise is nan; give a number"),
        ("agents", {"population": "mob"}, "unknown population 'mob'"),
        ("agents", {"population": 3}, "population is 3; give a word, such as 'clusters'"),
    ],
)
def test_a_wrong_setting_is_named(kind, settings, words):
    with pytest.raises(mb.InputError) as error:
        getattr(mb.games, kind)(**settings)
    assert words in str(error.value)


def test_arguments_by_place_are_settings_and_none_is_lost():
    assert mb.games.synthetic(6, 2).name == mb.games.synthetic(users=6, clusters=2).name
    with pytest.raises(TypeError, match="too many positional arguments"):
        mb.games.synthetic(*range(50))
    with pytest.raises(TypeError, match="multiple values for argument 'users'"):
        mb.games.synthetic(6, users=7)


def test_a_file_is_read_as_the_harness_reads_it(tmp_path):
    synthetic.freeze(tmp_path / "mine.npz", users=6, clusters=2)
    game = mb.games.load(tmp_path / "mine.npz")
    assert game.facts == load_game(tmp_path / "mine.npz").facts
    assert game.facts["name"] == "mine"


RANDOM = np.random.default_rng(0)
TABLES = {
    "ratings": (
        pd.DataFrame(
            [(u, i, RANDOM.integers(1, 6)) for u in range(30) for i in range(40)], columns=["user", "item", "rating"]
        ),
        {"users": 4},
    ),
    "classification": (
        pd.DataFrame(RANDOM.normal(size=(60, 3))).add_prefix("x").assign(label=RANDOM.integers(3, size=60)),
        {"user": "hidden"},
    ),
    "log": (
        pd.DataFrame(RANDOM.normal(size=(60, 3)))
        .add_prefix("x")
        .assign(arm=RANDOM.integers(3, size=60), reward=RANDOM.integers(2, size=60)),
        {"propensity": "uniform"},
    ),
}


wide = TABLES["log"][0].assign(x0=1e12)


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_of_ones_own_is_a_game_as_on_the_command_line(kind, tmp_path):
    table, settings = TABLES[kind]
    table.to_parquet(tmp_path / "mine.parquet")
    make = {"ratings": mb.games.from_ratings, "classification": mb.games.from_rows, "log": mb.games.from_log}[kind]
    framed = make(table, name="mine", **settings)
    filed = make(tmp_path / "mine.parquet", **settings)
    given = {"columns": {"propensity": "uniform"}} if kind == "log" else settings
    getattr(own, kind)(tmp_path / "mine.parquet", tmp_path / "mine.npz", **given)
    assert framed.name == filed.name == mb.games.load(tmp_path / "mine.npz").name
    assert framed.facts["name"] == "mine"
    assert mb.play("random", game=framed, horizon=10, seeds=[0]).final["round"].tolist() == [10]


@pytest.mark.parametrize(
    "made",
    [
        lambda frame: frame.set_index("user"),
        lambda frame: frame.set_index(np.arange(len(frame))[::-1] * 7),
        lambda frame: frame.astype({"user": "category", "item": "Int64", "rating": "float32"}),
        lambda frame: pyarrow.Table.from_pandas(frame),
    ],
    ids=["named index", "other index", "other types", "pyarrow"],
)
def test_frames_of_any_kind_make_the_same_game(made):
    table, settings = TABLES["ratings"]
    assert mb.games.from_ratings(made(table), **settings).name == mb.games.from_ratings(table, **settings).name


def test_frames_of_polars_make_the_same_game():
    polars = pytest.importorskip("polars")
    table, settings = TABLES["ratings"]
    frame = polars.DataFrame({name: table[name].to_numpy() for name in table})
    assert mb.games.from_ratings(frame, **settings).name == mb.games.from_ratings(table, **settings).name


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: mb.games.from_log(TABLES["log"][0]), r"by propensity=COLUMN, or write propensity=uniform"),
        (lambda: mb.games.from_ratings(TABLES["ratings"][0], user="who"), r"Name it by user=COLUMN"),
        (lambda: mb.games.from_ratings(TABLES["ratings"][0], users=31), r"give at most users=30"),
        (lambda: mb.games.from_ratings(TABLES["ratings"][0].drop(columns="user")), r"no column 'user'"),
        (lambda: mb.games.from_log(wide, propensity="uniform"), r"drop=x0"),
        (lambda: mb.evaluate("linucb", TABLES["log"][0]), r"by propensity=COLUMN"),
    ],
)
def test_messages_name_arguments_as_python_and_the_command_line_take_them(call, says):
    with pytest.raises(mb.InputError, match=says) as told:
        call()
    assert "--" not in str(told.value)


def test_a_table_without_a_column_is_named():
    with pytest.raises(mb.InputError, match="rating"):
        mb.games.from_ratings(TABLES["ratings"][0].drop(columns="rating"))


def test_what_is_odd_about_a_table_is_a_warning():
    table = pd.DataFrame({"one": 7, "x": [k % 5 for k in range(60)], "label": [k % 2 for k in range(60)]})
    with pytest.warns(UserWarning, match="Column 'one' has one value only"):
        mb.games.from_rows(table, numbers="standard")


def test_functions_have_their_former_names_too():
    assert (mb.games.ratings, mb.games.classification, mb.games.log) == (
        mb.games.from_ratings,
        mb.games.from_rows,
        mb.games.from_log,
    )
    assert "ratings" not in dir(mb.games)
