"""Reading claims, gathering verdicts, and what a change of one run table changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.claims.verdicts import gather, main
from tests.planted.claims import LEAD, paper, plant, scale_of


def gathered(folder: Path, path: Path, runs: list[Path]) -> list[dict]:
    out = folder / "verdicts" / "planted_fig2.csv"
    stated = ["--scale", scale_of(runs).to_json()]
    main(
        ["judge", "--paper", str(path), "--experiment", "fig2", *stated, "--tables", *map(str, runs), "--out", str(out)]
    )
    return gather([path], [out], {}).to_dict("records")


def test_one_run_table_changes_the_verdicts_that_depend_on_it_and_no_other(tmp_path):
    noise = np.linspace(-1, 1, 10)
    titles = {"M-CNB": 100.0, "CLUB": 200.0, "SCLUB": 300.0}
    runs = [plant(tmp_path, title, height + np.roll(noise, i)) for i, (title, height) in enumerate(titles.items())]
    path = paper(
        tmp_path,
        {
            "lead": LEAD,
            "value": {"kind": "value", "of": "CLUB", "published": 200.0},
            "sclub": {"kind": "value", "of": "SCLUB", "published": 300.0},
        },
    )
    before = gathered(tmp_path, path, runs)
    plant(tmp_path, "CLUB", 50 + noise)
    after = gathered(tmp_path, path, runs)
    assert [row["verdict"] for row in before] == ["reproduced"] * 3
    assert [row["verdict"] for row in after] == ["not reproduced", "not reproduced", "reproduced"]
    assert after[2] == before[2]


def test_a_claim_without_runs_is_gathered_with_the_reason(tmp_path):
    path = paper(tmp_path, {"it": LEAD, "that": {**LEAD, "untestable": "no such log"}})
    assert gather([path], [], {"planted_fig2": "data.use.x is none"})["reason"].tolist() == [
        "data.use.x is none",
        "no such log",
    ]
    assert gather([path], [], {})["verdict"].tolist() == ["not testable here"] * 2


def test_verdicts_are_the_same_twice_and_say_why_only_where_it_is_needed(tmp_path):
    runs = [plant(tmp_path, title, h + np.arange(10.0)) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    path = paper(
        tmp_path,
        {"it": {**LEAD, "because": "of this"}, "not": {**LEAD, "of": "CLUB", "than": "M-CNB", "because": "so"}},
    )
    first, second = gathered(tmp_path, path, runs), gathered(tmp_path, path, runs)
    assert first == second
    assert [row["because"] for row in first] == ["", "so"]


def test_a_reason_that_was_found_out_later_needs_no_new_judgement(tmp_path):
    runs = [plant(tmp_path, title, h + np.arange(10.0)) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    lost = {**LEAD, "of": "CLUB", "than": "M-CNB"}
    path = paper(tmp_path, {"not": {**lost, "also": [{"reading": "again"}]}})
    before = gathered(tmp_path, path, runs)
    judged = (tmp_path / "verdicts/planted_fig2.csv").read_bytes()
    paper(tmp_path, {"not": {**lost, "because": "of this", "also": [{"reading": "again"}]}})
    after = gather([path], [tmp_path / "verdicts/planted_fig2.csv"], {}).to_dict("records")
    assert [row["because"] for row in after] == ["of this", ""]
    assert after[0] | {"because": ""} == before[0]
    gathered(tmp_path, path, runs)
    assert (tmp_path / "verdicts/planted_fig2.csv").read_bytes() == judged


def test_the_reason_of_an_omission_is_given_by_name(tmp_path):
    with pytest.raises(InputError, match="write the name of an experiment"):
        main(["gather", "--papers", str(paper(tmp_path, {})), "--omitted", "fig2", "--out", str(tmp_path / "v.csv")])
