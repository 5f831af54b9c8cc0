"""What measurements are called, and what they leave."""

import importlib

import pandas as pd

from manybandits import measurements
from manybandits.base.artifacts import load_provenance
from manybandits.measurements import m_cnb_parts
from manybandits.measurements.command_line import parser_of, write


def test_a_measurement_is_every_module_with_a_script_of_its_own():
    assert measurements.names() == ["lnucb_ta_runtime", "m_cnb_parts", "rmbandit_lemma1", "rmbandit_updates"]
    for name in measurements.names():
        assert callable(importlib.import_module(measurements.module_of(name)).main)


def test_a_table_is_printed_and_written_only_where_a_stem_is_given(tmp_path, capsys):
    parser = parser_of("Time it.", "Table 1")
    table = pd.DataFrame({"seconds": [0.5]})
    write(table, "# Table 1\n", {"title": "Table 1"}, "On one core.", parser.parse_args([]).out)
    assert capsys.readouterr().out == "# Table 1\n"
    assert list(tmp_path.iterdir()) == []
    write(table, "# Table 1\n", {"title": "Table 1"}, "On one core.", tmp_path / "a.b")
    assert (tmp_path / "a.b.csv").read_text() == "seconds\n0.5\n"
    assert (tmp_path / "a.b.md").read_text() == "# Table 1\n"
    assert load_provenance(tmp_path / "a.b.csv")["facts"] == {"note": "On one core.", "stand_in": True}


def test_every_part_of_a_round_of_m_cnb_is_timed_for_every_number_of_users(tmp_path, monkeypatch):
    monkeypatch.setattr(m_cnb_parts, "SIZES", (50, 60))
    monkeypatch.setattr(m_cnb_parts, "PAPER", {part: stated[:2] for part, stated in m_cnb_parts.PAPER.items()})
    m_cnb_parts.main(["--rounds", "2", "--title", "T", "--out", str(tmp_path / "t")])
    table = pd.read_csv(tmp_path / "t.csv")
    assert list(zip(table["part"], table["users"], strict=True)) == [
        (part, users) for part in m_cnb_parts.PAPER for users in (50, 60)
    ]
    assert (table["seconds"] > 0).all()
    assert (tmp_path / "t.md").read_text().startswith("# T\n\nSeconds a round on one core")
