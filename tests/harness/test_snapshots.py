"""A play that was stopped goes on with the same bytes, whatever the algorithm and the kind of game."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.environments import synthetic
from manybandits.environments.kinds import instances as instance_games
from manybandits.environments.kinds import users as user_games
from manybandits.environments.kinds.agents import AgentGame
from manybandits.environments.kinds.game import Game
from manybandits.harness import neural
from manybandits.harness.play import play
from manybandits.harness.replicas import play_replicas
from manybandits.harness.snapshots import DONE, Snapshots
from manybandits.harness.spec import PlaySpec
from manybandits.numerics.sparse_blocks import block_log
from tests.algorithms.test_long import GAME as LONG
from tests.algorithms.test_multiagent import game as game_of_agents
from tests.environments.test_instances import game as game_of_instances
from tests.harness.one_block import synthetic_game

BLOCK, ROUNDS = 125, 300
"""A play is stopped after the first block of three."""
USERS = synthetic_game()
USERS.arrays["served_table"] = np.random.default_rng(0).normal(size=(USERS.users, 3))
NAMES = [name for name in catalogue.names() if name not in ("cluster_oracle", "mean_oracle")]
SERVING = [name for name in NAMES if not hasattr(catalogue.load(name), "choose_all")]


class StoppedError(Exception):
    """What a play is stopped by."""


class Stopping(Snapshots):
    """Snapshots after every block; the first of them stops the play."""

    def save(self):
        running = any(DONE in facts for _, facts in self.waiting.values())
        super().save()
        if running:
            raise StoppedError


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch):
    for module in (user_games, instance_games, neural):
        monkeypatch.setattr(module, "BLOCK", BLOCK)
    monkeypatch.setattr(AgentGame, "block", lambda self, seeds: 100)


def played(game: Game, name: str, snapshots: Snapshots | None) -> pd.DataFrame:
    algorithm = catalogue.load(name)
    setting = contract.complete(algorithm, {}, "test")
    return play_replicas(game, algorithm, [setting] * 3, [0, 1, 0], horizon=ROUNDS, snapshots=snapshots)


def stopped_and_resumed(game: Game, name: str, folder) -> pd.DataFrame:
    with pytest.raises(StoppedError):
        played(game, name, Stopping(folder, "play", every=0.0))
    assert list(folder.glob("*.npz"))
    return played(game, name, Snapshots(folder, "play"))


@pytest.mark.parametrize("name", SERVING)
def test_a_stopped_play_goes_on_with_the_same_bytes(name, tmp_path):
    whole = played(USERS, name, None)
    pd.testing.assert_frame_equal(stopped_and_resumed(USERS, name, tmp_path), whole, check_exact=True)


@pytest.mark.parametrize("name", ["linucb_one", "club", "cofiba", "lnucb_ta", "kernel_ucb"])
def test_a_stopped_play_on_long_block_contexts_goes_on_with_the_same_bytes(name, tmp_path, monkeypatch):
    monkeypatch.setattr(block_log, "LONGEST", 10)
    whole = played(LONG, name, None)
    pd.testing.assert_frame_equal(stopped_and_resumed(LONG, name, tmp_path), whole, check_exact=True)


@pytest.mark.parametrize("name", ["linucb_alone", "sclb", "cmlb", "pmlb", "cluster_oracle"])
def test_a_stopped_play_of_agents_goes_on_with_the_same_bytes(name, tmp_path):
    game = game_of_agents()
    whole = played(game, name, None)
    pd.testing.assert_frame_equal(stopped_and_resumed(game, name, tmp_path), whole, check_exact=True)


@pytest.mark.parametrize("name", ["rmbandit", "ols_bandit", "lasso_bandit"])
def test_a_stopped_play_of_instances_goes_on_with_the_same_bytes(name, tmp_path):
    game = game_of_instances(instances=5, dimension=4)
    whole = played(game, name, None)
    pd.testing.assert_frame_equal(stopped_and_resumed(game, name, tmp_path), whole, check_exact=True)


def test_batches_that_ended_are_not_played_again(tmp_path, monkeypatch):
    algorithm, memory = catalogue.load("linucb_ind"), 1  # a batch per replica
    setting = contract.complete(algorithm, {}, "test")

    def play(snapshots):
        return play_replicas(
            USERS, algorithm, [setting] * 3, [0, 1, 2], horizon=BLOCK, memory=memory, snapshots=snapshots
        )

    whole = play(None)
    first = Snapshots(tmp_path, "play", every=0.0)
    play(first)
    monkeypatch.setattr(type(USERS), "play", lambda *_: pytest.fail("a batch was played again"))
    pd.testing.assert_frame_equal(play(Snapshots(tmp_path, "play")), whole, check_exact=True)
    with pytest.raises(pytest.fail.Exception, match="played again"):
        play(Snapshots(tmp_path, "another play"))


def test_a_short_play_stores_nothing_and_a_damaged_snapshot_is_as_good_as_none(tmp_path):
    played(USERS, "random", Snapshots(tmp_path / "short", "play"))
    assert not (tmp_path / "short").exists()
    with pytest.raises(StoppedError):
        played(USERS, "random", Stopping(tmp_path, "play", every=0.0))
    (path,) = tmp_path.glob("*.npz")
    path.write_bytes(path.read_bytes()[:100])
    whole = played(USERS, "random", None)
    pd.testing.assert_frame_equal(played(USERS, "random", Snapshots(tmp_path, "play")), whole)


def test_the_seconds_before_a_play_was_stopped_count(tmp_path):
    first = Snapshots(tmp_path, "play", every=0.0)
    assert first.begin("tuning") == 0.0
    time.sleep(0.05)
    first.begin("evaluation")
    time.sleep(0.05)
    first.save()
    again = Snapshots(tmp_path, "play")
    assert again.begin("tuning") >= 0.05
    assert again.begin("evaluation") >= 0.05
    assert Snapshots(tmp_path, "another play").begin("tuning") == 0.0


def test_a_play_deletes_its_snapshots_once_its_table_is_written(tmp_path):
    path, out = tmp_path / "game.npz", tmp_path / "run.parquet"
    synthetic.main(["--out", str(path), "--users", "5", "--clusters", "1"])
    (tmp_path / "run.parquet.partial").mkdir()
    play(path, PlaySpec(algorithm="random", seeds=(0,), horizon=50), out, threads=1)
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "game.npz",
        "game.npz.json",
        "run.parquet",
        "run.parquet.json",
    ]
