"""The figure and the tables of errors of estimators."""

from __future__ import annotations

import pandas as pd
import pytest

from manybandits.base.artifacts import load_provenance
from manybandits.estimators.comparison import ESTIMATORS
from manybandits.figures import estimation_errors
from manybandits.results.error_table import load_errors
from manybandits.tables import estimation_errors as errors_table
from manybandits.tables import slopes
from tests.planted.errors import plant_powers
from tests.planted.verdicts import verdict


@pytest.mark.parametrize(("figure", "table"), [(estimation_errors, errors_table), (estimation_errors, slopes)])
def test_errors_are_drawn_and_tabulated_with_what_they_were_drawn_from(tmp_path, figure, table):
    paths = [str(plant_powers(tmp_path, regime)) for regime in ("standard", "poor")]
    for module, stem in ((figure, "figure"), (table, "table")):
        module.main(["--title", "T", "--runs", *paths, "--out", str(tmp_path / stem)])
    drawn = pd.read_csv(tmp_path / "figure.csv")
    assert len(drawn) == 2 * 2 * len(ESTIMATORS) * 3
    facts = load_provenance(tmp_path / "figure.csv")["facts"]
    assert "over 12 draws" in facts["caption"]
    assert [text.split(",")[1] for text in facts["data"]] == [" standard regime", " poor regime"]
    for name in ("figure.svg", "table.md", "table.tex"):
        assert (tmp_path / name).stat().st_size > 1000


def test_a_stated_rate_is_drawn_in_the_panel_of_its_setting_and_regime_alone(tmp_path):
    tables = load_errors([plant_powers(tmp_path, regime) for regime in ("standard", "poor")])
    stated = {"kind": "slope", "of": "Robust multitask", "against": "rows", "bound": "at-most", "published": -0.5}
    stated["data"] = (tables[0].description,)
    others = [{**stated, "of": "Pooling"}, {**stated, "kind": "value"}, {**stated, "published": None}]
    verdicts = [verdict(**one) for one in (stated, *others)]
    slopes = estimation_errors.stated_in(tables, verdicts)
    drawn = estimation_errors.summarise(tables, slopes)
    told = drawn[drawn["stated_slope"] != ""]
    assert set(told["stated_slope"]) == {"at most -0.50"}
    assert set(told["regime"] + told["swept"] + told["estimator"]) == {"standardrowsRobust multitask"}
    panels = [panel for panel in estimation_errors.panels_of(drawn, {}, {"stated": slopes}) if panel]
    assert [bool(panel.lines) for panel in panels].count(True) == 1
    assert estimation_errors.stated_in(tables[1:], verdicts) == {}
    tiny = verdict(**{**stated, "published": -0.001})  # what two digits leave of it has no sign
    assert estimation_errors.stated_in(tables, [tiny]) == {"standard rows": {"at most 0.00": -0.001}}
