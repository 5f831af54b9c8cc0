"""Verdicts on a headline under each of its readings: the rows of `manybandits.results.readings_table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from manybandits.claims.evidence import Evidence
from manybandits.claims.explained import decisive
from manybandits.claims.finding import ANSWERS, Answer
from manybandits.claims.headlines import UNJUDGED, combine
from manybandits.claims.judge import judge
from manybandits.claims.verdicts import row_of
from manybandits.papers.claim import Claim, Headline
from manybandits.papers.openings import Opening, Reading, name_of
from manybandits.results.readings_table import FIXED

WHATEVER = 0.9
"""The share of readings from which on a verdict holds whatever the reading."""


@dataclass(frozen=True)
class Judged:
    """A reading with the claims that select its runs, and the evidence for them: experiment -> evidence."""

    answers: Reading
    claims: Sequence[Claim]
    evidence: Mapping[str, Evidence]


def judge_readings(headline: Headline, openings: Mapping[str, Opening], given: Sequence[Judged]) -> pd.DataFrame:
    """Return the verdicts on a headline under its readings, in the order given. openings: those that touch it."""
    rows = []
    for one in given:
        cells = [row_of(claim, "", judge(claim, one.evidence[claim.experiment])) for claim in one.claims]
        found = combine(headline, cells)
        shown = {name: found.decisive[name] for name in ("low", "high", "quantity")}
        chosen = {**{key: opening.default for key, opening in openings.items()}, **dict(one.answers)}
        rows.append(
            {
                "reading": name_of(one.answers),
                "verdict": found.verdict,
                "effect": found.decisive["measured"],
                **shown,
                "limits": "; ".join(found.limits),
                **chosen,
            }
        )
    return pd.DataFrame(rows, columns=[*FIXED, *openings])


def in_words(table: pd.DataFrame, explained: pd.DataFrame) -> str:
    """Return in words in how many readings a headline holds, and what decides it.

    table: as `judge_readings` returns it; explained: as `manybandits.claims.explained.explained` does.
    """
    judged = table[~table["verdict"].isin(UNJUDGED)]
    answers = [ANSWERS[verdict] for verdict in judged["verdict"]]
    if not answers:
        return "no reading could be judged"
    holds, fails = answers.count(Answer.HOLDS), answers.count(Answer.OPPOSITE)
    said = f"holds in {holds} of {len(answers)} readings, fails in {fails}"
    if max(holds, fails) >= WHATEVER * len(answers):
        return f"{said}: whatever the reading"
    choices = decisive(explained)
    return f"{said}; " + (f"what decides is {', then '.join(choices)}" if choices else "no choice decides alone")
