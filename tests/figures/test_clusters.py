"""The figure of sizes and purities of clusters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.figures import clusters
from manybandits.results.runs import load_run, load_runs


def test_clusters_are_drawn_where_there_are_any(runs, tmp_path):
    for place in ("one", "two"):
        clusters.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / place / "f")])
    drawn = pd.read_csv(tmp_path / "one/f.csv")
    assert set(drawn["algorithm"]) == {"CLUB"}
    run = load_run(runs[0])
    for measure, values in (("size", run.size), ("purity", run.purity)):
        line = drawn[(drawn["panel"] == "a") & (drawn["measure"] == measure)]
        assert np.allclose(line["mean"], values.mean(axis=0))
    for ending in ("svg", "csv"):
        assert (tmp_path / f"one/f.{ending}").read_bytes() == (tmp_path / f"two/f.{ending}").read_bytes()
    with pytest.raises(InputError, match="no run has clusters"):
        clusters.panels_of_runs(load_runs(runs[1:3]))
