"""The notebooks that derive results once more: short, without this package, and able to disagree."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks/outside"
SHARED = ("agreement", "recommendation")
"""Modules that the notebooks share."""
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in SHARED)
AGREE = """
from agreement import compare
compare("one", lambda random: 10 + random.normal(), 6, {mean}, 1.0, 10)
"""


def test_every_paper_has_one(root):
    assert sorted(path.name for path in (root / "workflow/papers").iterdir()) == NOTEBOOKS


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_they_have_fewer_than_60_lines_of_code_and_none_of_this_package(name):
    lines = (FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.lstrip().startswith("#")]) < 60
    for module in (name, *SHARED):
        text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        imported = {found.split(".")[0] for found in re.findall(r"^(?:import|from) (\S+)", text, re.MULTILINE)}
        assert "numpy" in imported
        assert not imported & {"manybandits", "torch", "numba"}


@pytest.mark.parametrize(("mean", "said"), [(10.2, "agrees"), (15.0, "DIFFERS")])
def test_they_say_whether_two_means_agree(mean, said):
    command = [sys.executable, "-c", AGREE.format(mean=mean)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"{said}\n")
