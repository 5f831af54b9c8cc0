"""The table that sets the estimates of a replay beside each other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.tables import estimates as table
from tests.planted.runs import plant_run, replica

SHARES = {"replay": 0.5, "inverse": 0.52, "doubly-robust": 0.49, "self-normalised": 0.5}


def plant(folder, estimate: str, learn: str = "matched", settings: dict | None = None, effective=(), lost=False):
    """Write the run table of a replay whose reward a round is that of `SHARES` and a little more a seed."""
    rounds = np.array([50, 100])
    rewards = [rounds * (SHARES[estimate] + 0.01 * seed) for seed in range(5)]
    rewards[0] = np.where(lost & (rounds == 100), np.nan, rewards[0])
    settings = {"order": "shuffled", "learn": learn, "estimate": estimate} if settings is None else settings
    name = f"{learn}-{estimate}"
    return plant_run(
        folder / f"{name}.parquet",
        [replica(seed, rounds, rounds - reward, reward) for seed, reward in enumerate(rewards)],
        {"name": name, "data_note": "a log", "settings": settings},
        title="A & B",
        tuning="best-of-grid",
        facts={
            "chosen": "",
            "diverged": ["seed 0"] if lost else [],
            **({"effective": list(effective)} if effective else {}),
        },
    )


def tabulate(folder, paths):
    table.main(["--title", "T", "--runs", *map(str, paths), "--out", str(folder / "t")])
    return pd.read_csv(folder / "t.csv")


def test_every_estimate_stands_beside_that_of_replay_in_pairs(tmp_path):
    paths = [plant(tmp_path, estimate, learn) for learn in ("matched", "every") for estimate in SHARES]
    rows = tabulate(tmp_path, paths)
    assert rows["learn"].tolist() == ["matched"] * 4 + ["every"] * 4
    for row in rows.to_dict("records"):
        assert row["reward_per_round"] == pytest.approx(SHARES[row["estimate"]] + 0.02)
        for name in ("difference", "low", "high"):  # seeds are paired: nothing is left to chance
            assert row[name] == pytest.approx(SHARES[row["estimate"]] - 0.5, abs=1e-6)
    assert "0.540 ± 0.016 (+0.020; +0.020, +0.020)" in (tmp_path / "t.md").read_text()
    assert r"A \& B" in (tmp_path / "t.tex").read_text()


def test_what_cannot_be_compared_says_why(tmp_path):
    with pytest.raises(InputError, match=r"matched-inverse\.parquet has no replay beside it"):
        tabulate(tmp_path, [plant(tmp_path, "inverse")])
    with pytest.raises(InputError, match="is not the replay of a log"):
        tabulate(tmp_path, [plant(tmp_path, "replay", settings={})])
    with pytest.raises(
        InputError, match=r"matched-replay\.parquet: 1 of 5 runs came to the end of their log; play fewer"
    ):
        tabulate(tmp_path, [plant(tmp_path, "inverse"), plant(tmp_path, "replay", lost=True)])


def test_effective_sample_sizes_are_shown_where_a_log_was_not_uniform(tmp_path):
    paths = [plant(tmp_path, estimate) for estimate in ("replay", "inverse")]
    assert "effective" not in tabulate(tmp_path, paths)
    paths[1] = plant(tmp_path, "inverse", effective=[40.0, 60.0])
    rows = tabulate(tmp_path, paths)
    assert np.isnan(rows["effective"][0])
    assert rows["effective"][1] == 50.0
    shown = (tmp_path / "t.md").read_text()
    assert "+0.020); n_eff 50 |" in shown
    assert "The effective sample size of A & B (inverse, learn = matched) is 50, below 100" in shown
    assert r"n\_eff 50" in (tmp_path / "t.tex").read_text()
    paths[1] = plant(tmp_path, "inverse", effective=[400.0])
    tabulate(tmp_path, paths)
    assert "below 100" not in (tmp_path / "t.md").read_text()


def test_without_replay_estimates_are_compared_with_the_self_normalised_one(tmp_path):
    paths = [plant(tmp_path, estimate, effective=[500.0]) for estimate in ("inverse", "self-normalised")]
    rows = tabulate(tmp_path, paths).set_index("estimate")
    assert rows["difference"].to_dict() == pytest.approx({"inverse": 0.02, "self-normalised": 0.0})
    shown = (tmp_path / "t.md").read_text()
    assert "mean difference from the self-normalised estimate of the same rounds" in shown
    assert shown.count("(+") == 1
