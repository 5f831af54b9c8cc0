"""Conformance vectors are what twins and compiled algorithms choose and know."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import manybandits as mb
from manybandits.base.exceptions import InputError
from manybandits.harness import vectors

FOLDER = Path(__file__).parent


def read(name: str) -> dict:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_the_command_writes_the_committed_files(tmp_path):
    vectors.main([str(tmp_path)])
    assert {file.name for file in tmp_path.glob("*.json")} == {file.name for file in FOLDER.glob("*.json")}
    assert (tmp_path / "game.json").read_text() == (FOLDER / "game.json").read_text()


@pytest.mark.parametrize("name", vectors.PLAYED)
def test_twins_give_the_vectors(name):
    made, kept = vectors.play(read("game"), name), read(name)
    assert made["arms"] == kept["arms"]
    assert made["options"] == kept["options"]
    assert set(made["states"]) == set(kept["states"]) == {"50", "100", "150", "200"}
    for t, state in kept["states"].items():
        np.testing.assert_allclose(made["states"][t].pop("theta"), state.pop("theta"), atol=2e-6)
        assert made["states"][t] == state


@pytest.mark.parametrize("name", vectors.PLAYED)
def test_compiled_algorithms_give_the_vectors(name):
    game, kept = read("game"), read(name)
    sizes = {key: game[key] for key in ("users", "dimension", "arms")}
    bandit, chosen = mb.load(name, **sizes, items=game["arms"], horizon=200, **kept["options"]), []
    for one in game["rounds"]:
        contexts = np.array(one["contexts"])
        arm = bandit.choose(one["user"], contexts, np.arange(game["arms"]))
        bandit.learn(one["user"], contexts, arm, one["rewards"][arm], np.arange(game["arms"]))
        chosen.append(arm)
    assert chosen == kept["arms"]


@pytest.mark.parametrize("name", ["club", "sclub", "locb"])
def test_clusters_change_in_the_course_of_a_vector(name):
    clusters = [state["clusters"] for state in read(name)["states"].values()]
    assert len({json.dumps(one) for one in clusters}) > 1
    assert any(len(part) < vectors.USERS for part in clusters[-1])


def test_a_game_whose_choice_is_decided_by_rounding_makes_no_vector():
    game = read("game")
    game["rounds"] = [{"user": 0, "contexts": [[1.0, 0.0, 0.0, 0.0]] * 5, "rewards": [0.0] * 5}]
    with pytest.raises(InputError, match="club, round 1: two indices are 0"):
        vectors.play(game, "club")
