"""The table of the average regret along the rounds."""

from __future__ import annotations

import numpy as np
import pandas as pd

from manybandits.results.runs import load_run
from manybandits.tables import convergence


def test_convergence_is_the_average_regret_after_every_fifth(runs, tmp_path):
    convergence.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / "t")])
    rows = pd.read_csv(tmp_path / "t.csv")
    run = load_run(runs[0])
    first = rows[(rows["environment"] == "a") & (rows["algorithm"] == "CLUB")]
    assert first["round"].tolist() == [200, 400, 600, 800, 1000]
    for t, mean in zip(first["round"], first["mean"], strict=True):
        assert np.isclose(mean, run.regret[:, run.rounds == t].mean() / t, atol=1e-6)
    assert "| rounds | 200 |" in (tmp_path / "t.md").read_text()
    assert r"Mine \& <yours>" in (tmp_path / "t.tex").read_text()
