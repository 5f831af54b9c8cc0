"""A log with one row per event: the arm shown, its reward and its propensity, and all other columns as context."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from manybandits.base.exceptions import InputError
from manybandits.base.limits import LARGEST
from manybandits.datasets.own.rows import attributes, remarks
from manybandits.datasets.own.tables import OwnTable, Read, Source, check_different, read_table

UNIFORM = "uniform"
"""The name of a logged policy that showed every arm with the same probability."""
UNLIKELY = 5.0
"""By how many standard errors a sum of weights is off where chance does not explain it."""
LEVEL = 1e-6
"""Level of the chi-squared test whether a log can have been uniform."""
DROP = "leave it out by drop={}"
MOST_NUMBERS = 500_000_000
"""The most numbers that the contexts of a log may have: four gigabytes."""


def tidy(
    source: Source,
    arm: str = "arm",
    reward: str = "reward",
    propensity: str = "propensity",
    drop: Sequence[str] = (),
    arm_features: Source | None = None,
) -> Read:
    """Return a tidy log, its counts and remarks, and the places of its columns of numbers in a context.

    arm, reward, propensity: names of columns; propensity may be `UNIFORM` instead. drop: columns to leave out.
    arm_features: a table with one row per arm, with its name in the column `arm` and its features in all others. The
    context of an arm is that of the event, with the features of the arm after it; a constant 1 if there are neither.
    Raises InputError naming the first wrong row or column.
    """
    check_different({"arm": arm, "reward": reward, "propensity": propensity})
    table = read_table(source).without(drop, "drop")
    names, shown = np.unique(table.labels(arm, "arm"), return_inverse=True)
    if len(names) < 2:
        raise InputError(
            f"{table.path}, column {arm!r} has one arm only ({names[0]}): name a column with two or more by arm=COLUMN."
        )
    rewards = table.numbers(reward, "reward", 0.0, 1.0)
    used = [arm, reward, *([] if propensity == UNIFORM else [propensity])]
    chance = propensities(table, propensity, arm, shown)
    told = [name for name in table.frame.columns if name not in used]
    columns = attributes(table, told) if told else pd.DataFrame(index=table.frame.index)
    features = np.zeros((len(names), 0)) if arm_features is None else features_of(arm_features, arm, names)
    words = columns.select_dtypes(object).nunique()
    width = int(words.sum()) + columns.shape[1] - len(words) + features.shape[1]
    if len(shown) * len(names) * max(width, 1) > MOST_NUMBERS:
        most = f"; {words.idxmax()} alone has {words.max():,} words" if len(words) else ""
        raise InputError(
            f"{table.path}: contexts of {len(shown):,} events, {len(names)} arms and {width} features are more than "
            f"{MOST_NUMBERS:,} numbers{most}: leave out rows, or columns by drop=COLUMN."
        )
    context = encoded(table, columns)
    shape = len(shown), len(names)
    contexts = [np.broadcast_to(context[:, None], (*shape, context.shape[1]))]
    contexts += [np.broadcast_to(features, (*shape, features.shape[1]))] if width else [np.ones((*shape, 1))]
    arrays = {"arm": shown, "click": rewards, "contexts": np.concatenate(contexts, axis=2)}
    if not np.allclose(chance, 1 / len(names), rtol=1e-6):
        arrays["propensity"] = chance
    counts = {"events": len(shown), "arms": len(names)}
    said = [*check_weights(table, chance, shown, names), *remarks(columns)]
    places = {str(name): place for place, name in enumerate(columns.select_dtypes("number"))}
    return Read({"log.npz": arrays}, counts, said, places)


def check_weights(table: OwnTable, chance: np.ndarray, shown: np.ndarray, names: np.ndarray) -> list[str]:
    """Return a remark if the sum of 1 / p over the events of an arm is far below the number of events.

    Where every arm could be shown in every event, this sum is the number of events but for chance. It is too small if
    an arm could not, or hardly ever, be shown in some. Raises InputError if it is too large, which nothing explains.
    """
    weights, events = 1 / chance, len(shown)
    total, squares = (np.bincount(shown, weights=one) for one in (weights, weights**2))
    doubt = UNLIKELY * np.sqrt(np.maximum(squares - events, 0)) + UNLIKELY * weights.max() + 0.1 * events
    if (over := total - events - doubt > 0).any():
        arm = int(over.argmax())
        raise InputError(
            f"{table.path}: the propensities of arm {names[arm]} cannot be right: 1 / p sums to {total[arm]:,.0f} "
            f"over its events, and should to about the number of all events, {events:,}; give the probability with "
            "which the arm shown was chosen (propensity=COLUMN)."
        )
    if not (under := events - total - doubt > 0).any():
        return []
    arm = int(np.where(under, total, np.inf).argmin())
    return [
        f"1 / propensity sums to {total[arm]:,.0f} over the events of arm {names[arm]}, and should to about the number "
        f"of all events, {events:,}: it could not be shown in all of them, or its propensities are too large, and what "
        "is estimated of it would be wrong."
    ]


def propensities(table: OwnTable, name: str, arm: str, shown: np.ndarray) -> np.ndarray:
    """Return the propensity of the arm that each event showed, (n,). name: of their column, or `UNIFORM`.

    shown: (n,), the arms, from 0. Raises InputError if they contradict a uniform log.
    """
    counts = np.bincount(shown)
    if name == UNIFORM:
        if stats.chisquare(counts).pvalue < LEVEL:
            most = int(counts.argmax())
            value = table.frame[arm].iloc[int(np.flatnonzero(shown == most)[0])]
            raise InputError(
                f"{table.path}: arm {value} was shown in {counts[most]:,} of {len(shown):,} events, so the log was not "
                f"uniform over its {len(counts)} arms: give the propensities by propensity=COLUMN."
            )
        return np.full(len(shown), 1 / len(counts))
    if name not in table.frame and name == "propensity":
        raise InputError(
            f"{table.path} has no column 'propensity': name the column with the probability of the arm shown by "
            "propensity=COLUMN, or write propensity=uniform if every arm was equally likely."
        )
    return table.numbers(name, "propensity", 0.0, 1.0, positive=True)


def encoded(table: OwnTable, columns: pd.DataFrame, cure: str = DROP) -> np.ndarray:
    """Return columns of numbers and words as numbers, with one column of 0 and 1 per word, (n, d).

    Raises InputError naming the column with a number that is too large to compute with. cure: how it is left out.
    """
    if columns.empty:
        return np.zeros((len(table.frame), 0))
    for name, column in columns.select_dtypes("number").items():
        size = np.abs(column.to_numpy())
        what = f"is beyond {LARGEST:g}, too large to compute with"
        table.refuse(size > LARGEST, str(name), what, f"scale the column, or {cure.format(name)}")
    return pd.get_dummies(columns, dtype=np.float64).to_numpy(np.float64)


def features_of(source: Source, arm: str, names: np.ndarray) -> np.ndarray:
    """Return the features of arms, (K, d), from a table with one row per arm. names: (K,), those of the log."""
    table = read_table(source)
    listed = table.labels(arm, "arm")
    table.refuse(listed.duplicated(), arm, "is listed twice", "give one row per arm")
    missing = sorted(set(names.tolist()) - set(listed.tolist()))
    if missing:
        raise InputError(f"{table.path} has no row for arm {missing[0]}, which the log shows: add it.")
    row = {name: place for place, name in enumerate(listed.tolist())}
    cure = "take it out of that file"
    columns = attributes(table, [name for name in table.frame.columns if name != arm], cure, one_each=True)
    features = encoded(table, columns, cure)
    return features[[row[name] for name in names.tolist()]]
