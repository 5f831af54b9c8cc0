"""The size and the purity of the clusters that are played, as the run table reports them."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.environments import classification
from manybandits.harness.replicas import play_replicas
from tests.algorithms.test_neural import DENSE
from tests.harness.one_block import synthetic_game

SEPARATED = synthetic_game(users=50, clusters=5, items=200, dimension=6, separation=1.1, noise=0.1)
COMPILED = {
    "club": {"alpha": 0.1, "alpha_2": 0.5},
    "sclub": {"alpha": 0.1},
    "locb": {"alpha": 0.1},
    "cofiba": {"alpha": 0.1, "alpha_2": 0.1},
}


def table_of(game, name, options, horizon):
    algorithm = catalogue.load(name)
    return play_replicas(game, algorithm, [contract.complete(algorithm, options, "test")] * 2, [0, 1], horizon=horizon)


def test_clusters_shrink_from_everybody_to_the_true_ones():
    table = table_of(SEPARATED, "club", COMPILED["club"], 3000)
    first, last = (table[table["round"] == at] for at in (15, 3000))
    assert (first["size"] == 50).all()
    assert np.allclose(first["purity"], 0.2)
    assert (last["size"] == 10).all()
    assert (last["purity"] == 1.0).all()


@pytest.mark.parametrize("name", COMPILED)
def test_every_clustering_algorithm_gets_purer_than_chance(name):
    table = table_of(SEPARATED, name, COMPILED[name], 3000)
    assert table["size"].between(1, 50).all()
    assert table["purity"].between(0, 1).all()
    last = table[table["round"] == 3000]
    assert (last["purity"] > 0.3).all(), last["purity"].tolist()
    assert (last["size"] < 50).all()


def test_what_has_no_clusters_or_no_true_groups_reports_none():
    assert table_of(DENSE, "linucb_ind", {}, 20)[["size", "purity"]].isna().all(axis=None)
    unknown = synthetic_game(users=6, clusters=2, items=30, dimension=4, arms=4)
    object.__setattr__(unknown, "groups", None)
    table = table_of(unknown, "club", {}, 20)
    assert (table["size"] == 6).all()
    assert table["purity"].isna().all()


def test_classes_of_two_data_sets_have_their_data_set_as_group():
    random = np.random.default_rng(0)
    parts = [(random.normal(size=(30, 4)), np.arange(30) % 3) for _ in range(2)]
    assert classification.groups(classification.build(parts, "class", "instances")).tolist() == [0, 0, 0, 1, 1, 1]
    assert classification.groups(classification.build(parts, "hidden", "instances")) is None
    assert classification.groups(classification.build(parts[:1], "class", "instances")) is None
