"""Policies that all agents play in every round: plain twins, batch invariance, what they must achieve, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from manybandits import datasets
from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.multiagent._oful import Oful, new_oful, radius
from manybandits.algorithms.multiagent.cmlb import maximal_cluster
from manybandits.base.exceptions import InputError
from manybandits.datasets import build
from manybandits.environments import agents, lastfm_agents
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.agents import AgentGame
from manybandits.features.factors import unit_rows
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.ridge import new_ridge, observe
from tests.harness.beside import made
from tests.harness.one_block import synthetic_game

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


def curve_of_twin(played: AgentGame, name: str, seed: int) -> np.ndarray:
    """The regret of a twin after every round, (HORIZON,), in a loop that is not that of the kernel."""
    twin = made(played, name, {}, seed, HORIZON)
    population = played.population(np.array([seed]))
    rounds = played.rounds(population, np.array([seed]), 0, HORIZON)
    gaps = []
    for b in range(HORIZON):
        contexts, expected, noise = rounds.contexts[0, b], rounds.expected[0, b], rounds.noise[0, b]
        if hasattr(twin, "choose_all"):
            arms = twin.choose_all(b + 1, contexts)
            twin.learn_all(b + 1, contexts, arms, expected[np.arange(played.users), arms] + noise)
        else:
            arms = np.zeros(played.users, int)
            for i in range(played.users):
                t = b * played.users + i + 1
                arms[i] = k = twin.choose(t, i, np.arange(played.arms), contexts)
                twin.learn(t, i, k, contexts[k], expected[i, k] + noise[i])
        gaps.append((expected.max(axis=1) - expected[np.arange(played.users), arms]).mean())
    return np.cumsum(gaps)


@pytest.mark.parametrize("population", ["clusters", "mean"])
@pytest.mark.parametrize("name", ["linucb_alone", "cmlb", "pmlb"])
def test_policy_chooses_the_arms_of_its_twin_that_is_played_by_hand(name, population):
    played = game(population)
    theirs = [curve_of_twin(played, name, seed) for seed in SEEDS]
    ours = curves(played, name, [setting(name)] * len(SEEDS), list(SEEDS))["regret"]
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


def test_cmlb_and_sclb_do_cluster_beside_their_twins():
    """Otherwise the comparison with their twins would be one of individual learning only."""
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


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 10), st.floats(0.1, 5))
def test_the_radius_holds_the_true_vector_where_rewards_have_no_noise(seed, regularization, length):
    """Ridge regression shrinks: without sqrt(lambda) S the radius would be 0 here, and miss the vector."""
    random = np.random.default_rng(seed)
    theta = random.normal(size=4)
    theta *= length / np.linalg.norm(theta)
    oful = Oful(width=1.0, noise_scale=0.0, regularization=regularization, ball=False)
    agent = new_ridge(regularization, 1, 4)
    for n in range(20):
        gap = agent.estimate[0] - theta
        reach = radius(oful, length, 0.1, 4, n, 1.0)
        assert np.sqrt(gap @ agent.gram[0] @ gap) <= reach * (1 + 1e-9)
        x = random.normal(size=4)
        observe(agent, 0, x, float(theta @ x))


def test_the_radius_is_that_of_the_theorem():
    options = setting("linucb_alone", width=1.0, delta=0.1, norm=2.0, noise_scale=0.5, **{"lambda": 4.0})
    reach = radius(new_oful(options), options["norm"], options["delta"], 3, 100, 1.0)
    assert reach == pytest.approx(0.5 * np.sqrt(3 * np.log(26 / 0.1)) + 4.0)


def test_an_average_of_m_rewards_has_less_noise_and_its_vector_the_same_length():
    oful = Oful(width=1.0, noise_scale=1.0, regularization=1.0, ball=False)
    one, nine = (radius(oful, 2.0, 0.1, 3, 50, m) for m in (1.0, 9.0))
    assert nine - 2.0 == pytest.approx((one - 2.0) / 3.0)


def exploration_of(played: AgentGame, horizon: int, **options) -> int:
    algorithm, seeds = catalogue.load("cmlb"), np.array([0])
    problem = played.problem(algorithm, horizon, seeds)
    own = problem._replace(truth=None)
    return int(algorithm.start(own, setting("cmlb", **options), np.zeros(1, np.uint64)).phase.explore[0])


def test_exploration_of_section_6_lasts_42_or_209_rounds_and_with_rho_min_fifteen_times_as_many():
    played = game(agents=50, clusters=5, dimension=15, arms=25)
    assert exploration_of(played, 1000) == 42
    assert exploration_of(played, 1000, exploration="plain") == 209
    assert exploration_of(played, 1000, rho_min=1 / 15) == 625  # of 41.66, rounded up only at the end


@pytest.mark.parametrize("options", [{"exponent": 0.5, "constant": 0.5}, {"constant": 9.0}])
def test_cmlb_whose_exploration_outlasts_the_game_learns_alone_to_the_end(options):
    played, seeds = game(), list(SEEDS)
    cmlb = curves(played, "cmlb", [setting("cmlb", **options)] * 3, seeds)
    alone = curves(played, "linucb_alone", [setting("linucb_alone")] * 3, seeds)
    assert np.array_equal(cmlb["regret"], alone["regret"])
    assert np.array_equal(cmlb["reward"], alone["reward"])
    assert (cmlb["clusters"] == played.users).all()


def test_the_shift_of_pmlb_is_nearer_to_the_mean_if_its_ridge_is_shared_by_the_agents():
    """31 averages in 15 dimensions: with the whole of lambda the estimate is mostly shrinkage."""
    played = game("mean", agents=50, dimension=15, arms=25, sigma=0.01, noise=1.0)
    for seed in SEEDS:
        population = played.population(np.array([seed]))
        rounds = played.rounds(population, np.array([seed]), 0, 31)
        found = {}
        for ridge in ("whole", "share"):
            twin = made(played, "pmlb", {"common_ridge": ridge}, seed, 1000)
            for b in range(31):
                arms = twin.choose_all(b + 1, rounds.contexts[0, b])
                paid = rounds.expected[0, b][np.arange(50), arms] + rounds.noise[0, b]
                twin.learn_all(b + 1, rounds.contexts[0, b], arms, paid)
            found[ridge] = np.linalg.norm(twin.theta - population.theta[0].mean(axis=0))
        assert found["share"] < 0.6 * found["whole"]


@pytest.mark.parametrize("bound", ["radius", "norm"])
def test_alb_norm_whose_first_epoch_never_ends_is_learning_alone(bound):
    played, seeds = game(), list(SEEDS)
    options = setting("alb_norm", bound=bound, first_epoch=10 * HORIZON)
    alb = curves(played, "alb_norm", [options] * 3, seeds)["regret"]
    assert np.array_equal(alb, curves(played, "linucb_alone", [setting("linucb_alone")] * 3, seeds)["regret"])


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


def test_an_oracle_whose_agents_act_together_is_cmlb_with_the_true_clusters_from_the_start():
    """One cluster: CMLB's second phase, which begins after one round of individual learning."""
    played, options = game(clusters=1), {"threshold": 1e9, "constant": 0.0}
    cmlb = curves(played, "cmlb", [setting("cmlb", **options)] * 3, list(SEEDS))["regret"][:, -1]
    oracle = final(played, "cluster_oracle", list(SEEDS), HORIZON, acting="together")
    in_turn = final(played, "cluster_oracle", list(SEEDS), HORIZON)
    np.testing.assert_allclose(oracle, cmlb, rtol=0.1)
    assert (in_turn < oracle).all()


def test_a_cluster_of_one_agent_acts_in_turn_and_together_alike():
    played = game(agents=5, clusters=5)
    assert np.array_equal(
        *(final(played, "cluster_oracle", [0], HORIZON, acting=way) for way in ("in-turn", "together"))
    )


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


@pytest.mark.parametrize("z", [0.0, 0.5, 1.0, 2.0, 9.0])
@pytest.mark.parametrize(("count", "clusters"), [(50, 5), (50, 10), (100, 10), (7, 7)])
def test_sizes_are_rounded_shares(count, clusters, z):
    share = np.arange(1, clusters + 1) ** -z
    sizes = agents.cluster_sizes(count, clusters, z)
    assert sizes.sum() == count
    assert (np.diff(sizes) <= 0).all()
    assert (np.abs(sizes - count * share / share.sum()) < 1).all()


def test_the_largest_of_ten_imbalanced_clusters_has_its_share_of_fifty_agents():
    assert agents.cluster_sizes(50, 10, 2.0).tolist() == [32, 8, 4, 2, 1, 1, 1, 1, 0, 0]
    assert agents.cluster_sizes(50, 10, 2.0, "one-first").tolist() == [27, 7, 4, 3, 2, 2, 2, 1, 1, 1]


def test_agents_that_draw_their_cluster_do_so_by_its_share_and_anew_with_every_seed():
    played = game(agents=50, clusters=10, z=2.0, sizes="drawn")
    cluster = played.population(np.arange(400)).cluster
    share = np.bincount(cluster.ravel(), minlength=10) / cluster.size
    np.testing.assert_allclose(share, agents.shares_of(10, 2.0), atol=0.01)
    assert len({tuple(one) for one in cluster.tolist()}) > 300
    found = curves(played, "cluster_oracle", [setting("cluster_oracle")] * 3, list(SEEDS))
    assert (found["agreement"] == 1).all()


def test_an_empty_cluster_needs_no_vector():
    played = game(agents=50, clusters=10, z=2.0)
    found = curves(played, "cluster_oracle", [setting("cluster_oracle")], [0])
    assert (found["clusters"] == 8).all()
    assert (found["agreement"] == 1).all()


@pytest.mark.parametrize(("clusters", "dimension"), [(5, 15), (2, 3), (2, 2), (4, 4)])
@pytest.mark.parametrize("separation", [0.7, 1.2, 2.0**0.5])
def test_separated_vectors_have_length_one_and_one_distance(clusters, dimension, separation):
    arrays = built(clusters=clusters, dimension=dimension, separation=separation)
    theta, cluster = agents.draw_population(arrays, np.random.default_rng(0))
    centres = theta[np.unique(cluster, return_index=True)[1]]
    np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1)
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.testing.assert_allclose(gaps[~np.eye(clusters, dtype=bool)], separation)


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0), st.floats(0.1, 1.0))
def test_vectors_within_a_ball_are_no_longer_and_at_one_distance_from_their_centre(seed, share, longest):
    sigma = share * longest**2 / 3
    theta, _ = agents.draw_population(
        built(population="mean", agents=8, dimension=3, longest=longest, sigma=sigma), np.random.default_rng(seed)
    )
    assert (np.linalg.norm(theta, axis=1) <= longest * (1 + 1e-9)).all()
    apart = np.linalg.norm(theta - theta.mean(axis=0), axis=1)
    assert (apart <= 2 * np.sqrt(3 * sigma) + 1e-9).all()


def test_contexts_of_the_sphere_are_of_length_one_and_of_covariance_identity_over_d():
    played = game(contexts="sphere", dimension=3, arms=50)
    contexts = played.rounds(played.population(np.array([0])), np.array([0]), 0, 400).contexts.reshape(-1, 3)
    np.testing.assert_allclose(np.linalg.norm(contexts, axis=1), 1)
    np.testing.assert_allclose(contexts.T @ contexts / len(contexts), np.eye(3) / 3, atol=0.01)


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
        (lambda: setting("sclb", exponent=0.6), "exponent is 0.6; give a value from 0 to 0.5"),
        (lambda: setting("cmlb", delta=1), "delta is 1; give a value below 1"),
        (lambda: curves(game("mean"), "cluster_oracle", [setting("cluster_oracle")], [0]), "no clusters"),
        (lambda: built(agents=3, clusters=5), "give from 1 to 3 clusters"),
        (lambda: built(sizes="share"), "did you mean 'shares'"),
        (lambda: built(separation=2.0), "separation is 2"),
        (lambda: built(clusters=16, dimension=15, separation=1.0), "need 16 dimensions or more"),
        (lambda: built(contexts="sphre"), "did you mean 'sphere'"),
        (lambda: built(population="mean", dimension=2, longest=1.0, sigma=0.6), "allow sigma up to 0.5"),
        (lambda: built(delta=1.0), "delta is between 0 and 1"),
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


@pytest.mark.data
def test_last_fm_of_the_mirror_makes_both_pools_on_common_rounds(mirror, tmp_path):
    module = datasets.load("lastfm-hetrec2011")
    tidy = build.build(module, tmp_path / "raw", tmp_path / "tidy", str(mirror))
    drawn = []
    for pool in lastfm_agents.POOLS:
        path = tmp_path / f"{pool}.npz"
        lastfm_agents.freeze(path, tidy, "lastfm", pool, 25, 25, "unit")
        played = load_game(path)
        assert (played.users, played.arms, played.dimension) == (1892, 25, 25)
        drawn.append(played.draw_piece(played.arrays, None, np.random.default_rng(0)))
    common, listened = drawn
    assert np.array_equal(common[0], listened[0])
    assert np.array_equal(common[2][:, :, :-1], listened[2][:, :, :-1])
    assert common[2].mean() < 0.01  # 49 of 17,632 artists a user: most arms pay nothing
    lengths = np.linalg.norm(played.arrays["contexts"], axis=1)
    np.testing.assert_allclose(lengths[lengths > 0], 1)
    lastfm_agents.freeze(tmp_path / "raw.npz", tidy, "lastfm", "common", 25, 25, "raw")
    raw = load_game(tmp_path / "raw.npz").arrays["contexts"]
    assert np.linalg.norm(raw, axis=1).max() <= 1.5  # rows of length 1, less their mean, on 25 of many directions
    np.testing.assert_allclose(unit_rows(raw), played.arrays["contexts"])
    assert (listened[2][:, :, -1] == 1).all()
