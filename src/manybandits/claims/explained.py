"""What decides a headline over its readings (VERDICTS, section 4): how much each choice explains of the effect.

The effect of a reading is modelled as a sum of one term a choice. A choice explains the share of the variance over
readings that is lost without its term; a pair of choices, the share that is gained with a term for their combination.
So what two choices do only together is reported of the pair, and not of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from manybandits.base.seeds import stream

RESAMPLES = 500
"""Resamples of the readings, for the intervals."""
LEAST = 0.1
"""The share of the variance from which on a choice is said to decide."""


def explained(effects: np.ndarray, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the share of the variance of effects that each choice, and each pair of choices, explains.

    effects: (n,), of n readings; answers: n rows, one column a choice. The result has one row for each, with the
    columns ``choice``, ``share``, ``low`` and ``high`` (its 95 % bootstrap interval over readings), largest first.
    """
    names = [str(name) for name in answers]
    coded = {name: _coded(answers[name]) for name in names}
    terms: list[tuple[str, ...]] = [*((name,) for name in names), *combinations(names, 2)]
    whole = _shares(effects, coded, terms)
    draws = stream("explained", len(effects)).integers(len(effects), size=(RESAMPLES, len(effects)))
    drawn = np.array([_shares(effects[some], {k: v[some] for k, v in coded.items()}, terms) for some in draws])
    if np.isnan(whole).all():
        low = high = whole
    else:
        low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
    table = pd.DataFrame({"choice": [" and ".join(term) for term in terms], "share": whole, "low": low, "high": high})
    return table.sort_values("share", ascending=False, kind="stable").reset_index(drop=True)


def decisive(table: pd.DataFrame, most: int = 2) -> list[str]:
    """Return the choices, or pairs of them, that decide: the one or two that explain most, if they explain enough.

    table: as `explained` returns it. A pair is named if it explains more together than either of its choices alone.
    """
    share = dict(zip(table["choice"], table["share"], strict=True))
    found = []
    for choice, value in share.items():
        alone = choice.split(" and ")
        if value >= LEAST and (len(alone) == 1 or value > max(share[name] for name in alone)):
            found.append(choice)
    return found[:most]


def _coded(answers: pd.Series) -> np.ndarray:
    """Return the answers to a question as one column for each value but the first, (n, v - 1)."""
    values = list(dict.fromkeys(answers))
    return np.array([[answer == value for value in values[1:]] for answer in answers], float).reshape(len(answers), -1)


def _shares(effects: np.ndarray, coded: dict[str, np.ndarray], terms: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Return the shares of single choices and of pairs, (t,); NaN if all effects are equal."""
    total = float(((effects - effects.mean()) ** 2).sum())
    if total == 0:
        return np.full(len(terms), np.nan)
    left = _left_over(effects, list(coded.values()))
    shares = []
    for term in terms:
        if len(term) == 1:
            without = _left_over(effects, [columns for name, columns in coded.items() if name != term[0]])
            shares.append((without - left) / total)
        else:
            first, second = (coded[name] for name in term)
            both = (first[:, :, None] * second[:, None, :]).reshape(len(effects), -1)
            shares.append((left - _left_over(effects, [*coded.values(), both])) / total)
    return np.maximum(shares, 0.0)


def _left_over(effects: np.ndarray, columns: Sequence[np.ndarray]) -> float:
    """Return the sum of squares that a linear model leaves over."""
    design = np.concatenate([np.ones((len(effects), 1)), *columns], axis=1)
    fitted = design @ np.linalg.lstsq(design, effects, rcond=None)[0]
    return float(((effects - fitted) ** 2).sum())
