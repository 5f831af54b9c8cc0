"""Verdicts are read, grouped by claim and counted in one place; a file that holds none is named."""

from __future__ import annotations

import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import save_csv
from manybandits.results.verdict_table import (
    COLUMNS,
    EXPLANATIONS,
    HEADLINE_COLUMNS,
    HOLDING,
    JUDGED,
    VERDICTS,
    count,
    counted,
    load_headlines,
    load_verdicts,
    place_order,
    read_claims,
    read_headlines,
    read_verdicts,
    scores,
)

ROWS = (
    {"claim": "one.fig1", "reading": "paper", "verdict": "near miss", "measured": "1.5"},
    {"claim": "one.fig1", "reading": "released", "verdict": "reproduced", "measured": "0"},
    {"claim": "one.fig2.1", "reading": "paper", "verdict": "reproduced", "measured": ""},
    {"claim": "one.fig2.2", "reading": "paper", "verdict": "reproduced", "stands": "copy of fig2.1"},
)


def save(path, rows=ROWS, columns=COLUMNS):
    save_csv(path, pd.DataFrame([dict.fromkeys(COLUMNS, "") | row for row in rows])[list(columns)])
    return path


def test_only_the_reading_that_counts_is_counted(tmp_path):
    path = save(tmp_path / "verdicts.csv")
    assert count(counted(read_verdicts(path))) == dict.fromkeys(VERDICTS, 0) | {"near miss": 1, "reproduced": 1}
    assert counted(load_verdicts(path)) == [row for row in load_verdicts(path)[::2] if not row["stands"]]


def test_a_score_is_that_of_one_place_of_one_paper(tmp_path):
    places = ("Figure 10", "Table 1", "Figure 2", "Figure 2")
    rows = [{**row, "paper": "one", "place": place} for row, place in zip(ROWS, places, strict=True)]
    rows += [{"claim": "other.a", "paper": "other", "place": "Figure 2", "reading": "paper", "verdict": "supported"}]
    found = scores(read_verdicts(save(tmp_path / "verdicts.csv", rows)))
    assert [(one.paper, one.place, one.holding, one.cells, one.apart) for one in found] == [
        ("one", "Figure 2", 1, 1, 1),
        ("one", "Figure 10", 0, 1, 0),
        ("other", "Figure 2", 1, 1, 0),
    ]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Figure 2", "Figure 10"),
        ("Figure 9", "Table 1"),
        ("Table 2", "Theorem 1"),
        ("Figures 3 and 4, Table 5", "Table 1"),
    ],
)
def test_places_come_in_the_order_of_a_paper(earlier, later):
    assert place_order(earlier) < place_order(later)


def test_every_verdict_has_an_explanation_and_the_first_two_hold():
    assert tuple(EXPLANATIONS) == VERDICTS
    assert VERDICTS[:2] == HOLDING


def test_numbers_are_floats_and_none_where_there_is_none(tmp_path):
    assert [row["measured"] for row in load_verdicts(save(tmp_path / "verdicts.csv"))] == [1.5, 0.0, None, None]


def test_a_claim_has_its_other_readings_beside_it(tmp_path):
    first, second, _ = read_claims(save(tmp_path / "verdicts.csv"))
    assert (first["reading"], [row["reading"] for row in first.others]) == ("paper", ["released"])
    assert (second.key, list(second.others)) == ("fig2", [])


def test_verdicts_about_one_figure_need_no_explanation(tmp_path):
    path = save(tmp_path / "figure.csv", columns=JUDGED)
    assert len(read_verdicts(path, JUDGED)) == len(ROWS)
    with pytest.raises(InputError, match=r"figure\.csv has no column 'because'"):
        read_verdicts(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"verdict": "near mis"}, r"unknown verdict of one\.fig1 .* did you mean 'near miss'"),
        ({"claim": "Figure 1"}, "has a claim 'Figure 1'; it must be paper.key or paper.key.number"),
        ({"reading": "released"}, "has two verdicts on one.fig1 under 'released'"),
        ({"reading": "hidden user"}, "has no verdict on one.fig1 under 'paper'"),
        ({"measured": "much"}, "measured of one.fig1 is 'much', not a number"),
    ],
)
def test_a_verdict_that_is_not_as_it_should_be_is_named(tmp_path, change, words):
    with pytest.raises(InputError, match=words):
        read_claims(save(tmp_path / "verdicts.csv", [ROWS[0] | change, *ROWS[1:]]))


def save_headlines(path, *changes):
    row = dict.fromkeys(HEADLINE_COLUMNS, "") | {"headline": "one.best", "verdict": "supported", "n": "8"}
    save_csv(path, pd.DataFrame([row | change for change in changes], columns=HEADLINE_COLUMNS))
    return path


def test_headlines_are_read_with_their_numbers_and_may_be_none(tmp_path):
    (row,) = load_headlines(save_headlines(tmp_path / "headlines.csv", {"p": "0.01"}))
    assert (row["n"], row["p"], row["measured"]) == (8.0, 0.01, None)
    assert read_headlines(save_headlines(tmp_path / "none.csv")) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([{"verdict": "partly"}], r"unknown verdict of one\.best"),
        ([{}, {}], r"two verdicts on one\.best"),
        ([{"measured": "much"}], r"measured of one\.best is 'much', not a number"),
    ],
)
def test_a_headline_that_is_not_as_it_should_be_is_named(tmp_path, changes, words):
    with pytest.raises(InputError, match=words):
        read_headlines(save_headlines(tmp_path / "headlines.csv", *changes))


def test_a_table_of_claims_is_no_table_of_headlines(tmp_path):
    with pytest.raises(InputError, match=r"verdicts\.csv has no column 'headline': it is not a table of headlines"):
        read_headlines(save(tmp_path / "verdicts.csv"))
