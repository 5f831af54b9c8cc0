"""A log with one row per event: the arm shown, its reward and its propensity, and all other columns as context."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from manybandits.base.exceptions import InputError
from manybandits.datasets.base import Tidy
from manybandits.datasets.own.rows import attributes
from manybandits.datasets.own.tables import OwnTable, check_different, read_table

UNIFORM = "uniform"
"""The name of a logged policy that showed every arm with the same probability."""
LEVEL = 1e-6
"""Level of the chi-squared test whether a log can have been uniform."""
MOST_NUMBERS = 500_000_000
"""The most numbers that the contexts of a log may have: four gigabytes."""


def tidy(
    path: Path,
    arm: str = "arm",
    reward: str = "reward",
    propensity: str = "propensity",
    drop: Sequence[str] = (),
    arm_features: Path | None = None,
) -> tuple[Tidy, dict[str, int]]:
    """Return a tidy log and its counts.

    arm, reward, propensity: names of columns; propensity may be `UNIFORM` instead. drop: columns to leave out.
    arm_features: a table with one row per arm, with its name in the column `arm` and its features in all others. The
    context of an arm is that of the event, with the features of the arm after it; a constant 1 if there are neither.
    Raises InputError naming the first wrong row or column.
    """
    check_different({"--arm": arm, "--reward": reward, "--propensity": propensity})
    table = read_table(path).without(drop, "--drop")
    names, shown = np.unique(table.labels(arm, "--arm"), return_inverse=True)
    if len(names) < 2:
        raise InputError(f"{path}, column {arm!r} has one arm only ({names[0]}): there is nothing to choose.")
    rewards = table.numbers(reward, "--reward", 0.0, 1.0)
    used = [arm, reward, *([] if propensity == UNIFORM else [propensity])]
    chance = propensities(table, propensity, arm, shown)
    context = encoded(table, [name for name in table.frame.columns if name not in used])
    features = np.zeros((len(names), 0)) if arm_features is None else features_of(arm_features, arm, names)
    width = context.shape[1] + features.shape[1]
    if len(shown) * len(names) * max(width, 1) > MOST_NUMBERS:
        raise InputError(
            f"{path}: contexts of {len(shown):,} events, {len(names)} arms and {width} features are more than "
            f"{MOST_NUMBERS:,} numbers: leave out rows, or columns by --drop."
        )
    shape = len(shown), len(names)
    contexts = [np.broadcast_to(context[:, None], (*shape, context.shape[1]))]
    contexts += [np.broadcast_to(features, (*shape, features.shape[1]))] if width else [np.ones((*shape, 1))]
    arrays = {"arm": shown, "click": rewards, "contexts": np.concatenate(contexts, axis=2)}
    if not np.allclose(chance, 1 / len(names), rtol=1e-6):
        arrays["propensity"] = chance
    return {"log.npz": arrays}, {"events": len(shown), "arms": len(names)}


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
                f"uniform over its {len(counts)} arms: give the propensities by --propensity COLUMN."
            )
        return np.full(len(shown), 1 / len(counts))
    if name not in table.frame and name == "propensity":
        raise InputError(
            f"{table.path} has no column 'propensity': name the column with the probability of the arm shown by "
            "--propensity COLUMN, or write --propensity uniform if every arm was equally likely."
        )
    return table.numbers(name, "--propensity", 0.0, 1.0, positive=True)


def encoded(table: OwnTable, names: Sequence[str]) -> np.ndarray:
    """Return columns as numbers, with one column of 0 and 1 per word, (n, d)."""
    if not names:
        return np.zeros((len(table.frame), 0))
    return pd.get_dummies(attributes(table, names), dtype=np.float64).to_numpy(np.float64)


def features_of(path: Path, arm: str, names: np.ndarray) -> np.ndarray:
    """Return the features of arms, (K, d), from a table with one row per arm. names: (K,), those of the log."""
    table = read_table(path)
    listed = table.labels(arm, "--arm")
    table.refuse(listed.duplicated(), arm, "is listed twice", "give one row per arm")
    missing = sorted(set(names.tolist()) - set(listed.tolist()))
    if missing:
        raise InputError(f"{path} has no row for arm {missing[0]}, which the log shows: add it.")
    row = {name: place for place, name in enumerate(listed.tolist())}
    features = encoded(table, [name for name in table.frame.columns if name != arm])
    return features[[row[name] for name in names.tolist()]]
