"""Games of block contexts that are too long to be written out: the same arms as if they were."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base.exceptions import InputError
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments import classification
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.replicas import batches_of, play_replicas, start_states
from manybandits.numerics.neighbours import BlockNeighbours
from manybandits.numerics.sparse_blocks import block_log
from manybandits.numerics.sparse_blocks.block_factors import BlockRidge
from manybandits.numerics.sparse_blocks.block_log import new_log, tabulate
from tests.harness.one_block import play

WIDTH, ARMS, USERS = 12, 4, 5
ROUNDS = 400
SEEDS = [0, 1]


def game_of_blocks() -> UserGame:
    """Five users and four arms: the classes of users 0 and 4 are one, so that there is something to cluster."""
    rng = np.random.default_rng(0)
    labels = rng.integers(USERS, size=2000)
    features = rng.normal(size=(USERS, WIDTH))[labels] + 0.8 * rng.normal(size=(2000, WIDTH))
    features[rng.random(features.shape) < 0.4] = 0
    arrays = classification.unpack(classification.build([(features, labels)], "class", "instances"))
    arrays["kind"] = arrays["kind"] % ARMS
    facts = {"name": "blocks", "kind": "classification", "blocks": ARMS}
    return UserGame("blocks", facts, arrays, USERS, ARMS, classification.draw_block)


GAME = game_of_blocks()


@pytest.fixture
def long(monkeypatch):
    """Nothing is written out."""
    monkeypatch.setattr(block_log, "LONGEST", 10)


def arms(name: str, settings: list[dict], seeds: list[int], cuts=(), threads: int = 1):
    """Play, and return the state, the arms, (R, ROUNDS), and how many clusters there were at the end."""
    algorithm = catalogue.load(name)
    full = [contract.complete(algorithm, setting, "test") for setting in settings]
    state = start_states(GAME, algorithm, ROUNDS, full, seeds, "cpu")
    chosen = play(GAME, name, state, seeds, ROUNDS, cuts=cuts, threads=threads)
    return state, chosen


CASES = [
    ("linucb_one", {}),
    ("linucb_ind", {"alpha": 1.0, "lambda": 0.01}),
    ("club", {"alpha_2": 0.5}),
    ("club", {"alpha_2": 0.2, "lambda": 0.1, "graph": "erdos-renyi"}),
    ("sclub", {"alpha_theta": 0.6}),
    ("sclub", {"alpha_theta": 0.8, "lambda": 0.1, "alpha": 1.0}),
    ("locb", {"seeds": 4}),
    ("locb", {"seeds": 7, "gamma": 1.5, "lambda": 0.1}),
    ("cofiba", {"alpha_2": 0.1}),
    ("cofiba", {"alpha_2": 0.3, "alpha": 1.0, "item_clusters": 2}),
    ("linucb", {"alpha": 0.3}),
    ("linthompson", {"v": 0.3, "lambda": 0.1, "model": "arm"}),
    ("knn_ucb", {"rho": 0.1}),
    ("lin_knn_ucb", {"alpha": 0.1}),
    ("knn_eps_greedy", {"epsilon": 0.1}),
    ("lnucb_ta", {"theta_max": 9}),
    ("linthompson_enhanced", {"model": "arm"}),
]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_arms_are_those_of_contexts_written_out(name, options, monkeypatch):
    before, written_out = arms(name, [options] * 2, SEEDS)
    monkeypatch.setattr(block_log, "LONGEST", 10)
    after, referred_to = arms(name, [options] * 2, SEEDS)
    differ = np.flatnonzero((written_out != referred_to).any(axis=0))
    assert differ.size == 0, f"first different arm in round {differ[0] + 1}"
    assert any(isinstance(field, BlockRidge | BlockNeighbours) for field in after)
    assert not any(isinstance(field, BlockRidge | BlockNeighbours) for field in before)
    for label in ("label", "item_cluster"):
        if hasattr(before, label):
            assert np.array_equal(getattr(before, label), getattr(after, label))
    if name == "locb":
        assert np.array_equal(before.clusters.member, after.clusters.member)
    if name == "cofiba":
        assert np.array_equal(before.graphs.label, after.graphs.label)


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, options in CASES if name in ("club", "sclub", "locb", "cofiba")],
)
def test_the_cases_split_clusters(name, options, long):
    state, _ = arms(name, [options] * 2, SEEDS)
    if name == "locb":
        assert not state.clusters.member[0].all()
        return
    label = state.graphs.label if name == "cofiba" else state.label
    assert (label != label[..., :1]).any()
    if name == "cofiba":
        assert (state.graphs.number > 1).all()
        assert state.item_cluster.shape == (len(SEEDS), ARMS)  # the items are the blocks


@pytest.mark.parametrize("name", ["linucb_one", "club", "lnucb_ta", "random"])
def test_products_that_are_computed_ahead_change_nothing(name, monkeypatch):
    algorithm = catalogue.load(name)
    setting = contract.complete(algorithm, {"alpha_2": 0.5} if name == "club" else {}, "test")
    tables = []
    for longest in (512, 10):
        monkeypatch.setattr(block_log, "LONGEST", longest)
        tables.append(play_replicas(GAME, algorithm, [setting] * 3, [0, 1, 0], horizon=ROUNDS))
    monkeypatch.setattr(block_log, "LONGEST", 10)
    alone = play_replicas(GAME, algorithm, [setting], [1], horizon=ROUNDS)
    assert tables[0].equals(tables[1])
    assert alone["regret"].to_list() == tables[1]["regret"][tables[1]["seed"] == 1].to_list()


def test_products_that_are_computed_ahead_are_those_of_the_rounds():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(40, WIDTH)).astype(np.float32)
    log = new_log(np.array([0, 1, 0]), features, ARMS, 300)
    items = rng.integers(40, size=(2, 260))
    for last in (125, 250, 260):
        tabulate(log, items[:, :last])
        first = (last - 1) // 125 * 125
        assert (log.tabled == first).all()
        x = features[items].astype(float)
        expected = x[:, first:last] @ x[:, :last].transpose(0, 2, 1)
        np.testing.assert_allclose(log.products.array[:, : last - first, :last], expected, atol=1e-12)


def test_clusters_of_sclub_merge_again(long):
    """Users 0 and 4 are alike: they have one cluster at the end, though both were alone before."""
    algorithm = catalogue.load("sclub")
    setting = contract.complete(algorithm, {"alpha_theta": 0.8}, "test")
    clusters = play_replicas(GAME, algorithm, [setting] * 2, SEEDS, horizon=ROUNDS)["clusters"]
    assert (np.diff(clusters) < 0).any()
    assert (np.diff(clusters) > 0).any()


@pytest.mark.parametrize("name", ["linucb_one", "linucb_ind", "club", "sclub", "locb", "cofiba", "lin_knn_ucb"])
def test_a_replica_does_not_depend_on_its_neighbours_threads_or_pieces(name, long):
    settings = [{"alpha": (0.01, 0.1, 1.0)[r % 3], "lambda": (0.1, 1.0)[r % 2]} for r in range(12)]
    seeds = [r % 5 for r in range(12)]
    _, together = arms(name, settings, seeds, threads=2)
    for r in (0, 11):
        _, alone = arms(name, [settings[r]], [seeds[r]], cuts=(1, 77))
        assert np.array_equal(alone[0], together[r])


def test_a_policy_without_a_model_plays_too(long):
    _, chosen = arms("random", [{}], [0])
    assert set(chosen[0]) == set(range(ARMS))


def test_a_batch_takes_as_many_replicas_as_fit(long):
    club = catalogue.load("club")
    setting = contract.complete(club, {}, "test")
    one = replica_bytes(start_states(GAME, club, ROUNDS, [setting], [0], "cpu"))
    four = start_states(GAME, club, ROUNDS, [setting] * 4, [0] * 4, "cpu")
    assert replica_bytes(four) == one
    assert one > replica_bytes(four.users) > four.users.triangles.tiles[0].nbytes
    batches = batches_of(GAME, club, ROUNDS, [setting] * 7, [0] * 7, 3 * one, "cpu")
    assert [len(batch) for batch in batches] == [3, 3, 1]


@pytest.mark.parametrize("name", ["linucb_alone", "pmlb"])
def test_an_algorithm_without_this_form_says_so(name, long):
    algorithm = catalogue.load(name)
    setting = contract.complete(algorithm, {}, "test")
    with pytest.raises(InputError, match=f"a matrix of {WIDTH * ARMS} x {WIDTH * ARMS} per learner"):
        play_replicas(GAME, algorithm, [setting], [0], horizon=10)
