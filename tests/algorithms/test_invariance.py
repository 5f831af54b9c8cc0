"""What must hold for every algorithm, whatever it does."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits.algorithms import catalogue, contract
from manybandits.base.exceptions import InputError
from manybandits.compiling.replicas import row
from manybandits.harness.replicas import play_replicas
from tests.algorithms.test_nearest import LOGGED
from tests.harness.one_block import final_bytes, play, regret, start, synthetic_game

GAME = synthetic_game(separation=0.9)
HORIZON = 200


def case(name: str) -> Any:
    """Return a case; those of algorithms that are tested alike in a game of their own kind are in depth."""
    elsewhere = name in LOGGED or catalogue.family_of(name) in ("kernel", "multiagent", "multitask")
    return pytest.param(name, marks=[pytest.mark.release(group="policies")] * elsewhere)


CHOOSING = [name for name in catalogue.names() if hasattr(catalogue.load(name), "choose") and name != "cluster_oracle"]
NAMES = [case(name) for name in CHOOSING]
OPTIONS = {"alpha": [0.01, 0.1, 1.0], "nu": [0.01, 0.1, 1.0], "lambda": [0.1, 1.0]}
OPTIONS |= {"alpha_2": [0.2, 1.0], "alpha_theta": [0.5, 1.0]}
OPTIONS |= {"steps": [5, 20]}  # of the networks of public code, whose default is 1,000 a round


def setting(name: str, draw: int) -> dict:
    known = {option.name for option in catalogue.load(name).OPTIONS}
    return {option: values[draw % len(values)] for option, values in OPTIONS.items() if option in known}


@pytest.mark.parametrize("name", NAMES)
def test_a_replica_does_not_depend_on_its_neighbours_threads_or_pieces(name):
    settings_of = [setting(name, r) for r in range(40)]
    seeds = [r % 7 for r in range(40)]
    together = start(GAME, name, settings_of, seeds)
    arms = play(GAME, name, together, seeds, HORIZON, threads=2)

    for replica in (0, 17, 39):
        alone = start(GAME, name, [settings_of[replica]], [seeds[replica]])
        assert np.array_equal(play(GAME, name, alone, [seeds[replica]], HORIZON)[0], arms[replica])
        if name != "cofiba":  # its lists of neighbours are as long as the longest of the batch
            assert final_bytes(alone, 0) == final_bytes(together, replica)

    half = start(GAME, name, settings_of[20:], seeds[20:])
    pieces = play(GAME, name, half, seeds[20:], HORIZON, cuts=(1, 77), threads=1)
    assert np.array_equal(pieces, arms[20:])


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_arms_and_another_seed_does_not(name):
    arms = play(GAME, name, start(GAME, name, [{}] * 3, [4, 4, 5]), [4, 4, 5], HORIZON)
    assert np.array_equal(arms[0], arms[1])
    assert not np.array_equal(arms[0], arms[2])


@pytest.mark.parametrize("name", NAMES)
def test_regret_never_falls(name):
    arms = play(GAME, name, start(GAME, name, [{}], [0]), [0], HORIZON)
    curve = [regret(GAME, arms[:, :t], [0])[0] for t in range(1, HORIZON, 20)]
    assert (np.diff([0.0, *curve]) >= 0).all()


def test_permuting_the_arms_permutes_the_choice():
    """Without ties, what an arm is called does not matter."""
    from manybandits.algorithms.linear.linucb_ind import choose

    rng = np.random.default_rng(0)
    state = start(GAME, "linucb_ind", [{"alpha": 0.5}], [0])
    play(GAME, "linucb_ind", state, [0], HORIZON)
    one = row(state, 0)
    contexts = rng.normal(size=(10, GAME.dimension))
    items = np.arange(10)
    arm = choose(one, 5, 0, items, contexts)
    order = rng.permutation(10)
    assert order[choose(one, 5, 0, items[order], contexts[order])] == arm


def test_club_cuts_edges_and_beats_one_model_a_user_on_separated_clusters():
    game = synthetic_game(users=250, clusters=5, items=200, dimension=20, separation=1.1, noise=0.3)
    seeds = list(range(5))

    def final(name: str, **options) -> np.ndarray:
        algorithm = catalogue.load(name)
        setting = contract.complete(algorithm, {"alpha": 0.1, **options}, "test")
        table = play_replicas(game, algorithm, [setting] * 5, seeds, horizon=5000, threads=2)
        return table[table["round"] == 5000]

    club, alone = final("club", alpha_2=0.3), final("linucb_ind")
    assert (club["clusters"] > 1).all()
    assert (club["regret"].to_numpy() < alone["regret"].to_numpy()).all()


def test_club_finds_the_clusters_when_there_is_little_noise():
    game = synthetic_game(users=50, clusters=5, items=200, dimension=6, separation=1.1, noise=0.1)
    club = catalogue.load("club")
    setting = contract.complete(club, {"alpha": 0.1, "alpha_2": 0.5}, "test")
    table = play_replicas(game, club, [setting] * 5, list(range(5)), horizon=3000)
    assert (table[table["round"] == 3000]["clusters"] == 5).all()


def test_cofiba_cuts_edges_between_users_and_between_items():
    game = synthetic_game(users=50, clusters=5, items=200, dimension=6, separation=1.1, noise=0.1)
    state = start(game, "cofiba", [{"alpha": 0.1, "alpha_2": 0.1}] * 3, [0, 1, 2])
    play(game, "cofiba", state, [0, 1, 2], 1000)
    assert (state.graphs.number[:, 0] > 1).all()
    for r in range(3):
        parts = [(state.graphs.label[r, c] == np.arange(50)).sum() for c in range(state.graphs.number[r, 0])]
        assert max(parts) > 1


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(catalogue.names()), st.text(min_size=1, max_size=8))
def test_an_unknown_option_is_named_with_the_algorithm(name, option):
    algorithm = catalogue.load(name)
    if option in {known.name for known in algorithm.OPTIONS}:
        return
    with pytest.raises(InputError, match="has no option"):
        contract.complete(algorithm, {option: 1}, "here")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"alfa": 1}, "did you mean 'alpha'"),
        ({"alpha": "much"}, "alpha is 'much', which is not a number"),
        ({"alpha": float("nan")}, "which is not a number"),
        ({"alpha": True}, "which is not a number"),
        ({"alpha": -1}, "give a value from 0 to inf"),
        ({"lambda": 0}, "give a value from 1e-06"),
        ({"graph": "full"}, "graph is 'full'"),
    ],
)
def test_a_bad_option_stops_with_its_name_and_the_cure(given, words):
    with pytest.raises(InputError) as error:
        contract.complete(catalogue.load("club"), given, "club on a game")
    assert words in str(error.value)
    assert "club on a game" in str(error.value)


def test_an_unknown_algorithm_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'club'"):
        catalogue.load("clubb")
