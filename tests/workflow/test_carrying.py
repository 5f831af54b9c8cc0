"""Run tables are carried over an edit of code only where the values of now are those of the table."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from manybandits.base.artifacts import (
    load_facts,
    load_json,
    load_provenance,
    load_table,
    provenance_path,
    save_json,
    save_table,
)
from manybandits.estimators import comparison
from manybandits.planning.carrying import carry, first_rows, has_same_errors, has_same_values, stale_of
from manybandits.planning.checkout import checkout_of
from manybandits.planning.current import asked_alike
from manybandits.planning.figures import Regression
from tests.chain import copied
from tests.planted.runs import restamp

OTHER = "of other code"


def edited(folder: Path) -> list[Path]:
    """Let other code have made the run tables of a run, but not its tables of errors; return what says so."""
    beside = sorted(folder.glob("reports/tiny/runs/*/*/*.json"))
    assert len(beside) == 2
    for path in beside:
        made = load_json(path)
        save_json(path, {**made, "code": {**made["code"], "digest": OTHER}})
    return beside


def with_other_regret(folder: Path, change: float) -> None:
    """Add something to the regret in the run tables of a run."""
    for path in folder.glob("reports/tiny/runs/*/*/*.parquet"):
        table, facts = load_table(path), load_facts(path)
        save_table(path, table.assign(regret=table["regret"] + change), facts, small=True)
        restamp(path)


def carried(folder: Path) -> list[str]:
    """Carry the tables of a run over; return what is said."""
    with contextlib.chdir(folder):
        return carry(checkout_of("tiny"), 1)


@pytest.fixture(scope="module")
def older(finished, tmp_path_factory):
    """A finished run, whose run tables other code made, and those tables that are stale."""
    folder = copied(finished, tmp_path_factory.mktemp("older") / "run")
    edited(folder)
    with contextlib.chdir(folder):
        checkout = checkout_of("tiny")
        return folder, checkout, stale_of(checkout)


def test_tables_with_the_values_of_now_are_of_the_code_of_now(finished, tmp_path):
    folder = copied(finished, tmp_path / "run")
    before = {path: path.read_bytes() for path in (finished / "reports/tiny/runs").rglob("*.json")}
    edited(folder)
    assert carried(folder) == ["2 tables carried over, 0 stay as they are"]
    for path, content in before.items():
        assert (folder / path.relative_to(finished)).read_bytes() == content
    assert carried(folder) == []


def test_a_table_of_other_values_stays_as_it_is_and_is_named(finished, tmp_path):
    folder = copied(finished, tmp_path / "run")
    beside = edited(folder)
    with_other_regret(folder, 1.0)
    said = carried(folder)
    assert said[0] == "0 tables carried over, 2 stay as they are"
    first = beside[0].relative_to(folder / "reports/tiny").with_suffix("")
    assert f"not carried over: {first}: its values are others" in said
    assert {load_json(path)["code"]["digest"] for path in beside} == {OTHER}


@pytest.mark.parametrize("regret", [0.0, 1.0])
def test_on_a_game_of_other_bytes_the_values_decide(finished, tmp_path, monkeypatch, regret):
    folder = copied(finished, tmp_path / "run")
    edited(folder)
    monkeypatch.setattr("manybandits.planning.carrying.other_game", lambda table, games: "game.npz")
    with_other_regret(folder, regret)
    said = carried(folder)
    if regret:
        assert said[0] == "0 tables carried over, 2 stay as they are"
        assert all(line.endswith("its game has other bytes here, and its values are others") for line in said[1:])
    else:
        assert said == ["2 tables carried over, 0 stay as they are"]


@pytest.mark.parametrize("rounds", [7, 60])
def test_values_are_compared_one_by_one(older, monkeypatch, rounds):
    monkeypatch.setattr("manybandits.planning.carrying.ROUNDS", rounds)
    folder, checkout, stale = older
    for one in stale:
        game = folder / checkout.run.data / f"environments/{one.job.environment.name}.npz"
        table = folder / one.path
        assert has_same_values(one.job, game, table)
        rows = first_rows(load_table(table))
        last = rows["round"] == rounds
        with monkeypatch.context() as patched:
            other = rows.assign(reward=rows["reward"] + last)
            patched.setattr("manybandits.planning.carrying.first_rows", lambda _, other=other: other)
            assert not has_same_values(one.job, game, table)


def test_equal_values_of_a_table_prove_nothing_of_one_that_other_code_made(older):
    _, _, (one, *_) = older
    assert one.code == OTHER
    assert one._replace(code="of a third one").kind != one.kind
    images = replace(one.job, environment=replace(one.job.environment, datasets=("mnist",)))
    assert one._replace(job=images).kind != one.kind


def test_a_table_that_was_asked_for_otherwise_is_not_compared(older):
    _, _, stale = older
    play = stale[0].job
    settings = json.loads(play.spec.to_json())
    assert asked_alike(play, settings)
    assert not asked_alike(play, {**settings, "horizon": 61})
    assert not asked_alike(play, {**settings, "seeds": [0]})


@pytest.mark.parametrize("sweeps", [{"rows": [40, 80], "support": [1, 2]}, {}])
def test_errors_are_measured_again_for_the_first_seed(tmp_path, sweeps):
    one = Regression("x/errors", {"dimension": 20, "instances": 10}, sweeps, (3, 4), (100, 101))
    path = tmp_path / "errors.parquet"
    comparison.main([*one.arguments(), "--out", str(path)])
    assert asked_alike(one, load_provenance(path)["settings"])
    assert not asked_alike(replace(one, settings={"dimension": 20, "instances": 11}), load_provenance(path)["settings"])
    assert has_same_errors(one, path)
    errors, facts = load_table(path), load_facts(path)
    errors.loc[0, errors.columns[-1]] += 1e-9
    provenance_path(path).unlink()
    save_table(path, errors, facts, small=True)
    assert not has_same_errors(one, path)
