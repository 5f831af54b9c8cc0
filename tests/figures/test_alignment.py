"""The picture of how differences between instances are aligned, and its table."""

from __future__ import annotations

import pandas as pd

from manybandits.estimators.comparison import main as regress
from manybandits.figures import alignment
from manybandits.tables import alignment as alignment_table


def test_the_picture_of_alignment_shows_what_was_found(tmp_path):
    path = tmp_path / "picture.parquet"
    setting = ["design=mixed", "dimension=24", "instances=20", "constant=4"]
    regress(["--set", *setting, "--seeds", "0", "--tuning-seeds", "1", "--out", str(path)])
    for module, stem in ((alignment, "figure"), (alignment_table, "table")):
        module.main(["--title", "T", "--runs", str(path), "--out", str(tmp_path / stem)])
    counts = pd.read_csv(tmp_path / "table.csv").set_index("part")["components"]
    assert counts["difference of instance 0"] == 3
    assert counts["their mean"] == 24
    assert counts["their trimmed mean"] == 1
    assert counts["found by LASSO after the trimmed mean"] < counts["found by LASSO after the mean"]
    assert (tmp_path / "figure.svg").stat().st_size > 1000
