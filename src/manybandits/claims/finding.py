"""What the evidence says about a claim, and the verdict on it.

A rule answers a claim: it *holds*, it is a *near miss*, its *opposite* holds, or the evidence is *unclear*. The answer
does not know how the runs fall short of the paper's. Limits enter here, and they weaken good news and bad alike
(VERDICTS, section 2): what holds under limits is supported, and what they contradict is contradicted here only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from manybandits.results.verdict_table import CONTRADICTED, NEAR, NOT, REPRODUCED, SUPPORTED, UNDECIDED

LEAST = 6
"""The fewest runs of which anything is certain: with five pairs no two-sided signed-rank test reaches 5 %."""
OUTER = 4
"""How many tolerances a near miss may be away."""


class Answer(Enum):
    """What the evidence says about a claim. The values: the verdict without limits, and under limits."""

    HOLDS = REPRODUCED, SUPPORTED
    OPPOSITE = NOT, CONTRADICTED
    NEAR_MISS = NEAR, NEAR
    UNCLEAR = UNDECIDED, UNDECIDED

    def under(self, limits: Sequence[str]) -> str:
        """Return the verdict. limits: in what respects the runs are smaller than the paper's, or on other data."""
        return self.value[bool(limits)]


ANSWERS = {verdict: answer for answer in Answer for verdict in answer.value}
"""The answer behind each verdict."""


@dataclass(frozen=True)
class Finding:
    """An answer with its numbers and its reason.

    low and high: a 95 % interval, NaN if there is none. rival: the title of the run that decides, if one is compared
    with others; game: the name of the game that decides, if the answer is about games; comparisons: how many were made.
    """

    answer: Answer
    quantity: str
    measured: float = np.nan
    low: float = np.nan
    high: float = np.nan
    published: float = np.nan
    n: int = 0
    p: float = np.nan
    reason: str = ""
    rival: str = ""
    game: str = ""
    comparisons: int = 0


def too_few(runs: int) -> str:
    """Return why so few runs decide nothing; "" if they are enough."""
    if runs >= LEAST:
        return ""
    words = "one run decides" if runs == 1 else f"{runs} runs decide"
    return f"{words} nothing: at least {LEAST} are needed"


def nearness(measured: float, low: float, high: float, published: float, tolerance: float) -> Answer:
    """Compare a number with a published one, with one tolerance for both directions.

    low, high: the ends of its interval, or the number itself if it is exact. It holds if it is within the tolerance, or
    if the interval contains the published number, and the whole interval is within `OUTER` tolerances. The opposite
    holds if it is beyond `OUTER` tolerances, and the whole interval is beyond the tolerance. Between the two it is a
    near miss, unless the interval reaches from inside the tolerance to beyond `OUTER` tolerances. Without an interval
    it is unclear.
    """
    if np.isnan([measured, low, high]).any():
        return Answer.UNCLEAR
    gap, outer = abs(measured - published), OUTER * tolerance
    nearest = max(low - published, published - high, 0.0)
    farthest = max(abs(low - published), abs(high - published))
    if nearest <= tolerance and farthest > outer:
        return Answer.UNCLEAR
    if gap <= tolerance or nearest == 0.0:
        return Answer.HOLDS
    return Answer.NEAR_MISS if gap <= outer else Answer.OPPOSITE


def boundedness(measured: float, low: float, high: float, bound: float, tolerance: float) -> Answer:
    """Compare a number with an upper bound, on its whole interval (VERDICTS, section 3).

    It holds if no part of the interval is beyond the bound by more than the tolerance, and not all of it is beyond: so
    that a bound that is met exactly can hold. If all of it is beyond, it is a near miss up to the tolerance. Without an
    interval it is unclear.
    """
    if np.isnan([measured, low, high]).any():
        return Answer.UNCLEAR
    if low <= bound:
        return Answer.HOLDS if high <= bound + tolerance else Answer.UNCLEAR
    return Answer.NEAR_MISS if measured <= bound + tolerance else Answer.OPPOSITE
