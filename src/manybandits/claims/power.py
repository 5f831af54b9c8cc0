"""Power: how many runs would see a lead of some size on each game, from the spread of what was played."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

from manybandits.claims.sentences import has_interval
from manybandits.claims.verdict import Verdict

NORMAL = 1.96
"""Half the width of a 95 % interval, in standard errors; with a p of at most 5 %, two-sided."""
POWERED = 1.2816
"""How many standard errors more a lead must be away from zero to be seen with a power of 90 %."""
LEADS = (0.01, 0.02, 0.05, 0.1)
"""The leads that are asked for, as shares of the rival's result."""


def spread(low: float, high: float, n: int) -> float:
    """Return the standard deviation of a lead over runs. low, high: the ends of its 95 % interval from n runs.

    >>> round(spread(0.02, 0.06, 10), 4)
    0.0323
    """
    return (high - low) / (2 * NORMAL) * math.sqrt(n)


def runs_needed(deviation: float, lead: float) -> int:
    """Return how many runs see a lead with a power of 90 %. deviation: its standard deviation over runs.

    >>> [runs_needed(0.0323, lead) for lead in LEADS]
    [110, 28, 5, 2]
    """
    return max(1, math.ceil(((NORMAL + POWERED) * deviation / lead) ** 2))


def spreads(verdicts: Iterable[Verdict]) -> dict[str, list[float]]:
    """Return the standard deviations of the leads on each game, smallest first, of the comparisons that decide."""
    found: dict[str, list[float]] = {}
    for one in verdicts:
        leads = one.claim.kind == "order" and one.game and has_interval(one)
        if leads and one.low is not None and one.high is not None and one.claim.selection.measure != "seconds":
            found.setdefault(one.game, []).append(spread(one.low, one.high, one.n))
    return {game: sorted(deviations) for game, deviations in found.items()}


def power(verdicts: Iterable[Verdict]) -> dict[str, tuple[int, list[int]]]:
    """Return for each game the number of comparisons, and how many runs see each of `LEADS` at their median spread."""
    return {
        game: (len(deviations), [runs_needed(median(deviations), lead) for lead in LEADS])
        for game, deviations in spreads(verdicts).items()
    }
