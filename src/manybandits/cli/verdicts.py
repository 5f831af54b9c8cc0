"""The verdicts of a run, for ``manybandits claims --run NAME``: headlines first, then claims, then scores."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from manybandits.base.exceptions import InputError, pick
from manybandits.base.printing import print_json, print_table, print_wrapped
from manybandits.base.table_files import Markdown
from manybandits.claims.scores import Score, scores
from manybandits.claims.sentences import label_words
from manybandits.claims.verdict import Answer, HeadlineVerdict, Verdict, Word
from manybandits.claims.verdict_files import (
    ENDING,
    HEADLINES,
    VERDICTS,
    headline_row,
    load_headlines,
    load_verdicts,
    row_of,
)
from manybandits.papers.claim import PAPER
from manybandits.papers.files import read_papers

COLUMNS = ("word", "text", "code", "set-ups", "controls", "smaller_run")
"""What is told of a headline: its word, the four columns behind it, and whether the run is smaller than the paper's."""
HEADLINE = ("headline", *COLUMNS, "flags", "sentence", "p", "says")
CLAIM = ("claim", "reading", "stands", "answer", "limits", "flags", "place", "sentence", "n", "says")
Row = Mapping[str, str]


def show(args: argparse.Namespace, path: Path) -> None:
    """Print the verdicts of a file, and the headlines beside it, as the options say."""
    verdicts, headlines = load_verdicts(path), load_headlines(path.parent / HEADLINES)
    deciding = {one.claim.id: one for one in reversed(verdicts)}  # of several readings the first, that of the text
    if args.kind:
        verdicts, headlines = _only(verdicts, [one.claim.kind for one in verdicts], args.kind, "kind"), []
    if args.paper:
        paper = Path(args.paper).name  # of a path, the folder, which names the paper
        verdicts = _only(verdicts, [one.claim.paper for one in verdicts], paper, "paper")
        headlines = [one for one in headlines if one.paper == paper]  # a paper with claims may have no headlines
    totals = scores(verdicts) if args.json or (args.paper and not args.answer) else []
    if args.answer:
        answer = Answer(pick(args.answer, [one.value for one in Answer], "answer (--answer)"))
        verdicts = [one for one in verdicts if one.answer is answer]
        headlines = [one for one in headlines if one.answer is answer]
    if args.word:
        word = Word(pick(args.word, [one.value for one in Word], "word (--word)"))
        headlines = [one for one in headlines if one.word is word]
    if args.headlines or args.markdown or args.word:
        verdicts, totals = [], []
    if args.markdown:
        sys.stdout.write(markdown([_row(one, deciding) for one in headlines], args.root))
    elif args.json:
        records = {"headlines": headlines, "verdicts": verdicts}
        counts = {"counts": _counts(headlines), "scores": [_score(one) for one in totals]}
        print_json({**msgspec.to_builtins(records), **counts})
    else:
        _print([_row(one, deciding) for one in headlines], _counts(headlines), verdicts, totals)


def path_of(args: argparse.Namespace) -> Path:
    """Return the file of the verdicts that are asked for, by a run or by itself.

    Raises InputError naming the nearest run that has verdicts, or the file to give in the place of a table.
    """
    if args.run:
        reports = args.folder / "reports"
        stem = VERDICTS.removesuffix(ENDING)
        known = sorted({path.parent.name for path in reports.glob(f"*/{stem}.*")})  # those of an earlier version, too
        if not known:
            raise InputError(f"no run in {reports} has verdicts: name a run whose claims were judged, below --root.")
        return Path(reports / pick(args.run, known, "run whose claims were judged (--run)") / VERDICTS)
    path = Path(args.verdicts)
    if path.suffix != ENDING:
        right = path.with_suffix(ENDING) if path.suffix else path / VERDICTS
        raise InputError(f"{path} is not read: verdicts are in {ENDING} files, and a .csv is an export: give {right}.")
    return path


def markdown(rows: Sequence[Row], root: Path) -> str:
    """Return headlines as a table in Markdown, with papers by their short names. root: the folder of the Snakefile."""
    papers = read_papers(root)
    cells = [
        [
            Markdown.text(papers[row["paper"]].short if row["paper"] in papers else row["paper"]),
            Markdown.text(f"{row['says']} ({row['place']})"),
            Markdown.bold(row["word"]),
            *(Markdown.text(row[name]) for name in COLUMNS[1:]),
        ]
        for row in rows
    ]
    return Markdown.table(("paper", "headline", *(name.replace("_", " ") for name in COLUMNS)), "l" * 8, cells)


def _print(
    headlines: Sequence[Row], counts: Mapping[str, int], verdicts: Sequence[Verdict], totals: list[Score]
) -> None:
    """Print headlines, then claims, then the score of each table and figure. Claims are not added up over papers."""
    if headlines:
        print_table(headlines, HEADLINE)
        print()
        words = ", ".join(f"{number} {word}" for word, number in counts.items())
        print_wrapped("", f"{len(headlines)} headline{'s' if len(headlines) != 1 else ''}: {words}")
    if verdicts:
        print()
        print_table([row_of(one) for one in verdicts], CLAIM)
    if totals:
        print()
        table = [_shown(one) for one in totals]
        print_table(table, tuple(table[0]))
    if not (headlines or verdicts):
        print("no claims")
    if any(one.claim.reading != PAPER for one in verdicts):
        print()
        print_wrapped("", "Only claims by the paper's text are counted, without copies of others (column stands).")


def _row(headline: HeadlineVerdict, deciding: Mapping[str, Verdict]) -> Row:
    """Return a headline as a row of text, with the sentence and the flags of the claim that decides it."""
    verdict = deciding[headline.decided_by]
    row = headline_row(headline, verdict)
    return {**row, "set-ups": row["setups"], "flags": label_words(verdict.flags)}


def _counts(headlines: Iterable[HeadlineVerdict]) -> dict[str, int]:
    """Return how often each word is given, of those that are."""
    counts = Counter(one.word for one in headlines)
    return {word.value: counts[word] for word in Word if counts[word]}


def _shown(score: Score) -> dict[str, object]:
    return {"place": score.place, "hold": score.holding, "claims": score.cells, "not counted": score.apart}


def _score(score: Score) -> dict[str, object]:
    return {
        **{"paper": score.paper, "place": score.place, "holding": score.holding, "cells": score.cells},
        **{"apart": score.apart, "counts": {answer.value: number for answer, number in score.counts.items()}},
    }


def _only(verdicts: list[Verdict], values: Sequence[str], wanted: str, column: str) -> list[Verdict]:
    """Return the verdicts with the wanted value. values: one for each."""
    pick(wanted, set(values), f"{column} (--{column})")
    return [one for one, value in zip(verdicts, values, strict=True) if value == wanted]
