"""The league's file: every algorithm plays in some arena, all of an arena play the same, and mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.planning.league import FILE, entrants, make_arenas
from manybandits.tables.regret import ORACLES

ROOT = Path(__file__).parents[2]
CONFIG = overlay(read_yaml(ROOT / "config.yaml"), read_yaml(ROOT / "configs/reduced.yaml"))
CONTENT = read_yaml(ROOT / FILE)


def test_every_algorithm_plays_in_some_arena_but_oracles_and_one_that_asks_for_more():
    playing = {name for key, arena in CONTENT["arenas"].items() for name in entrants(arena, key)}
    assert {catalogue.load(name).TITLE for name in set(catalogue.names()) - playing} == {*ORACLES, "NeuA+U"}


def test_all_algorithms_of_an_arena_play_all_its_games_for_equally_long_on_the_same_seeds():
    for arena in make_arenas(CONFIG, ROOT):
        games = {play.environment.name for play in arena.plays}
        algorithms = {play.algorithm for play in arena.plays}
        assert len(arena.plays) == len(games) * len(algorithms)
        assert len({(play.horizon, play.seeds, play.tuning_seeds, play.tuning_rounds) for play in arena.plays}) == 1
        assert all(play.title == catalogue.load(play.algorithm).TITLE for play in arena.plays)


def test_games_without_data_are_left_out_and_their_arena_with_the_last_of_them():
    config = overlay(CONFIG, {"data": {"use": {"news": "none", "yelp": "none"}}})
    arenas = {arena.name: arena for arena in make_arenas(config, ROOT)}
    assert "replay" not in arenas
    assert not [play.name for play in arenas["recommendation"].plays if "yelp" in play.name]


def test_a_family_alone_plays_the_league_alone():
    arenas = make_arenas({**CONFIG, "families": ["kernel"]}, ROOT)
    assert {play.algorithm for arena in arenas for play in arena.plays} == {"kernel_ucb", "kernel_ts"}


def _first(content):
    return next(iter(content["arenas"].values()))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda c: _first(c)["without"][0]["algorithms"].append("clubb"), r"'clubb'.*did you mean 'club'"),
        (lambda c: _first(c)["without"].append(_first(c)["without"][0]), "cluster_oracle is left out twice"),
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
    (path.parent / "schemas").symlink_to(ROOT / "workflow/schemas")
    with pytest.raises(InputError, match=words):
        make_arenas(CONFIG, tmp_path)
