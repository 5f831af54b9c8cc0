"""The files of verdicts: one JSON document per line, after a line that says what they are.

    reports/<run>/verdicts/<target>.jsonl   the verdicts on the claims about one figure or table
    reports/<run>/verdicts.jsonl            those on all claims of a run
    reports/<run>/headlines.jsonl           those on the headlines

Everything that reads verdicts reads these. ``verdicts.csv`` and ``headlines.csv`` beside them are exports for people
and spreadsheets, which nothing reads back.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import pandas as pd
from msgspec import Struct
from msgspec.structs import replace

from manybandits.base.artifacts import check_bytes, save_text
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import save_csv
from manybandits.claims.sentences import code_words, controls_words, label_words, quantity, setups_words, tell
from manybandits.claims.verdict import HeadlineVerdict, Verdict

VERSION = 2
"""The version of the records; that of the tables of text that were read before is 1."""
VERDICTS, HEADLINES = "verdicts.jsonl", "headlines.jsonl"
"""The files of a run."""
ENDING = ".jsonl"
CURE = "judge the claims again (`snakemake --cores all {path}`, with the run's --configfile)"


class _Head(Struct, forbid_unknown_fields=True):
    """The first line of a file."""

    kind: str
    version: int


Record = TypeVar("Record", Verdict, HeadlineVerdict)


def save_records(path: Path, records: Sequence[Verdict] | Sequence[HeadlineVerdict]) -> None:
    """Write verdicts on claims or headlines, all of one kind; an empty list is a file of verdicts on claims.

    The key of the reason is left out of a claim: no figure is judged again because of another one, so that its file
    must not have it.
    """
    kind = "headlines" if any(isinstance(one, HeadlineVerdict) for one in records) else "verdicts"
    written = [
        replace(one, claim=replace(one.claim, because="")) if isinstance(one, Verdict) else one for one in records
    ]
    lines = msgspec.json.Encoder().encode_lines([_Head(kind, VERSION), *written])
    save_text(path, lines.decode())


def load_verdicts(path: Path) -> list[Verdict]:
    """Read verdicts on claims; raise InputError naming the file, and the command that makes it again if it is old."""
    return _load(path, Verdict, "verdicts")


def load_headlines(path: Path) -> list[HeadlineVerdict]:
    """Read verdicts on headlines; raises as `load_verdicts` does."""
    return _load(path, HeadlineVerdict, "headlines")


def _load(path: Path, kind: type[Record], what: str) -> list[Record]:
    """Read the records of a file that holds some; an empty file of verdicts holds no headlines either."""
    cure = CURE.format(path=path)
    if not path.is_file():
        older = path.with_suffix(".csv")
        had = f"; {older.name} beside it is of an earlier version" if older.is_file() else ""
        raise InputError(f"{path} does not exist{had}: {cure}.")
    check_bytes(path, cure)
    head, _, lines = path.read_bytes().partition(b"\n")
    try:
        found = msgspec.json.decode(head, type=_Head)
        if found.version != VERSION:
            raise InputError(f"{path} has verdicts of version {found.version}, and {VERSION} is read here: {cure}.")
        if lines and found.kind != what:
            raise InputError(f"{path} holds {found.kind}, not {what}: name the file of {what} beside it.")
        return msgspec.json.Decoder(kind).decode_lines(lines)
    except msgspec.MsgspecError as error:
        raise InputError(f"{path} holds no {what} that can be read ({error}): {cure}.") from None


def export_verdicts(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Write verdicts on claims as CSV, one row per claim and reading."""
    save_csv(path, pd.DataFrame([row_of(one) for one in verdicts]))


def export_headlines(path: Path, headlines: Sequence[HeadlineVerdict], verdicts: Sequence[Verdict]) -> None:
    """Write verdicts on headlines as CSV, one row each, with the numbers of the claim that decides it."""
    # Of several readings the first, which is that of the text.
    known = {one.claim.id: one for one in reversed(verdicts)}
    save_csv(path, pd.DataFrame([headline_row(one, known[one.decided_by]) for one in headlines]))


def row_of(verdict: Verdict) -> dict[str, str]:
    """Return a verdict on a claim as a row of text."""
    claim = verdict.claim
    return {
        **{"claim": claim.id, "paper": claim.paper, "experiment": claim.experiment, "target": verdict.target},
        **{"place": claim.place, "says": claim.says, "kind": claim.kind, "reading": claim.reading},
        **{"stands": claim.stands, "answer": verdict.answer.value, "sentence": str(tell(verdict)).strip()},
        **{"quantity": quantity(verdict), **_numbers(verdict), "p": _text(verdict.p)},
        **{"data": "; ".join(verdict.data), "limits": "; ".join(verdict.limits), "flags": label_words(verdict.flags)},
        **{"reason": verdict.reason, "because": verdict.because, "rests_on": verdict.rests_on},
    }


def headline_row(headline: HeadlineVerdict, decisive: Verdict) -> dict[str, str]:
    """Return a verdict on a headline as a row of text. decisive: the verdict on the claim that decides it."""
    return {
        **{"headline": headline.id, "paper": headline.paper, "place": headline.headline.place},
        **{"says": headline.headline.says, "word": headline.word.value, "text": headline.answer.value},
        "code": code_words(headline),
        "setups": setups_words(headline),
        "controls": controls_words(headline),
        "smaller_run": "yes" if headline.limits else "",
        "sentence": str(tell(decisive)).strip(),
        **_numbers(decisive),
        "p": _text(headline.p),
        **{"decided_by": headline.decided_by, "claims": " ".join(headline.claims)},
        **{"holds_in": str(headline.headline.holds_in), "limits": "; ".join(headline.limits)},
        **{"reason": headline.reason, "because": decisive.because, "rests_on": decisive.rests_on},
    }


def _numbers(verdict: Verdict) -> dict[str, str]:
    numbers = {name: _text(getattr(verdict, name)) for name in ("measured", "low", "high", "published")}
    return {**numbers, "n": str(verdict.n or "")}


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
