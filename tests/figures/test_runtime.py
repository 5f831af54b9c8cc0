"""The figure of running times."""

from __future__ import annotations

import numpy as np
import pandas as pd

from manybandits.figures import runtime
from manybandits.results.runs import load_run


def test_running_times_are_those_of_one_run_on_one_core(runs, tmp_path):
    for place in ("one", "two"):
        runtime.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / place / "f")])
    drawn = pd.read_csv(tmp_path / "one/f.csv")
    assert len(drawn) == 6
    assert np.allclose(drawn["seconds"], 3.0)  # 1.5 seconds a replica, on two threads
    run = load_run(runs[0])
    assert np.isclose(drawn["mean"][0], run.regret[:, -1].mean())
    for ending in ("svg", "csv"):
        assert (tmp_path / f"one/f.{ending}").read_bytes() == (tmp_path / f"two/f.{ending}").read_bytes()
