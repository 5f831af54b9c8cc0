"""Verdicts are read, grouped by claim and counted in one place; a file that holds none is named."""

from __future__ import annotations

import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import save_csv
from manybandits.results.verdict_table import (
    COLUMNS,
    JUDGED,
    VERDICTS,
    count,
    counted,
    load_verdicts,
    read_claims,
    read_verdicts,
)

ROWS = (
    {"claim": "one.fig1", "reading": "paper", "verdict": "partly", "measured": "1.5"},
    {"claim": "one.fig1", "reading": "released", "verdict": "reproduced", "measured": "0"},
    {"claim": "one.fig2.1", "reading": "paper", "verdict": "reproduced", "measured": ""},
)


def save(path, rows=ROWS, columns=COLUMNS):
    save_csv(path, pd.DataFrame([dict.fromkeys(COLUMNS, "") | row for row in rows])[list(columns)])
    return path


def test_only_the_reading_that_counts_is_counted(tmp_path):
    path = save(tmp_path / "verdicts.csv")
    assert count(counted(read_verdicts(path))) == dict(zip(VERDICTS, (1, 1, 0, 0), strict=True))
    assert count(read_claims(path)) == count(counted(load_verdicts(path)))


def test_numbers_are_floats_and_none_where_there_is_none(tmp_path):
    assert [row["measured"] for row in load_verdicts(save(tmp_path / "verdicts.csv"))] == [1.5, 0.0, None]


def test_a_claim_has_its_other_readings_beside_it(tmp_path):
    first, second = read_claims(save(tmp_path / "verdicts.csv"))
    assert (first["reading"], [row["reading"] for row in first.others]) == ("paper", ["released"])
    assert (second.key, list(second.others)) == ("fig2", [])


def test_verdicts_about_one_figure_need_no_explanation(tmp_path):
    path = save(tmp_path / "figure.csv", columns=JUDGED)
    assert len(read_verdicts(path, JUDGED)) == 3
    with pytest.raises(InputError, match=r"figure\.csv has no column 'because'"):
        read_verdicts(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"verdict": "partially"}, r"unknown verdict of one\.fig1 .* did you mean 'partly'"),
        ({"claim": "Figure 1"}, "has a claim 'Figure 1'; it must be paper.key or paper.key.number"),
        ({"reading": "released"}, "has two verdicts on one.fig1 under 'released'"),
        ({"reading": "hidden user"}, "has no verdict on one.fig1 under 'paper'"),
        ({"measured": "much"}, "measured of one.fig1 is 'much', not a number"),
    ],
)
def test_a_verdict_that_is_not_as_it_should_be_is_named(tmp_path, change, words):
    with pytest.raises(InputError, match=words):
        read_claims(save(tmp_path / "verdicts.csv", [ROWS[0] | change, *ROWS[1:]]))
