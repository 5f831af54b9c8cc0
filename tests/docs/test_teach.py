"""The teaching kit: pages that Jupyter opens as notebooks, without outputs, with a solution for each exercise."""

from __future__ import annotations

import re

import jupytext
import pytest

from tests.conftest import ROOT
from tests.docs.blocks import Page

NOTEBOOKS = ["regret", "twin", "control"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_page_is_a_notebook_whose_cells_are_its_blocks_and_every_exercise_has_a_solution(name):
    path = ROOT / f"docs/teach/{name}.md"
    cells = [cell for cell in jupytext.read(path).cells if cell.cell_type == "code"]
    blocks = [block.source.strip() for block in Page(path).blocks if block.language == "python"]
    assert [cell.source.strip() for cell in cells] == blocks
    assert not any(cell.outputs for cell in cells)
    asked, solved = path.read_text(encoding="utf-8").split("## Exercises")[1].split("## Solutions")
    assert re.findall(r"^(\d)\. ", asked, re.MULTILINE) == re.findall(r"^### Solution (\d)", solved, re.MULTILINE)


def test_the_index_of_the_kit_names_every_notebook():
    index = (ROOT / "docs/teach/index.md").read_text(encoding="utf-8")
    assert re.findall(r"\((\w+)\.md\)", index) == NOTEBOOKS
    assert {path.stem for path in (ROOT / "docs/teach").glob("*.md")} == {*NOTEBOOKS, "index"}
