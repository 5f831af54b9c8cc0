"""Verdicts on headlines, from those on the claims that test them (VERDICTS, sections 1 to 3).

all        every claim must hold, of which at least half must have been judged; one whose opposite holds is enough
           against it
a number   that many claims must hold; the opposite holds if so many fail that it cannot be reached
first      the first claim decides, the others are beside it

A headline whose claims have p-values has one, too: for "all", the largest of them, because each must hold; for a
number k, the k-th smallest. Against it the smallest speaks, times the number of claims, because any of them may. Over
the headlines of a paper these are corrected by Holm's rule, and what is no longer certain then is undecided. Other
readings of a claim play no part, so that adding one changes no headline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from manybandits.base.statistics import holm
from manybandits.claims.finding import ANSWERS, Answer
from manybandits.papers.claim import Headline
from manybandits.results.summaries import LEVEL
from manybandits.results.verdict_table import OUTSIDE, UNTESTABLE, Row

UNJUDGED = (OUTSIDE, UNTESTABLE)
"""Verdicts that say nothing for or against a headline."""


@dataclass(frozen=True)
class Combined:
    """The verdict on a headline. answer: None if no claim could be judged; decisive: the claim that decides it.

    p: NaN without a test.
    """

    answer: Answer | None
    limits: tuple[str, ...]
    decisive: Row
    reason: str
    p: float = np.nan

    @property
    def verdict(self) -> str:
        return self.answer.under(self.limits) if self.answer else self.decisive["verdict"]


def judge_headlines(headlines: Mapping[str, tuple[Headline, Sequence[Row]]]) -> dict[str, Combined]:
    """Return the verdicts on the headlines of one paper: key -> verdict.

    headlines: key -> the headline and the verdicts on its claims, in order.
    """
    found = {key: combine(headline, rows) for key, (headline, rows) in headlines.items()}
    tested = {key: one for key, one in found.items() if not np.isnan(one.p)}
    corrected = holm(np.array([one.p for one in tested.values()])).tolist() if tested else []
    for (key, one), p in zip(tested.items(), corrected, strict=True):
        if p > LEVEL and one.answer in (Answer.HOLDS, Answer.OPPOSITE):
            reason = "not certain after Holm's correction over the headlines of the paper"
            found[key] = replace(one, answer=Answer.UNCLEAR, reason=reason, p=p)
        else:
            found[key] = replace(one, p=p)
    return found


def combine(headline: Headline, rows: Sequence[Row]) -> Combined:
    """Return the verdict on a headline, its p not yet corrected. rows: the verdicts on its claims, in order."""
    meant = rows[:1] if headline.holds_in == "first" else list(rows)
    judged = [row for row in meant if row["verdict"] not in UNJUDGED]
    if not judged:
        measured = next((row for row in meant if row["measured"]), meant[0])
        shown = next((row for row in meant if row["verdict"] == UNTESTABLE), measured)
        return Combined(None, (), shown, shown["reason"])
    # All must hold that were judged; a number may also be reached by those that were not.
    needed, open_to = (len(judged),) * 2 if isinstance(headline.holds_in, str) else (headline.holds_in, len(meant))
    answers = {answer: [row for row in judged if ANSWERS[row["verdict"]] is answer] for answer in Answer}
    holding, against = _by_p(answers[Answer.HOLDS]), _by_p(answers[Answer.OPPOSITE])
    left_out = len(meant) - len(judged)
    apart = (f"{left_out} of {len(meant)} claims could not be judged",) if left_out else ()
    counts = f"{len(holding)} of {len(judged)} claims hold" if len(judged) > 1 else judged[0]["reason"]
    if len(holding) >= needed and 2 * len(judged) < len(meant):
        return Combined(Answer.UNCLEAR, (*_limits(judged), *apart), holding[-1], "most of its claims were not judged")
    if len(holding) >= needed:
        decisive = holding[needed - 1]
        return Combined(Answer.HOLDS, (*_limits(holding[:needed]), *apart), decisive, counts, _p(decisive))
    if open_to - len(against) < needed:
        # The surest ones decide; if they have no limits, those of others do not matter.
        enough = sorted(against, key=lambda row: bool(row["limits"]))[: open_to - needed + 1]
        decisive = enough[-1]
        p = min(1.0, _p(decisive) * len(judged)) if not np.isnan(_p(decisive)) else np.nan
        reason = f"the opposite of {len(against)} of {len(judged)} claims holds" if len(judged) > 1 else counts
        return Combined(Answer.OPPOSITE, _limits(enough), decisive, reason, p)
    near = answers[Answer.NEAR_MISS]
    if near and len(holding) + len(near) >= needed:
        return Combined(Answer.NEAR_MISS, (*_limits(judged), *apart), near[0], counts)
    unsure = against or answers[Answer.UNCLEAR] or near
    return Combined(Answer.UNCLEAR, (*_limits(judged), *apart), unsure[0], counts, _p(unsure[0]))


def _by_p(rows: Sequence[Row]) -> list[Row]:
    """Sort verdicts by p, those without one first."""
    return sorted(rows, key=lambda row: 0.0 if np.isnan(_p(row)) else _p(row))


def _p(row: Mapping[str, Any]) -> float:
    return float(row["p"]) if row["p"] else np.nan


def _limits(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the limits of verdicts, each once."""
    return tuple(dict.fromkeys(limit for row in rows for limit in row["limits"].split("; ") if limit))
