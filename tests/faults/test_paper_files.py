"""Paper files that try to leave their folder or to run a command, and texts with braces: one sentence, or it works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.planning.plan import make_plan
from manybandits.planning.workflow import Workflow
from tests.chain import CONFIGURATION, checkout, run
from tests.planted.papers import copy_paper

HOSTILE = ("x;id>pwned;y", "../../evil", "a/b", "$(id)", "`id`", "a\nb", "{algorithm}", "x" * 300, "é")
BRACES = r"grows as $\sqrt{T}$, {not a wildcard} & <b>\"bold\"</b> {{0}} 100 %"


@pytest.fixture
def paper(root, tmp_path, monkeypatch):
    """The folder of a copy of a paper, and a function that plans it."""
    monkeypatch.chdir(root)
    folder = copy_paper(tmp_path / "hostile", root / "workflow/papers/meta_ban")
    content = overlay(read_yaml(root / "config.yaml"), read_yaml(CONFIGURATION))
    content = overlay(content, {"papers": [str(folder)], "experiments": ["hostile_fig1"]})
    return folder, lambda: make_plan(content, root)


def edited(file: Path, change) -> None:
    content = read_yaml(file)
    change(content)
    file.write_text(yaml.safe_dump(content, sort_keys=False))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_that_would_name_a_file_elsewhere_or_run_a_command_is_refused(text, paper):
    folder, plan = paper

    def change(content):
        content["experiments"]["fig1"]["algorithms"] = [{"club": {"as": text, "alpha": [0.1, 1]}}]

    edited(folder / "experiments.yaml", change)
    with pytest.raises(InputError, match=r"files would be named .* in `as`"):
        plan()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_value_that_would_name_a_file_elsewhere_is_refused(text, paper):
    folder, plan = paper
    edited(
        folder / "experiments.yaml", lambda content: content["experiments"]["fig1"].update({"with": {"serve": text}})
    )
    with pytest.raises(InputError):
        plan()


@pytest.mark.parametrize("text", [*HOSTILE, "-rf", "..", "fig1\n"])
def test_an_experiment_or_a_run_with_such_a_name_is_refused(text, paper, root):
    folder, plan = paper
    edited(
        folder / "experiments.yaml",
        lambda content: content["experiments"].update({text: content["experiments"]["fig1"]}),
    )
    with pytest.raises(InputError, match="lower-case letters and digits"):
        plan()
    with pytest.raises(InputError, match="a short name of lower-case letters"):
        make_plan({**read_yaml(root / "config.yaml"), "name": text}, root)


def test_labels_of_the_papers_name_files_by_words(root):
    content = overlay(read_yaml(root / "config.yaml"), {"data": {"use": {"article": "yahoo-r6a"}}})
    run = Workflow(make_plan(content, root), content)
    files = [*run.plays, *run.regressions, *run.environments, *run.figures]
    assert len(files) > 100
    assert all(shlex.quote(file) == file for file in files)


def test_everything_in_a_command_is_quoted(root):
    text = (root / "workflow/rules/jobs.smk").read_text()
    fields = re.findall(r"{([^}]+)}", text.partition("shell:")[2].partition("# One target")[0])
    assert fields == ["threads", "resources.batch_bytes", "resources.shards", "params.words:q", "log:q"]


def test_braces_and_quotes_in_any_text_of_a_paper_stop_nothing(root, tmp_path):
    folder = checkout(root, tmp_path / "braces")
    paper = folder / "workflow/papers/rmbandit"

    def reworded(content):
        content["reference"] = content["short"] = BRACES
        content["experiments"]["fig1"]["title"] = BRACES

    def reclaimed(content):
        for claim in content["claims"].values():
            claim["says"] = BRACES
        for headline in content["headlines"].values():
            headline["says"] = BRACES

    edited(paper / "experiments.yaml", reworded)
    edited(paper / "claims.yaml", reclaimed)
    (folder / "configs/chain.yaml").write_text(
        CONFIGURATION.read_text().replace("[meta_ban, rmbandit]", "[rmbandit]").replace("meta_ban_fig1, ", "")
    )
    done = run(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sqrt{T}" in (folder / "reports/tiny/papers/rmbandit.html").read_text()
