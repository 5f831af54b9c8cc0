"""``manybandits readings``: what a report says of readings, and what if."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import save_csv
from manybandits.cli import jobs, run
from manybandits.cli import readings as command
from manybandits.results.readings_table import SUMMARY


@pytest.fixture
def report(root, tmp_path) -> Path:
    """A checkout whose run `readings` has two readings of one headline."""
    shutil.copytree(root / "workflow" / "papers", tmp_path / "workflow" / "papers")
    summary = dict.fromkeys(SUMMARY, "2") | {"headline": "m_cnb.recommendation"}
    save_csv(tmp_path / "reports/readings/readings.csv", pd.DataFrame([summary]))
    rows = [
        {"reading": "as written", "answer": "holds", "effect": 0.1, "learners": "cluster"},
        {"reading": "learners = served", "answer": "fails", "effect": -0.2, "learners": "served"},
    ]
    more = {"low": -0.3, "high": 0.3, "against": 0.0, "quantity": "lead", "limits": "", "chance": ""}
    table = pd.DataFrame([{**row, **more} for row in rows])
    save_csv(tmp_path / "reports/readings/readings/m_cnb_recommendation.csv", table)
    explained = {"choice": "learners", "share": 0.5, "low": 0.4, "high": 0.6, "chance": 0.1}
    save_csv(tmp_path / "reports/readings/readings/m_cnb_recommendation.choices.csv", pd.DataFrame([explained]))
    return tmp_path


def said(report, capsys, *arguments) -> dict[str, dict]:
    run(["readings", *arguments, "--root", str(report), "--json"])
    return {row["headline"]: row for row in json.loads(capsys.readouterr().out)["readings"]}


def test_each_headline_says_in_how_many_readings_it_holds(report, capsys):
    found = said(report, capsys)
    words = "holds in 1 of 2 set-ups and fails in 1; the variation is best explained by learners"
    assert (found["m_cnb.recommendation"]["answer"], found["m_cnb.recommendation"]["readings"]) == ("holds", words)
    assert found["m_cnb.time"]["readings"] == "no choice of the text touches it"
    assert found["rmbandit.alone"]["readings"].startswith("not part of")
    assert set(said(report, capsys, "m_cnb")) < set(found)


def test_what_if_says_the_answer_of_one_reading_and_which_were_not_played(report, capsys):
    found = said(report, capsys, "m_cnb", "--set", "learners=served")
    row = found["m_cnb.recommendation"]
    assert (row["as_written"], row["answer"], row["effect"]) == ("holds", "fails", -0.2)
    assert found["m_cnb.classification"]["answer"] == command.NOT_PLAYED
    both = said(report, capsys, "m_cnb", "--set", "learners=served", "--set", "first=own")
    assert both["m_cnb.recommendation"]["answer"] == command.NOT_PLAYED
    assert both["m_cnb.recommendation"]["reading"] == "first = own; learners = served"


def test_an_effect_is_printed_in_the_unit_that_its_quantity_names(report, capsys):
    path = report / "reports/readings/readings/m_cnb_recommendation.csv"
    save_csv(path, pd.read_csv(path).assign(quantity="lead in regret of CLUB over LOCB, in % of the rival"))
    run(["readings", "m_cnb", "--set", "learners=served", "--root", str(report)])
    assert "-20 %" in capsys.readouterr().out
    assert said(report, capsys, "m_cnb", "--set", "learners=served")["m_cnb.recommendation"]["effect"] == -0.2


def test_an_answer_that_does_not_touch_a_headline_plays_no_part_for_it(report, capsys):
    found = said(report, capsys, "m_cnb", "--set", "learners=served", "--set", "told=class")
    assert found["m_cnb.recommendation"]["answer"] == "fails"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "learners=served"], "--set needs a paper"),
        (["m_cnb", "--set", "learners"], "sets nothing: write for example"),
        (["m_cnb", "--set", "learner=served"], "did you mean 'learners'"),
        (["m_cnb", "--set", "learners=serve"], "did you mean 'served'"),
        (["m_cbn"], "did you mean 'm_cnb'"),
        (["m_cnb", "--run", "other"], "other has no readings: play them with"),
    ],
)
def test_a_wrong_question_answer_paper_or_run_is_named(report, capsys, arguments, words):
    with pytest.raises(InputError, match=words):
        said(report, capsys, *arguments)


def test_a_reading_is_played_in_the_scope_of_the_report_beside_the_default(report, capsys, root, monkeypatch):
    for name in ("config.yaml", "configs/readings.yaml"):
        (report / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, report / name)
    called = []

    def played(words, **_) -> object:
        called.append(words)
        source = report / "reports/readings/readings/m_cnb_recommendation.csv"
        table = pd.read_csv(source).replace("learners = served", "first = own; learners = served")
        for target in (word for word in words if str(word).endswith(".csv")):
            save_csv(report / target, table)
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr(jobs.subprocess, "run", played)
    found = said(report, capsys, "m_cnb", "--set", "learners=served", "--set", "first=own", "--play", "--cores", "1")
    assert found["m_cnb.recommendation"]["answer"] == "fails"
    config = (report / "artifacts/what-if/config.yaml").read_text()
    assert "name: what-if" in config
    assert "learners: served" in config
    assert len(called) == 1
