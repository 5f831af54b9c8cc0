"""The public CLUB, SCLUB, LOCB and COFIBA play the arms of their plain twins, and keep the same clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from manybandits import datasets
from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.contract import Problem
from manybandits.base.exceptions import InputError
from manybandits.datasets.build import build
from manybandits.environments import recommendation
from manybandits.environments.game_file import load_game
from manybandits.harness.replicas import play_replicas
from manybandits.numerics.sparse_blocks import block_log
from tests.algorithms.test_long import GAME as LONG
from tests.harness.one_block import play_written

ROUNDS = 200
NAMES = ("club_2022", "sclub_2022", "locb_2022", "cofiba_2022")
Round = tuple[int, np.ndarray, np.ndarray]


def game(users: int, seed: int, dimension: int = 5, arms: int = 10, scale: float = 1.0) -> list[Round]:
    """Return rounds of a user, contexts, (K, d), and rewards, (K,), of users in three clusters, unequally often served.

    scale: of the rewards; large ones make the tests of estimates reject within few rounds. Two contexts of a round are
    equal, as items of the public games may be, so that the first of the largest indices is no matter of chance.
    """
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=(3, dimension))
    share = rng.dirichlet(np.ones(users))
    rounds = []
    for _ in range(ROUNDS):
        user = int(rng.choice(users, p=share))
        contexts = 0.8 * np.exp(-2.0 * rng.uniform(-0.7, 0.7, size=(arms, dimension)) ** 2)
        contexts[-1] = contexts[rng.integers(arms - 1)] if arms > 1 else contexts[-1]
        rewards = scale * (contexts @ theta[user % 3] + 0.3 * rng.normal(size=arms))
        rounds.append((user, contexts, rewards))
    return rounds


def pair(name: str, users: int, dimension: int, arms: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Return an algorithm, its state before the first round, and its twin, with equal random streams."""
    algorithm = catalogue.load(name)
    given = Problem(users, 1, arms, dimension, ROUNDS), {}
    state = algorithm.start(*given, np.array([seed], np.uint64))
    return algorithm, state, plain.load(f"plain/{name}")(*given, np.array([seed], np.uint64))


def play(name: str, users: int, rounds: list[Round], seed: int = 0) -> tuple[Any, Any]:
    """Play rounds with an algorithm and its twin, check that all arms are equal, and return the state and the twin."""
    arms, dimension = rounds[0][1].shape
    _, state, twin = pair(name, users, dimension, arms, seed)
    chosen, items = play_written(name, users, state, rounds), np.zeros(arms, np.int64)
    for t, ((user, contexts, rewards), arm) in enumerate(zip(rounds, chosen, strict=True), 1):
        assert arm == twin.choose(t, user, items, contexts), f"round {t}"
        twin.learn(t, user, 0, contexts[arm], rewards[arm])
    return state, twin


def parts(label: Any) -> set[frozenset[int]]:
    """Return the sets of users with equal labels."""
    return {frozenset(np.flatnonzero(np.asarray(label) == name).tolist()) for name in set(label)}


def edges(bits: np.ndarray, nodes: int) -> dict[int, set[int]]:
    """Return the neighbours of each node of a bit matrix, (n, words)."""
    rows = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :nodes]
    return {i: set(np.flatnonzero(row).tolist()) for i, row in enumerate(rows)}


def same_sums(models: Any, learner: int, S: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_allclose(models.gram[learner], S, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(models.moment[learner], b, rtol=1e-9, atol=1e-9)


def same_club(state: Any, twin: Any) -> Counter:
    assert edges(state.edges, len(twin.N)) == twin.G
    assert parts(state.label.tolist()) == parts(list(twin.cluster.values()))
    for user, cluster in twin.cluster.items():
        S, b, N = twin.sums[cluster]
        same_sums(state.users, user, twin.S[user], twin.b[user])
        same_sums(state.clusters, state.label[user], S, b)
        assert state.clusters.count[state.label[user]] == N
    return Counter(cuts=sum(len(twin.G) - 1 - len(near) for near in twin.G.values()), parts=len(set(state.label)) - 1)


def same_sclub(state: Any, twin: Any) -> Counter:
    assert state.label.tolist() == twin.number
    assert state.served.tolist() == twin.N
    for number, cluster in twin.clusters.items():
        learner = state.learner[number]
        assert (learner == -2) == (not cluster.users)
        if cluster.users:
            same_sums(state.models, learner, cluster.S, cluster.b)
            np.testing.assert_allclose(state.models.inverse[learner], cluster.inverse, rtol=1e-7, atol=1e-9)
            np.testing.assert_allclose(state.models.estimate[learner], cluster.theta, rtol=1e-7, atol=1e-9)
    for user in range(len(twin.N)):
        same_sums(state.models, user, twin.S[user], twin.b[user])
    return Counter(splits=twin.splits, merges=twin.merges, left=twin.left)


def same_locb(state: Any, twin: Any) -> Counter:
    assert state.seeds.tolist() == twin.seeds
    for s, seed in enumerate(twin.seeds):
        if twin.seeds.index(seed) == s:
            cluster = twin.clusters[seed]
            assert set(np.flatnonzero(state.member[s]).tolist()) == cluster.users
            assert state.listed[s].tolist() == [listed.count(seed) for listed in twin.listed]
            assert (state.clusters.count[s], bool(state.finished[s])) == (cluster.N, twin.finished[seed])
            same_sums(state.clusters, s, cluster.S, cluster.b)
            np.testing.assert_allclose(state.clusters.estimate[s], cluster.theta, rtol=1e-7, atol=1e-9)
    again = sum(bool((state.listed[s] > state.member[s]).any()) for s in range(len(twin.seeds)))
    return Counter(changes=twin.changes, still_listed=again)


def same_cofiba(state: Any, twin: Any) -> Counter:
    assert edges(state.item_edges, len(twin.GI)) == twin.GI
    assert state.item_cluster.tolist() == twin.cluster
    assert state.random.tolist() == [twin.random.state]
    for c, graph in twin.G.items():
        assert edges(state.graphs.edges[c], twin.n) == graph
    return Counter(user_cuts=twin.user_cuts, item_cuts=twin.item_cuts, item_clusters=len(twin.G) - 1)


SAME: dict[str, Callable[[Any, Any], Counter]] = {
    "club_2022": same_club,
    "sclub_2022": same_sclub,
    "locb_2022": same_locb,
    "cofiba_2022": same_cofiba,
}
HAPPENS = {  # what must happen in some of the games, or they test nothing
    "club_2022": {"cuts", "parts"},
    "sclub_2022": {"splits", "merges", "left"},
    "locb_2022": {"changes", "still_listed"},
    "cofiba_2022": {"user_cuts", "item_cuts", "item_clusters"},
}
SCALES = {"club_2022": (1.0, 3.0), "sclub_2022": (1.0, 30.0), "locb_2022": (1.0, 3.0), "cofiba_2022": (1.0, 60.0)}


@pytest.mark.parametrize("name", NAMES)
def test_arms_and_clusters_are_those_of_the_plain_twin(name):
    happened: Counter = Counter()
    for users, seed in ((5, 0), (20, 1), (50, 2)):
        for scale in SCALES[name]:
            happened += SAME[name](*play(name, users, game(users, seed, scale=scale), seed))
    assert HAPPENS[name] <= set(happened), happened


@pytest.fixture(scope="module")
def yelp(mirror, tmp_path_factory) -> list[Round]:
    """The first rounds of the public game item-50 on the published extract of Yelp."""
    folder, name = tmp_path_factory.mktemp("yelp"), "yelp-2000x10000"
    tidy = build(datasets.load(name), folder / "raw", folder / "tidy", str(mirror))
    recommendation.freeze(folder / "game.npz", "item-50", tidy, "yelp", datasets.load(name).DATASET)
    frozen = load_game(folder / "game.npz")
    drawn = frozen.rounds(np.array([0]), 0)
    offered = frozen.arrays["item_table"][drawn.items[0, :ROUNDS]].astype(float)
    return list(zip(drawn.users[0, :ROUNDS, 0].tolist(), offered, drawn.rewards[0, :ROUNDS], strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_arms_are_those_of_the_plain_twin_on_the_public_game(name, yelp):
    SAME[name](*play(name, 50, yelp))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", NAMES[:3])
def test_the_first_arm_is_the_first_as_its_index_is_not_a_number(name):
    algorithm, state, _ = pair(name, 4, 3, 5)
    contexts = np.random.default_rng(0).uniform(0.3, 0.8, size=(5, 3))
    assert algorithm.choose(state, 1, 2, np.arange(5), contexts) == 0
    algorithm.learn(state, 1, 2, 0, contexts[0], 0.0)
    inverse = np.linalg.inv(np.eye(3) + np.outer(contexts[0], contexts[0]))
    widest = np.argmax([x @ inverse @ x for x in contexts])
    assert algorithm.choose(state, 2, 2, np.arange(5), contexts) == widest


@pytest.mark.parametrize("name", NAMES)
def test_a_game_whose_contexts_are_not_written_out_is_refused(name, monkeypatch):
    monkeypatch.setattr(block_log, "LONGEST", 10)
    algorithm = catalogue.load(name)
    with pytest.raises(InputError, match="2022 plays contexts that are written out, and block contexts of more than"):
        play_replicas(LONG, algorithm, [{}], [0], horizon=20, progress=False)
