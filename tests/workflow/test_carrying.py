"""Identities of packed tables are carried over an edit of code only where the values of now are those of the table."""

from __future__ import annotations

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
)
from manybandits.estimators import comparison
from manybandits.planning.carrying import asked_alike, carry, first_rows, has_same_errors, has_same_values, stale_of
from manybandits.planning.figures import Regression
from manybandits.planning.progress import checkout_of
from manybandits.results.packed import read_packed
from tests.chain import copied

pytestmark = pytest.mark.slow

PACK = "reports/tiny/runs/meta_ban.parquet"


def edited(folder: Path) -> Path:
    """Give the packed tables of a run the identities of other code; return the pack."""
    pack = folder / PACK
    beside = load_json(provenance_path(pack))
    save_json(provenance_path(pack), {**beside, "identities": dict.fromkeys(beside["identities"], "of other code")})
    return pack


def played(checkout):
    """The plays of a run, by the paths of their tables."""
    return {f"runs/{name}.parquet": play for name, play in checkout.run.plays.items()}


@pytest.fixture(scope="module")
def older(finished, tmp_path_factory):
    """A finished run, whose packed tables have the identities of other code, and those tables that are stale."""
    folder = copied(finished, tmp_path_factory.mktemp("older") / "run")
    checkout = checkout_of(folder, "tiny")
    return folder, checkout, stale_of(read_packed(edited(folder)), played(checkout))


def test_tables_with_the_values_of_now_have_the_identities_of_now(finished, tmp_path):
    folder = copied(finished, tmp_path / "run")
    before = provenance_path(folder / PACK).read_bytes()
    edited(folder)
    assert carry(checkout_of(folder, "tiny"), 1) == [f"{PACK}: 2 identities carried over, 0 stay as they are"]
    assert provenance_path(folder / PACK).read_bytes() == before
    assert carry(checkout_of(folder, "tiny"), 1) == []


def test_a_table_of_other_values_keeps_its_identity_and_is_named(finished, tmp_path, monkeypatch):
    folder = copied(finished, tmp_path / "run")
    edited(folder)
    first = next(iter(load_json(provenance_path(folder / PACK))["identities"]))
    monkeypatch.setattr("manybandits.planning.carrying.first_rows", lambda table: first_rows(table).assign(regret=-1.0))
    said = carry(checkout_of(folder, "tiny"), 1)
    assert said[0] == f"{PACK}: 0 identities carried over, 2 stay as they are"
    assert f"not carried over: {first}: its values are others" in said
    assert set(load_json(provenance_path(folder / PACK))["identities"].values()) == {"of other code"}


@pytest.mark.parametrize("regret", [0.0, 1.0])
def test_on_a_game_of_other_bytes_the_values_decide(finished, tmp_path, monkeypatch, regret):
    folder = copied(finished, tmp_path / "run")
    pack = edited(folder)
    monkeypatch.setattr("manybandits.planning.carrying.other_games", lambda *given: dict.fromkeys(given[2], "game"))
    changed = lambda table: (rows := first_rows(table)).assign(regret=rows["regret"] + regret)  # noqa: E731
    monkeypatch.setattr("manybandits.planning.carrying.first_rows", changed)
    said = carry(checkout_of(folder, "tiny"), 1)
    if regret:
        assert said[0] == f"{PACK}: 0 identities carried over, 2 stay as they are"
        assert all(line.endswith("its game has other bytes here, and its values are others") for line in said[1:])
        assert set(load_json(provenance_path(pack))["identities"].values()) == {"of other code"}
    else:
        assert said == [f"{PACK}: 2 identities carried over, 0 stay as they are"]


@pytest.mark.parametrize("rounds", [7, 60])
def test_values_are_compared_one_by_one(older, monkeypatch, rounds):
    monkeypatch.setattr("manybandits.planning.carrying.ROUNDS", rounds)
    folder, checkout, stale = older
    tables = {path: first_rows(table.to_pandas()) for path, table, _ in read_packed(folder / PACK).tables()}
    for one in stale:
        game, rows = folder / checkout.run.data / f"environments/{one.job.environment.name}.npz", tables[one.path]
        assert has_same_values(one.job, game, rows)
        last = rows["round"] == rounds
        assert not has_same_values(one.job, game, rows.assign(reward=rows["reward"] + last))


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
    errors, facts = load_table(path), load_facts(path)
    assert asked_alike(one, load_provenance(path)["settings"])
    assert not asked_alike(replace(one, settings={"dimension": 20, "instances": 11}), load_provenance(path)["settings"])
    assert has_same_errors(one, errors, facts)
    errors.loc[0, errors.columns[-1]] += 1e-9
    assert not has_same_errors(one, errors, facts)
