"""Tables of readings: what they lack is named, and a summary is said in words."""

from __future__ import annotations

import pytest

from manybandits.base.exceptions import InputError
from manybandits.results.readings_table import FIXED, SUMMARY, in_words, questions_of, read_readings, read_summaries

ROW = {"reading": "as written", "answer": "holds", "effect": "0.1", "low": "", "high": "", "against": "0"}


def save(path, columns, row):
    cells = [row.get(name, "") for name in columns]
    path.write_text(f"{','.join(columns)}\n{','.join(cells)}\n")
    return path


def test_numbers_are_numbers_and_what_follows_them_are_questions(tmp_path):
    table = read_readings(save(tmp_path / "it.csv", [*FIXED, "start"], {**ROW, "start": "near"}))
    assert table["effect"].tolist() == [0.1]
    assert table["low"].isna().all()
    assert questions_of(table) == ["start"]


@pytest.mark.parametrize("name", FIXED)
def test_a_column_that_is_missing_is_named(tmp_path, name):
    path = save(tmp_path / "it.csv", [one for one in FIXED if one != name], ROW)
    with pytest.raises(InputError, match=f"has no column '{name}', so it is no table of readings: judge the readings"):
        read_readings(path)


def test_a_table_of_an_earlier_version_is_named(tmp_path):
    """Its column was called verdict, and had other words."""
    path = save(tmp_path / "it.csv", ["verdict" if name == "answer" else name for name in FIXED], ROW)
    with pytest.raises(InputError, match="has no column 'answer'"):
        read_readings(path)
    summary = save(tmp_path / "all.csv", ["verdict" if name == "answer" else name for name in SUMMARY], {})
    with pytest.raises(InputError, match="has no column 'answer', so it is no summary of readings"):
        read_summaries(summary)


def test_a_number_that_is_none_is_named(tmp_path):
    with pytest.raises(InputError, match="effect is not a number"):
        read_readings(save(tmp_path / "it.csv", FIXED, {**ROW, "effect": "much"}))


def test_a_summary_says_in_how_many_readings_a_headline_holds(tmp_path):
    row = {"headline": "p.it", "answer": "fails", "readings": "64", "judged": "62", "holds": "5", "fails": "50"}
    path = save(tmp_path / "all.csv", SUMMARY, {**row, "word": "depends on", "choices": "start; a and b"})
    found = read_summaries(path)["p.it"]
    explained = "the variation is best explained by start and the interaction of a and b"
    assert in_words(found) == f"holds in 5 of 62 set-ups and fails in 50; {explained}"
