"""A batch of plays: the tables that its plays give alone, in one file."""

from __future__ import annotations

import msgspec
import pytest

from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.harness.batch import main
from manybandits.harness.play import play
from manybandits.harness.spec import PlaySpec
from manybandits.results.packed import pack, read_packed

LINUCB = PlaySpec(algorithm="linucb_ind", grid={"alpha": [0.01, 3.0]}, seeds=(0, 1), tuning_seeds=(100,), horizon=300)
PLAYS = {"linucb_ind": LINUCB, "linucb_ind-alpha-1": msgspec.structs.replace(LINUCB, grid={"alpha": [1.0]})}


@pytest.fixture(scope="module")
def frozen(tmp_path_factory):
    path = tmp_path_factory.mktemp("batch") / "game.npz"
    synthetic.freeze(path, users=12, clusters=3, items=40, dimension=5)
    return path


def run(frozen, out, plays=PLAYS) -> None:
    text = msgspec.json.encode(plays).decode()
    main(["--environment", str(frozen), "--plays", text, "--out", str(out), "--threads", "1"])


def test_a_batch_has_the_bytes_of_its_plays_alone(frozen, tmp_path):
    run(frozen, tmp_path / "batch" / "paper.parquet")
    tables = [tmp_path / "runs" / "paper" / frozen.stem / f"{name}.parquet" for name in PLAYS]
    for path, spec in zip(tables, PLAYS.values(), strict=True):
        play(frozen, spec, path)
    pack(tables, [], tmp_path / "alone" / "paper.parquet")
    assert (tmp_path / "batch" / "paper.parquet").read_bytes() == (tmp_path / "alone" / "paper.parquet").read_bytes()
    packed = read_packed(tmp_path / "batch" / "paper.parquet")
    assert {member.path.split("/")[-1] for member in packed.members} == {path.name for path in tables}


def test_a_play_that_fails_leaves_nothing_behind(frozen, tmp_path):
    wrong = {**PLAYS, "wrong": msgspec.structs.replace(LINUCB, grid={"alhpa": [1.0]})}
    with pytest.raises(InputError, match="did you mean 'alpha'"):
        run(frozen, tmp_path / "batch" / "paper.parquet", wrong)
    assert list((tmp_path / "batch").iterdir()) == []
