"""Pulls and rewards of every arm so far, for algorithms that ignore contexts. Items are arms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.parts import part


class Records(NamedTuple):
    """Pulls and rewards of K arms."""

    count: np.ndarray  # (K,): N_a
    total: np.ndarray  # (K,): the sum of rewards


def new_records(arms: int) -> Records:
    """Return the records of arms that were never pulled."""
    return Records(np.zeros(arms, np.int64), np.zeros(arms))


@part
def record(records: Records, arm: int, reward: float) -> None:
    """Add a pull."""
    records.count[arm] += 1
    records.total[arm] += reward


@part
def mean_of(records: Records, arm: int) -> float:
    """Return the mean reward of an arm, 0 if it was never pulled."""
    return records.total[arm] / max(records.count[arm], 1)
