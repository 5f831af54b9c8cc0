"""Tables of readings: what they lack is named, and the summary says of which headlines there are some."""

from __future__ import annotations

import pytest

from manybandits.base.exceptions import InputError
from manybandits.results.readings_table import FIXED, SUMMARIES, SUMMARY, headlines_in, questions_of, read_readings

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
    save(tmp_path / SUMMARIES, ["verdict" if name == "answer" else name for name in SUMMARY], {})
    with pytest.raises(InputError, match="has no column 'answer', so it is no summary of readings"):
        headlines_in(tmp_path)


def test_a_number_that_is_none_is_named(tmp_path):
    with pytest.raises(InputError, match="effect is not a number"):
        read_readings(save(tmp_path / "it.csv", FIXED, {**ROW, "effect": "much"}))


def test_a_report_has_the_readings_that_its_summary_lists_and_none_without_one(tmp_path):
    assert headlines_in(None) == headlines_in(tmp_path) == []
    save(tmp_path / SUMMARIES, SUMMARY, {"headline": "p.it"})
    assert headlines_in(tmp_path) == ["p.it"]
