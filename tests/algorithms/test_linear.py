"""The clusters of linear policies: what COFIBA compares and keeps, and rounds that are played by hand."""

import numpy as np
import pytest

from manybandits.algorithms.linear import cofiba
from manybandits.compiling.replicas import row
from manybandits.numerics import user_graphs
from manybandits.numerics.graphs import cut_edge
from tests.harness.beside import made
from tests.harness.one_block import play, play_by_hand, start, synthetic_game


@pytest.mark.parametrize(("name", "options"), [("linucb_ind", {"alpha": 1.0}), ("club", {"alpha_2": 0.4})])
def test_a_policy_chooses_the_arms_of_its_twin_that_is_played_by_hand(name, options):
    game = synthetic_game(separation=0.9)
    ours = play(game, name, start(game, name, [options], [2]), [2], 500)[0]
    assert np.array_equal(ours, play_by_hand(game, made(game, name, options, 2, 500), 2, 500))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize(("neighbourhood", "kept"), [("graph", False), ("test", True)])
def test_cofiba_compares_items_by_the_updated_user_graph(neighbourhood, kept):
    """Users who know nothing are near everywhere; but two of them were cut apart before, which the graph remembers."""
    game = synthetic_game(users=3, clusters=1, items=3, dimension=4, arms=2)
    one = row(start(game, "cofiba", [{"neighbourhood": neighbourhood}], [0]), 0)
    contexts, items = game.arrays["item_table"][:2].astype(float), np.arange(2)
    cut_edge(one.graphs.edges[0], 0, 1)
    assert has_listed_edge(one.neighbours, 0, 1)
    cofiba.choose(one, 1, 0, items, contexts)
    cofiba.learn(one, 1, 0, 0, contexts[0], 0.0)
    assert has_listed_edge(one.neighbours, 0, 1) == kept


def test_cofiba_chooses_the_same_arms_however_few_models_it_keeps(monkeypatch):
    game, options = synthetic_game(separation=0.9), {"alpha_2": 0.15, "item_clusters": 60}
    arms = []
    for most in (256, 1):
        monkeypatch.setattr(user_graphs, "MOST", most)
        state = start(game, "cofiba", [options], [0])
        assert len(state.graphs.owner[0]) == most
        arms.append(play(game, "cofiba", state, [0], 500))
    assert (state.graphs.number > 1).all()
    assert np.array_equal(*arms)


def has_listed_edge(neighbours: np.ndarray, a: int, b: int) -> bool:
    return b in neighbours[a] and a in neighbours[b]
