"""A batch of plays: the tables that its plays give alone, in one file."""

from __future__ import annotations

import zipfile

import msgspec
import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments import instances, synthetic
from manybandits.harness.batch import main
from manybandits.harness.play import play
from manybandits.harness.spec import PlaySpec

LINUCB = PlaySpec(
    algorithm="linucb_ind", game="game", grid={"alpha": [0.01, 3.0]}, seeds=(0, 1), tuning_seeds=(100,), horizon=300
)
PLAYS = {"linucb_ind": LINUCB, "linucb_ind-alpha-1": msgspec.structs.replace(LINUCB, grid={"alpha": [1.0]})}


@pytest.fixture(scope="module")
def frozen(tmp_path_factory):
    path = tmp_path_factory.mktemp("batch") / "game.npz"
    synthetic.freeze(path, users=12, clusters=3, items=40, dimension=5)
    return path


def run(frozen, out, plays=PLAYS, freeze=None) -> None:
    batch = {"plays": [{"name": name, "spec": spec} for name, spec in plays.items()], "freeze": freeze or {}}
    games = ["--games", str(frozen)] if frozen else []
    main(["--batch", msgspec.json.encode(batch).decode(), *games, "--out", str(out), "--threads", "1"])


def tables_in(batch):
    """Return the bytes of the run tables of a batch by their paths."""
    with zipfile.ZipFile(batch) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_a_batch_has_the_bytes_of_its_plays_alone(frozen, tmp_path):
    run(frozen, tmp_path / "batch" / "paper.zip")
    alone = {f"runs/paper/game/{name}.parquet": tmp_path / f"{name}.parquet" for name in PLAYS}
    for path, spec in zip(alone.values(), PLAYS.values(), strict=True):
        play(frozen, spec, path)
    assert tables_in(tmp_path / "batch" / "paper.zip") == {name: path.read_bytes() for name, path in alone.items()}


def test_a_play_that_fails_leaves_nothing_behind(frozen, tmp_path):
    wrong = {**PLAYS, "wrong": msgspec.structs.replace(LINUCB, grid={"alhpa": [1.0]})}
    with pytest.raises(InputError, match="did you mean 'alpha'"):
        run(frozen, tmp_path / "batch" / "paper.zip", wrong)
    assert list((tmp_path / "batch").iterdir()) == []


def test_a_generated_game_is_frozen_for_the_batch_alone(tmp_path):
    arguments = ("--instances", "4", "--dimension", "6", "--sparsity", "2")
    alone = tmp_path / "instances-instances-4.npz"
    instances.main([*arguments, "--out", str(alone)])
    name = alone.stem
    spec = PlaySpec(algorithm="ols_bandit", game=name, seeds=(0, 1), horizon=200)
    freeze = {name: {"module": "manybandits.environments.instances", "arguments": arguments}}
    run(None, tmp_path / "batch" / "paper.zip", {"ols_bandit": spec}, freeze)
    play(alone, spec, tmp_path / "alone.parquet")
    assert [path.name for path in (tmp_path / "batch").iterdir()] == ["paper.zip"]
    assert list(tables_in(tmp_path / "batch" / "paper.zip").values()) == [(tmp_path / "alone.parquet").read_bytes()]


def test_a_game_that_is_neither_given_nor_generated_is_named(tmp_path):
    with pytest.raises(InputError, match="plays 'game', which is neither among --games nor generated"):
        run(None, tmp_path / "paper.zip")
