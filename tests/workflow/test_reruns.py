"""What is planned again after an edit: exactly what the edit can change.

Nothing is played here. Snakemake is told that all files of a run are made (``--touch``) and keeps, as after a real run,
the parameters and the code of every job.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from manybandits.base.configuration import overlay, read_yaml
from tests.chain import checkout

OVERLAY = {
    "papers": ["meta_ban", "m_cnb", "rmbandit"],
    "experiments": ["meta_ban_fig1", "m_cnb_fig2", "m_cnb_table1", "rmbandit_fig1"],
    "data": {"use": {"amazon-fashion": "amazon-fashion-4000", "movielens": "movielens-1m"}},
    "notebooks": True,
}
"""Over configs/smoke.yaml: jobs of every rule but the league's, on data whose files are never read."""


class Finished:
    """A finished run in a folder that has its own copy of the sources."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sources = folder / "src/manybandits"
        self.plays: set[str] = set()  # the names of all plays

    def snakemake(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "snakemake", "--configfile", "configs/smoke.yaml", *arguments]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "MANYBANDITS_CACHE": str(self.folder / "cache"),
        }
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def planned(self, *configuration: str) -> dict[str, set[str]]:
        """Return what Snakemake would make again: rule -> the first files of its jobs, without folder and ending."""
        printed = self.snakemake("--dry-run", "--cores", "2", *(["--config", *configuration] if configuration else []))
        found: dict[str, set[str]] = {}
        for rule, output in re.findall(r"^ *rule (\w+):\n(?: +.*\n)*? +output: ([^,\s]+)", printed, re.MULTILINE):
            found.setdefault(rule, set()).add(output.split("/", 2)[2].split(".")[0])
        return found

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text()
        assert text.count(old) == 1, f"{path} holds {old!r} {text.count(old)} times"
        (self.folder / path).write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def run(root, tmp_path_factory):
    """A run of which all files are made."""
    finished = Finished(checkout(root, tmp_path_factory.mktemp("reruns") / "run"))
    shutil.copytree(root / "src/manybandits", finished.sources, ignore=shutil.ignore_patterns("__pycache__"))
    configuration = finished.folder / "configs/smoke.yaml"
    configuration.write_text(yaml.safe_dump(overlay(read_yaml(configuration), OVERLAY)))
    for line in finished.snakemake("--cores", "2", "--summary").splitlines():
        path = finished.folder / line.split("\t")[0]
        if "\t" in line and line != "output_file":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            if path.match("runs/*/*/*.parquet"):
                finished.plays.add(str(path.relative_to(path.parents[2]).with_suffix("")))
    finished.snakemake("--cores", "2", "--touch", "--forceall")
    assert finished.planned() == {}
    return finished


@pytest.fixture
def edited(run):
    """The finished run, whose sources and workflow are put back after the test."""
    kept = {path: path.read_text() for place in ("src", "workflow") for path in _texts(run.folder / place)}
    yield run
    for path, text in kept.items():
        if path.read_text() != text:
            path.write_text(text)


def reworded(path: Path) -> str:
    """Return a source with another comment, another script entry, and other words in every docstring."""
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    described = "algorithms" in path.parts  # on pages, which begin with the docstrings of these modules
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and not (described and node.lineno == 1):
            lines[node.lineno - 1] = lines[node.lineno - 1].replace('"""', '"""In other words: ', 1)
    return "".join([*lines, "# Read again.\n", 'if __name__ == "__main__":\n    import this\n'])


def test_other_words_memory_mirror_and_threads_make_nothing_again(edited):
    for path in edited.sources.rglob("*.py"):
        if path.parent.name != "plain":  # pages show twins with their comments
            path.write_text(reworded(path))
    assert edited.planned("memory=1000000", "threads=2", "data={mirror: /nowhere}") == {}


def test_the_words_of_an_algorithm_are_shown_on_pages_alone(edited):
    edited.edit("src/manybandits/algorithms/linear/club.py", '"""CLUB', '"""The algorithm CLUB')
    assert edited.planned() == {"page": {"index"}}


def test_the_words_of_a_twin_are_shown_on_pages_alone(edited):
    edited.edit("src/manybandits/algorithms/plain/club.py", '"""CLUB', '"""The algorithm CLUB')
    assert edited.planned() == {"page": {"index"}}


def test_an_edit_of_club_plays_club_again_and_what_is_made_of_it(edited):
    edited.edit(
        "src/manybandits/algorithms/linear/club.py",
        "return count_own(state.label)",
        "return count_own(state.label) + 0",
    )
    planned = edited.planned()
    assert planned.pop("play") == {
        f"runs/{name}" for name in edited.plays if name.endswith(("/club", "/neural_linear"))
    }
    assert planned.pop("figure") == {"figures/meta_ban_fig1", "figures/m_cnb_fig2"}
    assert set(planned) == {"judge", "verdicts", "cost", "notebook", "page"}
    assert not any("rmbandit" in name for names in planned.values() for name in names - {"notebooks/rmbandit"})


def test_another_original_judges_again_and_draws_the_figure_that_verdicts_title(edited):
    edited.edit("workflow/papers/m_cnb/experiments.yaml", "  movielens: movielens-25m", "  movielens: movielens-20m")
    planned = edited.planned()
    assert planned.pop("judge") == {"verdicts/m_cnb_fig2", "verdicts/m_cnb_table1"}
    assert planned.pop("figure") == {"figures/m_cnb_fig2"}
    assert set(planned) <= {"verdicts", "notebook", "page"}


def _texts(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in (".py", ".yaml")]
