"""The league's file: every algorithm plays in some arena, all of an arena play the same, and mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay
from manybandits.base.exceptions import InputError
from manybandits.base.typed import typed
from manybandits.planning.configuration import Configuration, load_configuration
from manybandits.planning.league import FILE, make_arenas, read_league
from manybandits.planning.preferences import chosen
from manybandits.tables.regret import ORACLES

ROOT = Path(__file__).parents[2]
CONTENT = chosen(load_configuration(ROOT, [ROOT / "configs/paper-scale.yaml"]), ROOT)


def configured(**changes) -> Configuration:
    return typed(Configuration, overlay(CONTENT, changes), "the configuration")


def test_every_algorithm_plays_in_some_arena_but_oracles_public_code_and_one_that_asks_for_more():
    playing = {name for key, arena in read_league(ROOT / FILE).arenas.items() for name in arena.entrants(key)}
    public = {name for name in catalogue.names() if catalogue.family_of(name) == "released"}
    assert not playing & public
    absent = set(catalogue.names()) - playing - public
    assert {catalogue.load(name).TITLE for name in absent} == {*ORACLES, "NeuA+U"}


def test_all_algorithms_of_an_arena_play_all_its_games_for_equally_long_on_the_same_seeds():
    for arena in make_arenas(configured(), ROOT):
        games = {play.environment.name for play in arena.plays}
        algorithms = {play.spec.algorithm for play in arena.plays}
        assert len(arena.plays) == len(games) * len(algorithms)
        specs = [play.spec for play in arena.plays]
        assert len({(one.horizon, one.seeds, one.tuning_seeds, one.tuning_rounds) for one in specs}) == 1
        assert all(play.spec.title == catalogue.load(play.spec.algorithm).TITLE for play in arena.plays)


def test_games_without_data_are_left_out_and_their_arena_with_the_last_of_them():
    arenas = {
        arena.name: arena for arena in make_arenas(configured(data={"use": {"news": "none", "yelp": "none"}}), ROOT)
    }
    assert "replay" not in arenas
    assert not [play.name for play in arenas["recommendation"].plays if "yelp" in play.name]


def test_a_family_alone_plays_the_league_alone():
    arenas = make_arenas(configured(families=["kernel"]), ROOT)
    assert {play.spec.algorithm for arena in arenas for play in arena.plays} == {"kernel_ucb", "kernel_ts"}


def _first(content):
    return next(iter(content["arenas"].values()))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda c: _first(c)["without"][0]["algorithms"].append("clubb"), r"'clubb'.*did you mean 'club'"),
        (lambda c: _first(c)["without"].append(_first(c)["without"][0]), "cluster_oracle is excluded twice"),
        (lambda c: c["tune"].update(clubs={"alpha": [1, 2]}), r"unknown algorithm .*tune.* 'clubs'"),
        (lambda c: c["tune"].update(club={"alfa": [1, 2]}), "CLUB has no option 'alfa'"),
        (lambda c: c["settings"].update(horizont=3), "unknown key 'horizont' in 'settings'"),
        (lambda c: _first(c)["games"][0].update(game="m-cmb"), r"unknown game .*'m-cmb'"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path, damage, words):
    content = yaml.safe_load((ROOT / FILE).read_text())
    damage(content)
    path = tmp_path / FILE
    path.parent.mkdir(parents=True)
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(InputError, match=words):
        make_arenas(configured(), tmp_path)
