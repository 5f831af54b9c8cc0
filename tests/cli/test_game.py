"""``manybandits game`` makes games that play, and prints what they are of."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from manybandits import cli, datasets
from manybandits.results.runs import load_run


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder with ratings.parquet, rows.csv and log.csv."""
    folder, random = tmp_path_factory.mktemp("own"), np.random.default_rng(2)
    tidy, _ = datasets.load("embedded-ratings").tidy({})
    tidy["ratings.parquet"].to_parquet(folder / "ratings.parquet")
    rows = pd.DataFrame(random.normal(size=(90, 3)), columns=list("xyz")).assign(species=np.arange(90) % 3)
    rows.to_csv(folder / "rows.csv", index=False)
    chance = np.array([0.5, 0.3, 0.2])
    arm = random.choice(3, size=900, p=chance)
    log = pd.DataFrame({"arm": arm, "reward": (random.random(900) < 0.2 * arm).astype(int), "p": chance[arm]})
    log.to_csv(folder / "log.csv", index=False)
    return folder


def told(capsys, *argv: str) -> str:
    cli.main([*argv])
    return capsys.readouterr().out


def refused(capsys, *argv: str) -> str:
    with pytest.raises(SystemExit) as stop:
        cli.main([*argv])
    assert stop.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "table", "given", "algorithm"),
    [
        ("ratings", "ratings.parquet", ["--users", "50"], "club"),
        ("classification", "rows.csv", ["--label", "species", "--numbers", "standard"], "club"),
        ("log", "log.csv", ["--propensity", "p"], "lnucb_ta"),
    ],
)
def test_own_data_are_played(tables, tmp_path, capsys, data, table, given, algorithm):
    game, run = str(tmp_path / "game.npz"), tmp_path / "run.parquet"
    facts = json.loads(told(capsys, "game", data, str(tables / table), *given, "--out", game, "--json"))
    assert facts["game"] == game
    assert facts["dataset"]["licence"] == "unknown"
    where = ["--environment", game, "--horizon", "60", "--seeds", "0-1", "--tuning-seeds", "5"]
    said = told(capsys, "play", algorithm, *where, "--out", str(run))
    assert f"own data {table} (licence unknown)" in load_run(run).environment["data_note"]
    shown = told(capsys, "compare", str(run))
    assert f"own data {table} (licence unknown)" in shown
    for text in (said, shown):
        assert ("effective sample size of LNUCB-TA" in " ".join(text.split())) == (data == "log")


def test_facts_are_printed_as_text(tables, tmp_path, capsys):
    shown = told(capsys, "game", "log", str(tables / "log.csv"), "--propensity", "p", "--out", str(tmp_path / "g.npz"))
    assert "data_note  own data log.csv (licence unknown); orders drawn; self-normalised" in shown
    assert "least_propensity 0.2" in shown


def test_a_fault_leaves_nothing(tables, tmp_path, capsys):
    out = ["--out", str(tmp_path / "g.npz")]
    told = refused(capsys, "game", "ratings", str(tables / "ratings.parquet"), "--user", "users", *out)
    assert "ratings.parquet has no column 'users': did you mean 'user'? Name it by user=COLUMN." in told
    told = refused(
        capsys, "game", "classification", str(tables / "rows.csv"), "--label", "species", "--arms", "x", *out
    )
    assert "unknown arms 'x': choose one of blocks, shifted." in told
    told = refused(capsys, "game", "log", str(tables / "log.csv"), *out)
    assert "has no column 'propensity'" in told
    assert list(tmp_path.iterdir()) == []
