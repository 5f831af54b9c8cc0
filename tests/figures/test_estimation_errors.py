"""The figure and the tables of errors of estimators."""

from __future__ import annotations

import pandas as pd
import pytest

from manybandits.base.artifacts import load_provenance
from manybandits.figures import estimation_errors
from manybandits.tables import estimation_errors as errors_table
from manybandits.tables import slopes
from tests.planted.errors import plant_powers


@pytest.mark.parametrize(("figure", "table"), [(estimation_errors, errors_table), (estimation_errors, slopes)])
def test_errors_are_drawn_and_tabulated_with_what_they_were_drawn_from(tmp_path, figure, table):
    paths = [str(plant_powers(tmp_path, regime)) for regime in ("standard", "poor")]
    for module, stem in ((figure, "figure"), (table, "table")):
        module.main(["--title", "T", "--runs", *paths, "--out", str(tmp_path / stem)])
    drawn = pd.read_csv(tmp_path / "figure.csv")
    assert len(drawn) == 2 * 2 * 5 * 3
    facts = load_provenance(tmp_path / "figure.csv")["facts"]
    assert "over 12 draws" in facts["caption"]
    assert [text.split(",")[1] for text in facts["data"]] == [" standard regime", " poor regime"]
    for name in ("figure.png", "figure.svg", "table.md", "table.tex"):
        assert (tmp_path / name).stat().st_size > 1000
