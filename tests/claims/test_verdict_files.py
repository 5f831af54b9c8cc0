"""Files of verdicts: written and read without a loss, and one that cannot be read says what to run."""

from __future__ import annotations

import csv
import json

import pytest

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError
from manybandits.claims.verdict import Answer, Attribution, Flag, SetUps, Word
from manybandits.claims.verdict_files import (
    HEADLINES,
    VERDICTS,
    VERSION,
    export_headlines,
    export_verdicts,
    load_headlines,
    load_verdicts,
    save_records,
)
from manybandits.papers.claim import Headline, Reply
from tests.planted.verdicts import headline, verdict

STANDS = Attribution(
    **{"control": "off", "kind": "mechanism", "says": "without", "answer": Answer.FAILS, "own": "A", "rival": "B"},
    **{"measure": "regret", "game": "g", "measured": -0.1, "low": -0.2, "high": 0.0, "n": 8},
)
CLAIMS = [
    verdict(
        published=0.3,
        p=0.01,
        limits=("5 of 10 runs",),
        flags=(Flag("at chance", "CLUB"), Flag("edge of the grid", "CLUB", "alpha 1")),
        reason="so",
        because="for this",
        rests_on="m_cnb_fig3",
        early=(Answer.FAILS, Answer.UNCLEAR),
        under={"p of at most 1 %": (Answer.UNCLEAR, 0.01), "tolerances halved": (Answer.SAME, None)},
        controls=(STANDS,),
    ),
    verdict(id="m_cnb.other", kind="value", answer=Answer.UNTESTABLE, measured=None, low=None, high=None, n=0),
]
WHOLE = headline(
    **{"answer": Answer.FAILS, "word": Word.RELEASED, "has_code": True, "code": Answer.HOLDS, "p": 0.02},
    setups=SetUps(played=64, judged=63, holds=5, fails=50, choices=("start", "a and b"), nearest="start = near"),
    controls=(STANDS,),
    code_controls=(STANDS,),
    early=(Answer.HOLDS, Answer.FAILS),
    under={"tolerances halved": Word.INCONCLUSIVE},
    headline=Headline(
        **{"says": "It is best.", "place": "abstract", "claims": ("best",), "holds_in": 1},
        replies=(Reply(by="An author", date="2026-11-27", says="It is."),),
    ),
)


def test_verdicts_are_read_as_they_were_written(tmp_path):
    save_records(tmp_path / VERDICTS, CLAIMS)
    save_records(tmp_path / HEADLINES, [WHOLE, headline()])
    assert load_verdicts(tmp_path / VERDICTS) == CLAIMS
    assert load_headlines(tmp_path / HEADLINES) == [WHOLE, headline()]


def test_a_run_may_have_no_verdicts(tmp_path):
    save_records(tmp_path / VERDICTS, [])
    assert load_verdicts(tmp_path / VERDICTS) == load_headlines(tmp_path / VERDICTS) == []


def sentence(load, path) -> str:
    with pytest.raises(InputError) as raised:
        load(path)
    said = str(raised.value)
    assert "\n" not in said
    assert str(path) in said
    return said


@pytest.mark.parametrize(("load", "name"), [(load_verdicts, VERDICTS), (load_headlines, HEADLINES)])
def test_a_file_that_cannot_be_read_says_what_to_run_for_it(tmp_path, load, name):
    path = tmp_path / name
    command = f"`snakemake --cores all {path}`"
    assert sentence(load, path).startswith(f"{path} does not exist: judge the claims again ({command}")
    path.with_suffix(".csv").write_text("claim,verdict\n")
    assert f"; {path.stem}.csv beside it is of an earlier version: judge" in sentence(load, path)
    for text in ("", "claim,verdict\nm_cnb.best,reproduced\n", '{"kind":"verdicts"}\n', "\xff\n"):
        path.write_text(text, encoding="latin-1")
        said = sentence(load, path)
        assert f"holds no {path.stem} that can be read" in said
        assert command in said


def test_verdicts_of_another_version_are_named_with_both_versions(tmp_path):
    path = tmp_path / VERDICTS
    save_records(path, CLAIMS)
    head, _, rest = path.read_text().partition("\n")
    for version in (VERSION - 1, VERSION + 1):
        path.write_text(f"{json.dumps({**json.loads(head), 'version': version})}\n{rest}")
        said = sentence(load_verdicts, path)
        assert f"has verdicts of version {version}, and {VERSION} is read here: judge the claims again" in said


def test_a_damaged_file_is_recognised_by_its_digest_and_by_its_content(tmp_path):
    path = tmp_path / VERDICTS
    save_records(path, CLAIMS)
    whole = path.read_text()
    path.write_text(whole.replace('"fails"', '"fial"', 1))
    assert "holds no verdicts that can be read (Invalid enum value 'fial'" in sentence(load_verdicts, path)
    path.write_text(whole[:-20])
    assert "holds no verdicts that can be read" in sentence(load_verdicts, path)
    path.write_text(whole)
    Provenance({}).save(path)
    assert load_verdicts(path) == CLAIMS
    path.write_text(whole.replace("0.01", "0.02"))
    assert "is damaged (its SHA-256 is not the one in" in sentence(load_verdicts, path)


@pytest.mark.parametrize(
    ("records", "load", "words"),
    [
        (CLAIMS, load_headlines, "holds verdicts, not headlines"),
        ([WHOLE], load_verdicts, "holds headlines, not verdicts"),
    ],
)
def test_a_file_of_one_kind_is_not_read_as_the_other(tmp_path, records, load, words):
    save_records(tmp_path / "it.jsonl", records)
    assert words in sentence(load, tmp_path / "it.jsonl")


def rows_of(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_verdicts_are_exported_with_one_row_each_and_these_columns(tmp_path):
    export_verdicts(tmp_path / "verdicts.csv", CLAIMS)
    first, second = rows_of(tmp_path / "verdicts.csv")
    assert (
        list(first)
        == (
            "claim paper experiment target place says kind reading stands answer sentence quantity measured low high "
            "published n p data limits flags reason because rests_on"
        ).split()
    )
    assert (first["claim"], first["answer"], first["measured"], first["n"], first["p"]) == (
        *("m_cnb.best", "holds", "0.2", "10"),
        "0.01",
    )
    assert (first["limits"], first["flags"]) == ("5 of 10 runs", "at chance: CLUB; edge of the grid: CLUB")
    assert first["sentence"].startswith("The regret of M-CNB is 20.0 % [15.0 %, 25.0 %] below that of CLUB")
    assert (second["answer"], second["measured"], second["n"], second["sentence"]) == ("not testable", "", "", "")


def test_headlines_are_exported_with_the_numbers_of_the_claim_that_decides(tmp_path):
    export_headlines(tmp_path / "headlines.csv", [WHOLE], CLAIMS)
    (row,) = rows_of(tmp_path / "headlines.csv")
    assert (
        list(row)
        == (
            "headline paper place says word text code setups controls smaller_run sentence measured low high "
            "published n p decided_by claims holds_in limits reason because rests_on"
        ).split()
    )
    assert (row["word"], row["text"], row["code"]) == ("only as released", "fails", "holds")
    assert (row["setups"], row["controls"]) == ("holds in 5 of 63", "off: as good; off: as good")
    assert (row["measured"], row["p"], row["because"], row["smaller_run"]) == ("0.2", "0.02", "for this", "")


def test_a_headline_that_another_reading_would_decide_has_the_numbers_of_the_text(tmp_path):
    other = verdict(reading="late", measured=0.9)
    export_headlines(tmp_path / "headlines.csv", [headline()], [*CLAIMS, other])
    assert rows_of(tmp_path / "headlines.csv")[0]["measured"] == "0.2"
