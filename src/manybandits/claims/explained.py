"""What decides a headline over its readings (VERDICTS, section 4): how much each choice explains of the effect.

The effect of a reading is modelled as a sum of one term a choice. A choice explains the share of the variance over
readings that is lost without its term; a pair of choices, the share that is gained with a term for their combination.
So what two choices do only together is reported of the pair, and not of either.

Among so many terms some explain much by chance. What chance explains is measured by giving the effects to the readings
in a random order: a choice decides only if it explains more than the best choice, or the best pair, does then.

Pairs whose answers are combined in the same readings only, as in a set with hardly more than single changes, cannot be
told apart, and none of them is given a share.

A set of all readings is no sample, and has few orders: of eight readings of three questions, one in twelve separates as
well as the true one, whatever was measured. All that chance can do to it is in the runs, whose number is finite. There,
chance explains what the best choice would if effects were equal but for the errors that their intervals tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod

import numpy as np
import pandas as pd

from manybandits.base.seeds import stream
from manybandits.base.table_files import DECIMALS
from manybandits.claims.verdict import AND

RESAMPLES = 300
"""Resamples for the intervals, and random orders, or errors, for what chance explains."""
LEAST = 0.1
"""The share of the variance from which on a choice is said to decide."""

Term = tuple[str, ...]
"""A choice, or a pair of them."""


def explained(effects: np.ndarray, answers: pd.DataFrame, errors: np.ndarray) -> pd.DataFrame:
    """Return the share of the variance of effects that each choice, and each pair of choices, explains.

    effects: (n,), of n readings; answers: n rows, one column a choice; errors: (n,), the standard errors of the
    effects, NaN where unknown. The result has one row for each choice and pair, with the columns ``choice``,
    ``share``, ``low`` and ``high`` (its 95 % bootstrap interval over readings) and ``chance`` (what the best of its
    kind, choice or pair, explains by chance in 95 % of the cases), largest share first, all to `DECIMALS` decimals. If
    the readings are all that there are, and their errors are known, a share has no interval, and chance is what the
    errors explain. What cannot be told from another pair has NaN for all of these.
    """
    names = [str(name) for name in answers]
    coded = {name: _coded(answers[name]) for name in names}
    terms: list[Term] = [*((name,) for name in names), *combinations(names, 2)]
    count, random = len(effects), stream("explained", len(effects))
    bases = _bases(coded, terms, count)
    whole = _shares(effects[:, None], bases)[:, 0]
    alike = _alike(bases)
    low, high = np.full((2, len(terms)), np.nan)
    if _is_complete(answers) and not np.isnan(errors).any():
        by_chance = _shares(errors[:, None] * random.normal(size=(count, RESAMPLES)), bases, effects[:, None])
    else:
        drawn = []
        for some in random.integers(count, size=(RESAMPLES, count)):
            resampled = {name: columns[some] for name, columns in coded.items()}
            drawn.append(_shares(effects[some][:, None], _bases(resampled, terms, count))[:, 0])
        if not np.isnan(whole).all():
            low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
        by_chance = _shares(np.stack([random.permutation(effects) for _ in range(RESAMPLES)], axis=1), bases)
    pairs = np.array([len(term) > 1 for term in terms], bool)
    chance = np.full(len(terms), np.nan)
    for kind in (pairs, ~pairs):
        if kind.any():
            chance[kind] = np.quantile(by_chance[kind].max(axis=0), 0.95)
    whole[alike], low[alike], high[alike], chance[alike] = (np.nan,) * 4
    # Rounded before they are sorted: further digits differ between processors, and would order what explains nothing.
    table = pd.DataFrame(
        {"choice": [AND.join(term) for term in terms], "share": whole, "low": low, "high": high, "chance": chance}
    ).round(DECIMALS)
    return table.sort_values("share", ascending=False, kind="stable").reset_index(drop=True)


def decisive(table: pd.DataFrame, most: int = 2) -> list[str]:
    """Return the choices, or pairs of them, that decide: the one or two that explain most, if they explain enough.

    table: as `explained` returns it. A pair is named if it explains more together than either of its choices alone.
    """
    share = dict(zip(table["choice"], table["share"], strict=True))
    found = []
    for choice, value, chance in zip(table["choice"], table["share"], table["chance"], strict=True):
        alone = choice.split(AND)
        if value >= LEAST and value > chance and (len(alone) == 1 or value > max(share[name] for name in alone)):
            found.append(choice)
    return found[:most]


def _is_complete(answers: pd.DataFrame) -> bool:
    """Return whether each combination of the answers to the questions is there, once."""
    return len(answers) == prod(answers[name].nunique() for name in answers) and not answers.duplicated().any()


def _coded(answers: pd.Series) -> np.ndarray:
    """Return the answers to a question as one column for each value but the first, (n, v - 1)."""
    codes, values = pd.factorize(answers)
    return np.eye(len(values))[codes][:, 1:]


def _bases(coded: Mapping[str, np.ndarray], terms: Sequence[Term], count: int) -> list[np.ndarray]:
    """Return for each term an orthonormal basis, (n, k), of what it adds to a model without it.

    A choice is added to a model of all other choices, a pair to one of all choices.
    """
    mean = np.ones((count, 1))
    whole = _basis(np.concatenate([mean, *coded.values()], axis=1))
    bases = []
    for term in terms:
        if len(term) == 1:
            others = [columns for name, columns in coded.items() if name != term[0]]
            without, columns = _basis(np.concatenate([mean, *others], axis=1)), coded[term[0]]
        else:
            first, second = (coded[name] for name in term)
            without, columns = whole, (first[:, :, None] * second[:, None, :]).reshape(count, -1)
        bases.append(_basis(columns - without @ (without.T @ columns)))
    return bases


def _alike(bases: Sequence[np.ndarray]) -> np.ndarray:
    """Return for each term, (t,), whether another one adds the same to the model, so that they cannot be told apart."""
    found = np.zeros(len(bases), bool)
    for (i, one), (j, two) in combinations(enumerate(bases), 2):
        if one.shape == two.shape and one.shape[1] and np.allclose(one @ (one.T @ two), two, atol=1e-6):
            found[[i, j]] = True
    return found


def _basis(columns: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the span of columns, (n, rank)."""
    left, size, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(left[:, size > 1e-8])


def _shares(effects: np.ndarray, bases: Sequence[np.ndarray], among: np.ndarray | None = None) -> np.ndarray:
    """Return the shares of terms, (t, m), of effects, (n, m), in the variance of effects, their own or (n, 1) others.

    NaN if all effects are equal.
    """
    spread = effects - effects.mean(axis=0)
    whole = spread if among is None else among - among.mean(axis=0)
    total = (whole**2).sum(axis=0)
    shares = np.array([((basis.T @ spread) ** 2).sum(axis=0) for basis in bases])
    return np.divide(shares, total, out=np.full_like(shares, np.nan), where=total > 0)
