"""Tables as files: cells are escaped, and what is written is read back."""

from __future__ import annotations

import csv

import pandas as pd
import pytest

from manybandits.base.table_files import Latex, Markdown, save_csv, with_ending


def test_a_csv_is_read_back_as_it_was(tmp_path):
    table = pd.DataFrame({"algorithm": ['A "b", c', "d"], "regret": [1 / 3, float("nan")]})
    save_csv(tmp_path / "exact.csv", table)
    assert pd.read_csv(tmp_path / "exact.csv").equals(table)
    save_csv(tmp_path / "rounded.csv", table, decimals=6)
    assert (tmp_path / "rounded.csv").read_bytes() == b'algorithm,regret\n"A ""b"", c",0.333333\nd,\n'
    with (tmp_path / "exact.csv").open(newline="") as file:
        assert [row["algorithm"] for row in csv.DictReader(file)] == ['A "b", c', "d"]


def test_a_bar_in_a_markdown_cell_does_not_end_it():
    lines = Markdown.table(["algorithm", "regret"], "lr", [[Markdown.text("A|B"), "1.0"]]).splitlines()
    assert lines == ["| algorithm | regret |", "|---|---:|", r"| A\|B | 1.0 |"]


def test_latex_commands_in_a_name_are_escaped():
    assert Latex.text("A & B_1 {5 %}") == r"A \& B\_1 \{5 \%\}"
    assert "\\midrule\nA \\& B & $1.0$--$2.0$ \\\\" in Latex.page(
        "T", "N", ["algorithm", "interval"], "lr", [[[Latex.text("A & B"), Latex.interval(1, 2, ".1f")]]]
    )


@pytest.mark.parametrize(
    ("form", "spread", "bold"),
    [
        (Markdown, "1.0 ± 0.50", "**1.0 ± 0.50**"),
        (Latex, r"$1.0 \pm 0.50$", r"$\mathbf{1.0 \pm 0.50}$"),
    ],
)
def test_a_mean_has_its_deviation_in_both_forms(form, spread, bold):
    assert form.spread(1.0, 0.5, ".1f", ".2f") == spread
    assert form.spread(1.0, 0.5, ".1f", ".2f", bold=True) == bold


def test_a_page_has_its_title_note_and_headings():
    table = Markdown.table(["a"], "l", [["1"]])
    assert Markdown.page("T", "N.", [("**one**", table), ("", table)]) == (
        "# T\n\nN.\n\n**one**\n\n| a |\n|---|\n| 1 |\n\n| a |\n|---|\n| 1 |\n"
    )


def test_a_point_in_a_stem_is_no_ending(tmp_path):
    assert with_ending(tmp_path / "nu_0.5", ".csv").name == "nu_0.5.csv"
