"""Every policy chooses the arms of its plain twin, round by round."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.linear import _pools, cofiba
from manybandits.compiling.replicas import row
from manybandits.numerics.graphs import cut_edge
from tests.harness.one_block import play, play_oracle, start, synthetic_game
from tests.oracles import linear

SEEDS = (0, 1, 2)


def bits(matrix: np.ndarray, nodes: int) -> np.ndarray:
    """Unpack a bit matrix, (n, words), to bool (n, n)."""
    return np.unpackbits(matrix.view(np.uint8), axis=1, bitorder="little")[:, :nodes].astype(bool)


def drawn(name: str, state, game):
    """What the policy drew before the first round, for its oracle."""
    if name == "club":
        return bits(state.edges[0], game.users)
    if name == "locb":
        return state.seeds[0].tolist()
    if name == "cofiba":
        items = [{int(other) for other in row if other >= 0} for row in state.neighbours[0]]
        return bits(state.first_edges[0], game.users), items
    return None


CASES = [
    ("linucb_ind", linear.LinUCBInd, {}),
    ("linucb_ind", linear.LinUCBInd, {"alpha": 1.0, "lambda": 0.01}),
    ("linucb_one", linear.LinUCBOne, {"alpha": 0.01}),
    ("club", linear.Club, {"alpha_2": 0.4}),
    ("club", linear.Club, {"alpha_2": 0.5, "alpha": 1.0, "lambda": 0.1, "graph": "erdos-renyi"}),
    ("sclub", linear.Sclub, {"alpha_theta": 0.6, "alpha_p": 0.8}),
    ("sclub", linear.Sclub, {"alpha_theta": 0.8, "alpha": 1.0, "lambda": 0.1}),
    ("locb", linear.Locb, {"seeds": 6}),
    ("locb", linear.Locb, {"seeds": 4, "alpha": 1.0, "lambda": 0.1, "gamma": 1.5}),
    *(
        pytest.param("cofiba", linear.Cofiba, options, marks=pytest.mark.slow)
        for options in (
            {"alpha_2": 0.05, "item_clusters": 8},
            {"alpha_2": 0.15, "alpha": 1.0, "item_clusters": 60, "graph": "erdos-renyi"},
            {"alpha_2": 0.15, "alpha": 1.0, "item_clusters": 60, "graph": "erdos-renyi", "neighbourhood": "test"},
            {"alpha_2": 0.05, "item_clusters": 8, "neighbourhood": "test"},
        )
    ),
]


@pytest.mark.parametrize(("name", "oracle_class", "options"), CASES)
def test_policy_chooses_the_arms_of_its_oracle(name, oracle_class, options):
    game = synthetic_game(separation=0.9)
    horizon = 500 if name in ("cofiba", "locb") else 900
    events = 0
    for seed in SEEDS:
        state = start(game, name, [options], [seed])
        full = contract.complete(catalogue.load(name), options, "test")
        oracle = oracle_class(game.users, game.dimension, full, int(state.random[0, 0]), drawn(name, state, game))
        ours = play(game, name, state, [seed], horizon)[0]
        theirs = play_oracle(game, oracle, seed, horizon)
        differ = np.flatnonzero(ours != theirs)
        assert differ.size == 0, f"seed {seed}: first different arm in round {differ[0] + 1}"
        counters = ("cuts", "splits", "merges", "changes", "user_cuts", "item_cuts")
        events += sum(getattr(oracle, counter, 0) for counter in counters)
    if name not in ("linucb_ind", "linucb_one"):
        assert events > 0, "nothing was cut, split or merged: the case tests nothing"


@pytest.mark.parametrize(("neighbourhood", "kept"), [("graph", False), ("test", True)])
def test_cofiba_compares_items_by_the_updated_user_graph(neighbourhood, kept):
    """Users who know nothing are near everywhere; but two of them were cut apart before, which the graph remembers."""
    game = synthetic_game(users=3, clusters=1, items=3, dimension=4, arms=2)
    one = row(start(game, "cofiba", [{"neighbourhood": neighbourhood}], [0]), 0)
    contexts, items = game.arrays["item_table"][:2].astype(float), np.arange(2)
    cut_edge(one.edges[0], 0, 1)
    assert has_listed_edge(one.neighbours, 0, 1)
    cofiba.choose(one, 1, 0, items, contexts)
    cofiba.learn(one, 1, 0, 0, contexts[0], 0.0)
    assert has_listed_edge(one.neighbours, 0, 1) == kept


@pytest.mark.slow
def test_cofiba_chooses_the_same_arms_however_few_models_it_keeps(monkeypatch):
    game, options = synthetic_game(separation=0.9), {"alpha_2": 0.15, "item_clusters": 60}
    arms = []
    for most in (256, 1):
        monkeypatch.setattr(_pools, "MOST", most)
        state = start(game, "cofiba", [options], [0])
        assert len(state.pools.owner[0]) == most
        arms.append(play(game, "cofiba", state, [0], 500))
    assert (state.item_clusters > 1).all()
    assert np.array_equal(*arms)


def has_listed_edge(neighbours: np.ndarray, a: int, b: int) -> bool:
    return b in neighbours[a] and a in neighbours[b]
