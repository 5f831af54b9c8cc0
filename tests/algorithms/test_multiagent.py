"""Policies that all agents play in every round: plain twins, batch invariance, what they must achieve, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.multiagent.cmlb import maximal_cluster
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.datasets import build
from manybandits.environments import agents, lastfm_agents
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.agents import AgentGame
from manybandits.harness.replicas import play_replicas
from tests.harness.one_block import synthetic_game
from tests.oracles import multiagent as twins

HORIZON = 200  # as many checkpoints as rounds: a curve tells every single round
SEEDS = (0, 1, 2)


def game(population: str = "clusters", **settings) -> AgentGame:
    settings = {"agents": 12, "clusters": 3, "arms": 8, "dimension": 5, "noise": 0.3, **settings}
    arrays = built(population=population, **settings)
    return AgentGame(
        f"test {population} {sorted(settings.items())}",
        {"name": "test"},
        arrays,
        settings["agents"],
        settings["arms"],
        settings["dimension"],
        agents.draw_population,
        agents.draw_piece,
    )


def built(**settings) -> dict[str, np.ndarray]:
    return agents.build(**{**agents.SETTINGS, **settings})


def setting(name: str, **options) -> dict:
    return contract.complete(catalogue.load(name), options, "test")


def curves(played: AgentGame, name: str, settings: list[dict], seeds: list[int], horizon: int = HORIZON, **how):
    table = play_replicas(played, catalogue.load(name), settings, seeds, horizon=horizon, **how)
    count = len(table) // len(seeds)
    return {c: table[c].to_numpy().reshape(-1, count) for c in ("regret", "reward", "clusters", "agreement")}


def final(played: AgentGame, name: str, seeds: list[int], horizon: int, **options) -> np.ndarray:
    return curves(played, name, [setting(name, **options)] * len(seeds), seeds, horizon, threads=2)["regret"][:, -1]


def curve_of_twin(played: AgentGame, twin, seed: int) -> np.ndarray:
    """The regret of a twin after every round, (HORIZON,)."""
    population = played.population(np.array([seed]))
    rounds = played.rounds(population, np.array([seed]), 0, HORIZON)
    gaps = []
    for b in range(HORIZON):
        contexts, expected = rounds.contexts[0, b], rounds.expected[0, b]
        arms = twin.choose(b + 1, contexts)
        paid = expected[np.arange(played.users), arms]
        twin.learn(b + 1, contexts, arms, (paid + rounds.noise[0, b]).tolist())
        gaps.append((expected.max(axis=1) - paid).mean())
    return np.cumsum(gaps)


CASES = [
    ("linucb_alone", twins.Alone, {}),
    ("linucb_alone", twins.Alone, {"width": 0.5, "lambda": 0.1}),
    ("cmlb", twins.Cmlb, {"constant": 0.5}),
    ("cmlb", twins.Cmlb, {"constant": 0.3, "p_star": 0.3, "averaged": "unaware", "exponent": 0.25}),
    ("sclb", twins.Sclb, {"constant": 0.2}),
    ("sclb", twins.Sclb, {"constant": 0.1, "exponent": 0.3, "lambda": 0.5}),
    ("alb_norm", twins.AlbNorm, {"first_epoch": 16}),
    ("pmlb", twins.Pmlb, {}),
    ("pmlb", twins.Pmlb, {"averaged": "unaware", "width": 0.4}),
    ("pmlb", twins.Pmlb, {"index": "difference"}),
    ("pmlb", twins.Pmlb, {"personal": "alb-norm", "first_epoch": 20, "norm": 2.0}),
]


@pytest.mark.parametrize("population", ["clusters", "mean"])
@pytest.mark.parametrize(("name", "twin", "options"), CASES)
def test_policy_chooses_the_arms_of_its_oracle(name, twin, options, population):
    played = game(population)
    full = setting(name, **options)
    for seed in SEEDS:
        random = int(streams.words(np.array([seed]), "policy")[0, 0])
        theirs = curve_of_twin(played, twin(played.users, played.dimension, HORIZON, full, random), seed)
        np.testing.assert_allclose(curves(played, name, [full], [seed])["regret"][0], theirs, atol=1e-9)


def test_the_twins_of_cmlb_and_sclb_did_cluster():
    """Otherwise the comparison above would be one of individual learning only."""
    for name, options in (("cmlb", {"constant": 0.5}), ("sclb", {"constant": 0.2})):
        found = curves(game(), name, [setting(name, **options)] * 3, list(SEEDS))["clusters"]
        assert (found[:, -1] < 12).all()


@pytest.mark.parametrize(
    "name",
    ["linucb_alone", "cmlb", "sclb", "pmlb", "alb_norm", "cluster_oracle", "mean_oracle", "club", "random"],
)
def test_a_replica_does_not_depend_on_its_neighbours_threads_or_pieces(name):
    played = game()
    known = {option.name for option in catalogue.load(name).OPTIONS}
    widths = [{"width": width} if "width" in known else {} for width in (0.03, 0.1, 0.4)]
    settings_of = [setting(name, **widths[r % 3]) for r in range(12)]
    seeds = [r % 5 for r in range(12)]
    together = curves(played, name, settings_of, seeds, threads=2)
    split = curves(played, name, settings_of, seeds, memory=1)
    for column, values in together.items():
        assert np.array_equal(values, split[column], equal_nan=True)
    for replica in (0, 7, 11):
        alone = curves(played, name, [settings_of[replica]], [seeds[replica]])
        assert np.array_equal(alone["regret"][0], together["regret"][replica])
        assert np.array_equal(alone["agreement"][0], together["agreement"][replica], equal_nan=True)


def test_stopping_early_changes_nothing_before():
    """Tuning plays the first rounds of a game whose horizon the algorithm knows."""
    table = curves(game(), "cmlb", [setting("cmlb")], [0], horizon=400)["regret"][0]
    early = curves(game(), "cmlb", [setting("cmlb")], [0], horizon=400, rounds=100)["regret"][0]
    assert early[-1] == table[49]  # checkpoints are two rounds apart in the longer one


@pytest.mark.parametrize("p_star", [0.0, 0.1, 0.35, 1.0])
def test_maximal_cluster_agrees_with_scipy(p_star):
    rng = np.random.default_rng(0)
    for _ in range(20):
        estimates = rng.normal(size=(40, 3))
        gamma = rng.uniform(0.2, 1.5)
        label, size = np.empty(40, np.int64), np.empty(40, np.int64)
        maximal_cluster(estimates, gamma, p_star, label, size)
        near = np.linalg.norm(estimates[:, None] - estimates[None], axis=2) <= gamma
        parts = connected_components(csr_array(near), directed=False)[1]
        counts = np.bincount(parts)
        parts = np.where(counts[parts] < p_star * 40, -1, parts)
        assert ((label[:, None] == label[None]) == (parts[:, None] == parts[None])).all()
        assert (size[label] == (label[:, None] == label[None]).sum(axis=1)).all()
        assert (label[label] == label).all()


def test_cmlb_finds_separated_clusters_and_beats_learning_alone():
    played = game(agents=40, clusters=4, dimension=6, noise=0.1, separation=1.2)
    seeds = list(range(5))
    found = curves(played, "cmlb", [setting("cmlb", constant=0.4)] * 5, seeds, 600)
    assert (found["agreement"][:, -1] == 1).all()
    assert (found["clusters"][:, -1] == 4).all()
    late = found["regret"][:, -1] - found["regret"][:, 99]
    alone = curves(played, "linucb_alone", [setting("linucb_alone")] * 5, seeds, 600)["regret"]
    assert (late < alone[:, -1] - alone[:, 99]).all()


def test_the_oracle_of_the_clusters_is_ahead_of_all_who_must_find_them():
    played, seeds = game(agents=40, clusters=4, noise=0.5), list(range(5))
    oracle = final(played, "cluster_oracle", seeds, 400).mean()
    for name in ("cmlb", "sclb", "linucb_alone", "club"):
        assert oracle < final(played, name, seeds, 400).mean()


def test_pmlb_with_equal_agents_beats_learning_alone_on_30_seeds():
    played, seeds = game("mean", agents=30, dimension=10, sigma=0.0, noise=1.0), list(range(30))
    gain = final(played, "linucb_alone", seeds, 1000) - final(played, "pmlb", seeds, 1000)
    assert gain.mean() - 2 * gain.std(ddof=1) / np.sqrt(30) > 0


def test_an_oracle_that_knows_the_mean_gains_nothing_from_it_when_agents_are_far_apart():
    """At large sigma the personal phase of PMLB is learning alone: with the mean known, nothing else differs."""
    played, seeds = game("mean", agents=30, dimension=10, sigma=100.0, noise=1.0), list(range(30))
    gap = final(played, "mean_oracle", seeds, 600) / final(played, "linucb_alone", seeds, 600)
    assert abs(gap.mean() - 1) < 0.1


def test_what_pmlb_loses_to_learning_alone_when_agents_are_far_apart_is_lost_in_its_common_phase():
    """The paper says that the two are comparable. They are once the common phase, sqrt(T) rounds, is over."""
    played, seeds = game("mean", agents=30, dimension=10, sigma=100.0, noise=1.0), list(range(30))
    pmlb, alone = (
        curves(played, name, [setting(name)] * 30, seeds, 1000)["regret"] for name in ("pmlb", "linucb_alone")
    )
    excess = pmlb - alone
    assert (excess[:, -1] > 0).all()
    assert (np.abs(excess[:, -1] - excess[:, 99]) < 0.01 * excess[:, -1]).all()


def test_sizes_follow_the_power_law():
    assert agents.cluster_sizes(50, 5, 0.0).tolist() == [10] * 5
    for z in (0.5, 1.0, 2.0, 9.0):
        sizes = agents.cluster_sizes(100, 10, z)
        assert sizes.sum() == 100
        assert sizes.min() >= 1
        assert (np.diff(sizes) <= 0).all()


def test_separated_vectors_have_length_one_and_one_distance():
    theta, cluster = agents.draw_population(built(separation=0.7), np.random.default_rng(0))
    centres = theta[np.unique(cluster, return_index=True)[1]]
    np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1)
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.testing.assert_allclose(gaps[~np.eye(5, dtype=bool)], 0.7)


def test_rounds_do_not_depend_on_how_they_are_cut():
    played = game()
    population = played.population(np.array([3, 4]))
    whole = played.rounds(population, np.array([3, 4]), 0, 60)
    part = played.rounds(population, np.array([3, 4]), 20, 47)
    for a, b in zip(whole, part, strict=True):
        assert np.array_equal(a[:, 20:47], b)


def listeners() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    heard = rng.random((9, 40)) < 0.1
    heard[:, 0] = True
    user, artist = np.nonzero(heard)
    return {"listeners": user, "artists": artist, "contexts": rng.normal(size=(40, 5))}


def lastfm(pool: str) -> AgentGame:
    arrays = lastfm_agents.build(**listeners(), pool=pool, arms=6)
    draws = lastfm_agents.draw_population, lastfm_agents.draw_piece
    return AgentGame("test", {"name": "lastfm-test"}, arrays, 9, 6, 5, *draws)


def test_an_artist_pays_if_and_only_if_the_user_listened_to_it():
    given = listeners()
    heard = np.zeros((9, 40), bool)
    heard[given["listeners"], given["artists"]] = True
    for pool in lastfm_agents.POOLS:
        played = lastfm(pool)
        rounds = played.rounds(played.population(np.array([0])), np.array([0]), 0, 50)
        for b in range(50):
            same = (rounds.contexts[0, b][:, None] == given["contexts"][None]).all(axis=2)
            items = np.tile(same.argmax(axis=1), (9, 1))
            if pool == "listened":
                items[:, -1] = rounds.own[0, b]
            assert np.array_equal(rounds.expected[0, b], heard[np.arange(9)[:, None], items])
    assert (rounds.expected[0, :, :, -1] == 1).all()


def test_who_acts_for_many_agents_cannot_play_a_pool_of_each_agents_own():
    with pytest.raises(InputError, match="give it the game with a common pool"):
        curves(lastfm("listened"), "cmlb", [setting("cmlb", constant=0.01)], [0])
    assert curves(lastfm("listened"), "club", [setting("club")], [0])["regret"][0, -1] > 0


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: setting("cmlb", p_star=1.5), "p_star is 1.5; give a value from 0 to 1"),
        (lambda: setting("cmlb", p_star=-0.1), "p_star is -0.1; give a value from 0 to 1"),
        (lambda: setting("sclb", exponent=0.5), "exponent is 0.5; give a value below 0.5"),
        (lambda: setting("cmlb", delta=1), "delta is 1; give a value below 1"),
        (lambda: curves(game(), "cmlb", [setting("cmlb", constant=9)], [0]), "lower the option exponent or constant"),
        (lambda: curves(game("mean"), "cluster_oracle", [setting("cluster_oracle")], [0]), "no clusters"),
        (lambda: built(agents=3, clusters=5), "give from 1 to 3 clusters"),
        (lambda: built(separation=2.0), "separation is 2"),
        (lambda: built(clusters=15, dimension=15, separation=1.0), "more than 15 dimensions"),
        (lambda: built(population="clusterz"), "did you mean 'clusters'"),
        (lambda: built(population="mean", sigma=-1.0), "neither noise nor sigma below 0"),
        (
            lambda: lastfm_agents.build(np.array([0, 2]), np.array([1, 1]), np.ones((3, 2)), "common", 2),
            "user 1 listened to no artist",
        ),
        (lambda: lastfm_agents.build(**listeners(), pool="comon"), "did you mean 'common'"),
        (lambda: lastfm_agents.build(**listeners(), pool="common", arms=99), "offer from 2 to 40"),
    ],
)
def test_bad_input_stops_with_one_sentence(act, words):
    with pytest.raises(InputError) as error:
        act()
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_policy_for_all_agents_cannot_play_a_user_a_round():
    with pytest.raises(InputError, match="give it a game in which they all act"):
        play_replicas(synthetic_game(), catalogue.load("pmlb"), [setting("pmlb")], [0], horizon=10)


@pytest.mark.slow
@pytest.mark.data
def test_last_fm_of_the_mirror_makes_both_pools_on_common_rounds(mirror, tmp_path):
    module = datasets.load("lastfm-hetrec2011")
    tidy = build.build(module, tmp_path / "raw", tmp_path / "tidy", str(mirror))
    drawn = []
    for pool in lastfm_agents.POOLS:
        path = tmp_path / f"{pool}.npz"
        lastfm_agents.freeze(path, tidy, "lastfm", pool, 25, 25)
        played = load_game(path)
        assert (played.users, played.arms, played.dimension) == (1892, 25, 25)
        drawn.append(played.draw_piece(played.arrays, None, np.random.default_rng(0)))
    common, listened = drawn
    assert np.array_equal(common[0], listened[0])
    assert np.array_equal(common[2][:, :, :-1], listened[2][:, :, :-1])
    assert common[2].mean() < 0.01  # 49 of 17,632 artists a user: most arms pay nothing
    assert (listened[2][:, :, -1] == 1).all()
