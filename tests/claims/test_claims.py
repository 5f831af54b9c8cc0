"""Reading claims, gathering verdicts, and what a change of one run table changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from manybandits.base.exceptions import InputError
from manybandits.claims.script import gather, main
from manybandits.papers.files import read_paper
from tests.claims.planted import paper, plant, scale_of

LEAD = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}


def claims_of(folder: Path, claims: dict) -> list:
    return list(read_paper(paper(folder, claims)).claims)


def test_cells_overlay_what_they_share_and_readings_follow_their_claim(tmp_path):
    cells = [{"of": "A", "published": 1}, {"of": "B", "published": 2, "where": {"user": "class"}}]
    whole = {"kind": "value", "where": {"data": "facebook"}, "cells": cells, "also": [{"reading": "late", "at": 10}]}
    found = claims_of(tmp_path, {"table": whole})
    assert [(one.id, one.reading) for one in found] == [
        ("planted.table.1", "paper"),
        ("planted.table.1", "late"),
        ("planted.table.2", "paper"),
        ("planted.table.2", "late"),
    ]
    assert found[2].selection.where == {"data": "facebook", "user": "class"}
    assert (found[1].selection.at, found[1].published) == (10, 1)


def test_a_rival_overlays_the_selection_of_its_claim(tmp_path):
    than = ["CLUB", {"where": {"nu": 1}, "at": 5}]
    (one,) = claims_of(tmp_path, {"it": {**LEAD, "where": {"data": "facebook"}, "than": than}})
    assert [rival.of for rival in one.rivals] == ["CLUB", "M-CNB"]
    assert one.rivals[1].where == {"data": "facebook", "nu": 1}
    assert one.rivals[1].at == 5


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"kind": "value", "of": "A"}, "value needs the key 'published'; add it"),
        ({"kind": "value", "of": "A", "published": 1, "than": ["B"]}, "value has no key 'than'; leave it out"),
        ({**LEAD, "experiment": "fig3"}, "unknown experiment .*: did you mean 'fig2'"),
        ({**LEAD, "kind": "orders"}, "did you mean 'order'"),
        ({**LEAD, "thn": 1}, "unknown key 'thn'"),
    ],
)
def test_a_claim_that_is_none_stops_with_one_sentence(tmp_path, claim, words):
    with pytest.raises(InputError, match=words):
        claims_of(tmp_path, {"it": claim})


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
