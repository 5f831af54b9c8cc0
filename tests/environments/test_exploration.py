"""A network is explored alike by policies and their plain twins, from starts that a seed draws."""

import numpy as np
import pandas as pd
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import load_table, save_table
from manybandits.base.exceptions import InputError
from manybandits.environments import exploration
from manybandits.environments.frontier import FEATURES
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.exploration import ExplorationGame
from manybandits.harness.play import play
from manybandits.harness.replicas import play_replicas
from manybandits.harness.spec import PlaySpec
from manybandits.harness.tuning import report_divergence, tune_and_play
from tests.environments.plain_network import Network
from tests.environments.test_frontier import random_network
from tests.harness.beside import made

EDGES = random_network(seed=1, nodes=200)


def a_game(start="walk", seen=0.05, edges=EDGES) -> ExplorationGame:
    arrays = exploration.build(edges, seen, start)
    return ExplorationGame("a-network", {"name": "a-network"}, arrays, len(FEATURES), exploration.draw_start)


def played(game, name, seeds, horizon, *, memory=2**30, threads=1, **options):
    module = catalogue.load(name)
    setting = contract.complete(module, options, "test")
    return play_replicas(game, module, [setting] * len(seeds), seeds, horizon=horizon, memory=memory, threads=threads)


def explored(game: ExplorationGame, twin, seed: int, horizon: int) -> list[int]:
    """How many nodes a plain twin newly sees in a plain network."""
    network = Network(EDGES, game.starts(np.array([seed]))[0])
    received = []
    for t in range(1, horizon + 1):
        contexts = network.contexts
        place = twin.choose(t, 0, np.zeros(len(contexts), int), contexts)
        received.append(network.query(place))
        twin.learn(t, 0, 0, contexts[place], received[-1] / network.scale)
    return received


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("eps_greedy", {}),
        ("linucb", {"alpha": 0.5}),
        ("linthompson", {"v": 0.5}),
        # With phi = 0, rounding would decide which of many equally near observations are among the nearest.
        ("knn_ucb", {"rho": 0.2, "phi": 1.0}),
        ("knn_eps_greedy", {"epsilon": 0.2}),
        ("knn_eps_greedy", {"most": 20}),
        ("eps_greedy_enhanced", {"epsilon": 0.5}),
        ("linthompson_enhanced", {"v": 2.0}),
        ("lnucb_ta", {}),
        ("lnucb_ta", {"theta_max": 40, "alpha": 10.0}),
    ],
)
def test_policy_sees_what_its_twin_sees(name, options):
    module = catalogue.load(name)
    full = contract.complete(module, options, "test")
    for start, seed in (("walk", 0), ("nodes", 1)):
        game = a_game(start)
        ours = play_replicas(game, module, [full], [seed], horizon=120)["reward"].to_numpy()
        assert np.array_equal(ours, np.cumsum(explored(game, made(game, name, options, seed, 120), seed, 120)))


@pytest.mark.parametrize("start", exploration.STARTS)
def test_seeds_start_from_a_share_of_the_nodes_of_their_own(start):
    nodes = a_game(start, seen=0.1).starts(np.array([0, 1, 0]))
    assert nodes.shape == (3, 20)  # of 201
    assert np.array_equal(nodes[0], nodes[2])
    assert not np.array_equal(nodes[0], nodes[1])
    assert (np.diff(nodes, axis=1) > 0).all()
    assert nodes.min() >= 0
    assert nodes.max() <= 200


def test_a_walk_stays_among_neighbours_and_a_uniform_draw_does_not():
    line = np.stack([np.arange(999), np.arange(1, 1000)], axis=1)

    def neighbours_met(start):
        nodes = a_game(start, 0.05, line).starts(np.arange(10))
        return (np.diff(nodes) == 1).mean()

    assert neighbours_met("walk") > 0.7
    assert neighbours_met("nodes") < 0.2


def test_threads_and_batches_change_no_byte():
    game = a_game()
    for name in ("linucb", "random"):
        whole = played(game, name, [0, 1, 2, 0, 3], 60)
        assert whole.equals(played(game, name, [0, 1, 2, 0, 3], 60, memory=1, threads=2))
        alone = played(game, name, [2], 60)
        assert np.array_equal(alone["reward"], whole["reward"][120:180])


def test_learning_from_contexts_sees_more_than_chance():
    """In a network that grew by links to those who have many, what is seen of a node tells of what is not."""
    rng, ends = np.random.default_rng(0), [0, 1]
    for node in range(2, 1500):
        for other in rng.choice(ends, 2):
            ends += [node, int(other)]
    game, seeds = a_game("nodes", edges=np.array(ends).reshape(-1, 2)), list(range(12))
    totals = {name: played(game, name, seeds, 40).groupby("seed")["reward"].last() for name in ("linucb", "random")}
    assert totals["linucb"].mean() > 1.3 * totals["random"].mean()


def test_regret_is_what_a_greedy_explorer_sees_beyond_it():
    tables = [played(a_game(), name, [0, 1], 30) for name in ("random", "linucb")]
    sums = [table["regret"] + table["reward"] for table in tables]
    assert sums[0].equals(sums[1])
    assert (tables[0]["regret"] >= 0).all()


def test_a_network_that_is_queried_whole_is_reported_and_leaves_no_numbers():
    table = played(a_game(), "random", [0], 220)
    counted = int(table["regret"].notna().sum())
    assert 150 < table["round"][counted - 1] <= 201
    assert table["reward"][counted - 1] + 10 <= 201
    assert table["reward"][counted:].isna().all()
    lines = report_divergence(table.assign(stage="evaluation"), "Random")
    assert lines == [f"evaluation, seed 0, : before round {table['round'][counted]}"]


def test_a_network_too_small_for_every_option_says_so():
    module = catalogue.load("linucb")
    grid = [contract.complete(module, {"alpha": alpha}, "test") for alpha in (0.1, 1.0)]
    with pytest.raises(InputError, match="queried all that is in reach with every option of its grid: play fewer"):
        tune_and_play(a_game(), module, grid, seeds=[0], tuning_seeds=[1], horizon=250)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"start": "walks"}, "unknown start 'walks': did you mean 'walk'"),
        ({"seen": 0.0}, "seen is 0, a share of the nodes: give a number between 0 and 1"),
        ({"seen": 5.0}, "seen is 5, a share"),
        ({"seen": float("nan")}, "seen is nan, a share"),
    ],
)
def test_a_bad_setting_is_named(settings, message):
    with pytest.raises(InputError, match=message):
        exploration.check({**exploration.SETTINGS, **settings})


@pytest.mark.parametrize(
    ("edges", "seen", "message"),
    [
        (np.array([[3, 3]]), 0.5, "there is no edge between two nodes"),
        (np.zeros((0, 2), np.int64), 0.5, "there is no edge between two nodes"),
        (np.array([[0, 1], [1, 2]]), 0.1, "seen is 0.1 of 3 nodes, which leaves 0: give a share of 1 to 2"),
        (np.array([[0, 1], [1, 2]]), 0.9, "which leaves 3"),
    ],
)
def test_a_network_that_cannot_be_explored_is_named(edges, seen, message):
    with pytest.raises(InputError, match=message):
        exploration.build(edges, seen, "nodes")


def test_a_frozen_network_is_played_from_its_file(tmp_path):
    tidy, frozen, out = tmp_path / "ca-astroph", tmp_path / "network.npz", tmp_path / "run.parquet"
    save_table(tidy / "edges.parquet", pd.DataFrame(EDGES, columns=["source", "target"]))
    exploration.main(["--tidy", str(tidy), "--role", "astroph", "--start", "nodes", "--out", str(frozen)])
    game = load_game(frozen)
    assert isinstance(game, ExplorationGame)
    assert game.facts["counts"] == {"nodes": 201, "edges": len(EDGES) - 1, "start": 10}
    assert game.facts["data_note"] == "AstroPh co-authorship; 5 % seen at the start, drawn uniformly"
    grid = {"alpha": [0.1, 1.0]}
    play(frozen, PlaySpec(algorithm="linucb", grid=grid, seeds=(0, 1), tuning="best-of-grid", horizon=20), out)
    table = load_table(out)
    final = table[table["round"] == 20].groupby(["options", "chosen"])["reward"].mean().reset_index()
    assert final.loc[final["reward"].idxmax(), "chosen"]


def test_a_neural_algorithm_says_that_it_cannot_explore():
    with pytest.raises(InputError, match="is written for games that serve one user per round, which a-network is not"):
        played(a_game(), "neuucb_one", [0], 10)
