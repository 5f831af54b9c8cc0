"""Reading claims, gathering verdicts, and what a change of one run table changes."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from manybandits.base.exceptions import InputError
from manybandits.claims.verdict import Answer, Verdict
from manybandits.claims.verdict_files import HEADLINES, VERDICTS, load_headlines, load_verdicts
from manybandits.claims.verdicts import gather, gather_headlines, main, pairs_of
from manybandits.papers.claim import Claim, Headline, Selection
from manybandits.papers.files import read_paper
from tests.planted.claims import FAILS, HOLDS, LEAD, UNTESTABLE, paper, plant, scale_of


def gathered(folder: Path, path: Path, runs: list[Path]) -> list[Verdict]:
    out = folder / "verdicts" / "planted_fig2.jsonl"
    stated = ["--scale", scale_of(runs).to_json()]
    main(
        ["judge", "--paper", str(path), "--experiment", "fig2", *stated, "--tables", *map(str, runs), "--out", str(out)]
    )
    return gather([read_paper(path)], [out], {}, folder / "tables")


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
    assert [row.answer for row in before] == [HOLDS] * 3
    assert [row.answer for row in after] == [FAILS, FAILS, HOLDS]
    assert after[2] == before[2]


def test_a_claim_without_runs_is_gathered_with_the_reason(tmp_path):
    path = paper(tmp_path, {"it": LEAD, "that": {**LEAD, "untestable": "no such log"}})
    unjudged = gather([read_paper(path)], [], {"planted_fig2": "data.use.x is none"}, tmp_path)
    assert [row.reason for row in unjudged] == ["data.use.x is none", "no such log"]
    assert [row.answer for row in gather([read_paper(path)], [], {}, tmp_path)] == [UNTESTABLE] * 2


def test_verdicts_are_the_same_twice_and_say_why_only_where_it_is_needed(tmp_path):
    runs = [plant(tmp_path, title, h + np.arange(10.0)) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    path = paper(
        tmp_path,
        {"it": {**LEAD, "because": "this"}, "not": {**LEAD, "of": "CLUB", "than": "M-CNB", "because": "this"}},
        reasons={"this": {"says": "so", "conjecture": True}},
    )
    first, second = gathered(tmp_path, path, runs), gathered(tmp_path, path, runs)
    assert first == second
    assert [row.because for row in first] == ["", "Conjecture: so"]


def test_a_reason_that_was_found_out_later_needs_no_new_judgement(tmp_path):
    runs = [plant(tmp_path, title, h + np.arange(10.0)) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    lost = {**LEAD, "of": "CLUB", "than": "M-CNB"}
    path = paper(tmp_path, {"not": {**lost, "also": [{"reading": "again"}]}})
    before = gathered(tmp_path, path, runs)
    judged = (tmp_path / "verdicts/planted_fig2.jsonl").read_bytes()
    reasons = {"this": {"says": "of this", "conjecture": True}}
    paper(tmp_path, {"not": {**lost, "because": "this", "also": [{"reading": "again"}]}}, reasons=reasons)
    after = gather([read_paper(path)], [tmp_path / "verdicts/planted_fig2.jsonl"], {}, tmp_path)
    assert [row.because for row in after] == ["Conjecture: of this", ""]
    assert replace(after[0], because="") == before[0]
    gathered(tmp_path, path, runs)
    assert (tmp_path / "verdicts/planted_fig2.jsonl").read_bytes() == judged


def test_the_reason_of_an_omission_is_given_by_name(tmp_path):
    with pytest.raises(InputError, match="write the name of an experiment"):
        main(
            [
                *("gather", "--papers", str(paper(tmp_path, {})), "--omitted", "fig2", "--tables", str(tmp_path)),
                *("--out", str(tmp_path)),
            ]
        )


def test_adding_a_reading_leaves_a_headline_as_it_was(tmp_path):
    runs = [plant(tmp_path, title, h + np.arange(10.0)) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    headlines = {"best": {"says": "It is best.", "place": "abstract", "claims": ["it"]}}
    path = paper(tmp_path, {"it": LEAD}, headlines=headlines)
    before = gather_headlines([read_paper(path)], gathered(tmp_path, path, runs))
    readings = [{"reading": f"the other way round {k}", "of": "CLUB", "than": ["M-CNB"]} for k in range(20)]
    paper(tmp_path, {"it": {**LEAD, "also": readings}}, headlines=headlines)
    after = gather_headlines([read_paper(path)], gathered(tmp_path, path, runs))
    assert before == after
    assert [row.answer for row in before] == [HOLDS]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (Answer.HOLDS, {"2022": Answer.HOLDS, "2024": Answer.HOLDS}),
        (Answer.FAILS, {"2022": Answer.HOLDS, "2024": Answer.FAILS}),
        (None, {"2022": Answer.HOLDS}),  # a pair of 2024 was not played
        (Answer.UNTESTABLE, {"2022": Answer.HOLDS, "2024": Answer.UNTESTABLE}),  # its data stand in for others
    ],
)
def test_a_version_of_the_code_counts_if_all_of_its_pairs_were_played(second, expected):
    def claim(key: str, code: str) -> Claim:
        given = {"place": "", "says": "", "kind": "order", "experiment": "fig1", "selection": Selection(of="M-CNB")}
        return Claim(id=key, paper="m_cnb", reading=f"public code, {code}", code=code, **given)

    claims = [claim("a", "2022"), claim("a", "2024"), claim("b", "2024")]
    answers = [Answer.HOLDS, Answer.HOLDS, second]
    played = {
        (one.id, one.reading): Verdict(claim=one, answer=answer)
        for one, answer in zip(claims, answers, strict=True)
        if answer
    }
    headline = Headline(says="", place="", claims=("a", "b"))
    assert {code: answer for code, (answer, _) in pairs_of(headline, claims, played).items()} == expected


def test_headlines_are_written_beside_the_verdicts_with_the_numbers_of_what_decides(tmp_path):
    runs = [plant(tmp_path, title, h + np.arange(10.0)) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    headlines = {"all": {"says": "All of it.", "place": "conclusion", "claims": ["it", "level.2"]}}
    level = {"kind": "value", "of": "CLUB", "cells": [{"published": 10.0}, {"published": 400.0}]}
    path = paper(tmp_path, {"it": LEAD, "level": level}, headlines=headlines)
    gathered(tmp_path, path, runs)
    given = ["--verdicts", str(tmp_path / "verdicts/planted_fig2.jsonl"), "--tables", str(tmp_path)]
    main(["gather", "--papers", str(path), *given, "--out", str(tmp_path / "out")])
    (found,) = load_headlines(tmp_path / "out" / HEADLINES)
    assert (found.answer, found.decided_by) == (FAILS, "planted.level.2")
    assert found.claims == ("planted.it", "planted.level.2")
    assert len(load_verdicts(tmp_path / "out" / VERDICTS)) == 3
    (row,) = csv.DictReader((tmp_path / "out/headlines.csv").open())
    assert (row["claims"], float(row["published"])) == ("planted.it planted.level.2", 400.0)
    assert len(list(csv.DictReader((tmp_path / "out/verdicts.csv").open()))) == 3


@pytest.mark.parametrize(
    ("claim", "more", "words"),
    [
        ({}, {"headlines": {"a": {"says": "s", "place": "p", "claims": ["ti"]}}}, r"headline a\) 'ti': choose one"),
        ({"because": "no"}, {}, "reason"),
        ({"copy_of": "no"}, {}, "claim"),
        ({"kind": "ratio", "published": 1, "bound": "at-most"}, {}, "without `control`"),
        ({"tolerance": 0.5}, {}, "tolerance"),
    ],
)
def test_a_paper_whose_claims_name_what_is_not_there_stops_at_once(tmp_path, claim, more, words):
    with pytest.raises(InputError, match=words):
        read_paper(paper(tmp_path, {"it": {**LEAD, **claim}}, **more))
