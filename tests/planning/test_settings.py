"""Settings are merged in one order, key by key."""

from typing import get_args

import pytest

from manybandits.base.exceptions import InputError
from manybandits.base.typed import typed
from manybandits.harness.arguments import TUNING
from manybandits.papers.settings import Changes, Settings, Tuning
from manybandits.planning.configuration import Configuration, load_configuration
from manybandits.planning.plan import make_plan
from manybandits.planning.preferences import chosen
from manybandits.planning.settings import in_words, merge

PAPER = Settings(horizon=10, seeds="0-9", tuning_seeds="100", tuning="tuning-seeds", grid={"alpha": [1], "nu": [2]})


def test_the_last_change_counts_and_what_none_names_stays():
    found = merge(PAPER, Changes(horizon=20, seeds="0-4"), Changes(horizon=30))
    assert (found.horizon, found.seeds, found.tuning_seeds) == (30, "0-4", "100")


def test_a_grid_replaces_a_grid_as_a_whole():
    assert merge(PAPER, Changes(grid={"alpha": [5]})).grid == {"alpha": [5]}


def test_changes_of_a_configuration_are_merged_with_those_of_one_paper(root):
    content = chosen(load_configuration(root, []), root)
    content |= {"settings": {"horizon": 5, "seeds": "0"}, "per_paper": {"m_cnb": {"settings": {"horizon": 7}}}}
    config = typed(Configuration, content, "the configuration")
    assert config.for_paper("m_cnb").settings == Changes(horizon=7, seeds="0")
    assert config.for_paper("rmbandit").settings == Changes(horizon=5, seeds="0")


def test_a_configuration_plays_fewer_seeds_of_one_family_alone(root):
    """The paper's 20 runs of Table 2 are the default for all, networks among them; a configuration may have fewer."""
    content = load_configuration(root, []) | {
        "papers": ["lnucb_ta"],
        "experiments": ["lnucb_ta_table2"],
        "league": False,
    }
    (whole,) = make_plan(content, root).figures
    assert {len(play.spec.seeds) for play in whole.plays} == {20}
    fewer = {"lnucb_ta": {"per_family": {"neural": {"seeds": "0-6"}}}}
    plan = make_plan(content | {"per_paper": fewer}, root)
    assert plan.changes == {"lnucb_ta": "neural: seeds 0-6"}
    (part,) = plan.figures
    played = {play.spec.title: len(play.spec.seeds) for play in part.plays}
    assert (played["NeuralTS"], played["LinUCB"]) == (7, 20)
    assert {game.seeds for game in part.scale.games.values()} == {20}
    with pytest.raises(InputError, match="per_family"):
        make_plan(content | {"per_family": {"neurl": {"seeds": "0"}}}, root)


def test_games_of_some_data_are_played_at_another_scale(root):
    """Images are dear; a configuration may play them over fewer rounds, and all else over those of the paper."""
    content = load_configuration(root, []) | {"papers": ["meta_ban"], "league": False}
    few = {"horizon": 2000, "seeds": "0-5"}
    given = {"per_data": {"mnist+notmnist": few}, "per_family": {"kernel": {"seeds": "0"}}}
    plan = make_plan(
        content | {"experiments": ["meta_ban_fig1", "meta_ban_fig3"], "per_paper": {"meta_ban": given}}, root
    )
    scales = {
        (play.environment.role, play.spec.title): (play.spec.horizon, len(play.spec.seeds))
        for figure in plan.figures
        for play in figure.plays
    }
    assert scales["movielens", "CLUB"] == (10000, 10)
    assert scales["mnist+notmnist", "CLUB"] == (2000, 6)
    assert scales["mnist+notmnist", "KernelUCB"] == (2000, 1)  # the family of an algorithm is asked last
    assert plan.changes == {"meta_ban": "mnist+notmnist: 2,000 rounds, seeds 0-5; kernel: seeds 0"}
    (images,) = (figure for figure in plan.figures if figure.experiment == "fig3")
    assert {(game.horizon, game.seeds) for game in images.scale.games.values()} == {(10000, 10)}
    for name, place in (
        ("cifar10", r"per_paper\.meta_ban\.per_data"),
        ("minst+notmnist", "mnist"),
        ("mnist+notmnist arms=block", "arms=blocks"),
    ):
        with pytest.raises(InputError, match=place):
            make_plan(content | {"per_paper": {"meta_ban": {"per_data": {name: few}}}}, root)
    with pytest.raises(InputError, match=r"\(per_data\)"):
        make_plan(content | {"per_data": {"cifar": few}}, root)


def test_games_of_some_data_with_one_setting_are_played_at_another_scale(root):
    config = load_configuration(root, [])
    content = config | {"papers": ["meta_ban"], "league": False, "experiments": ["meta_ban_classes"]}
    given = {"mnist+notmnist arms=blocks": {"horizon": 2000}, "mnist+notmnist": {"horizon": 5000, "seeds": "0-5"}}
    plan = make_plan(content | {"per_data": given}, root)
    scales = {
        play.environment.name.rpartition("-")[2]: (play.spec.horizon, len(play.spec.seeds))
        for figure in plan.figures
        for play in figure.plays
    }
    assert scales == {"shifted": (5000, 6), "blocks": (2000, 6)}  # what the setting does not change is that of the data


def test_a_configuration_names_the_same_tuning_rules_as_a_play():
    assert get_args(Tuning) == TUNING


def test_changes_are_said_in_words_without_the_grid():
    assert in_words(Changes(grid={"alpha": [1]}, seeds="0-2", horizon=5)) == "5 rounds, seeds 0-2"
    assert in_words(Changes()) == ""


@pytest.mark.parametrize("horizon", [0, 7])
def test_what_a_paper_states_of_a_game_does_not_depend_on_the_configuration(root, horizon):
    """Table 2 is played over 10,000 rounds, on Mushroom over all of its 8,124."""
    content = load_configuration(root, []) | {
        "papers": ["lnucb_ta"],
        "experiments": ["lnucb_ta_table2"],
        "league": False,
    }
    (figure,) = make_plan(content | ({"settings": {"horizon": horizon}} if horizon else {}), root).figures
    assert {play.spec.horizon for play in figure.plays} == ({horizon} if horizon else {10_000, 8_124})
    stated = {name: game.horizon for name, game in figure.scale.games.items()}
    assert {horizon for name, horizon in stated.items() if "mushroom" in name} == {8_124}
    assert {horizon for name, horizon in stated.items() if "mushroom" not in name} == {10_000}
    assert figure.scale.originals == {name: name for name in ("adult", "magic", "mnist", "mushroom")}
