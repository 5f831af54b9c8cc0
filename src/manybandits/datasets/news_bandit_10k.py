"""A log of 10,000 recommendations of news articles; each of 10 articles is shown about equally often."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.datasets._archives import open_packed
from manybandits.datasets.base import Dataset, File, Tidy

ARMS, FEATURES = 10, 10

DATASET = Dataset(
    name="news-bandit-10k",
    family="news",
    title="news log of 10,000 events",
    kind="log",
    completeness="complete",
    licence="course material, no licence stated",
    citation="Jebara, COMS 6998, homework 2",
    home="http://www.cs.columbia.edu/~jebara/6998/",
    counts={"events": 10_000, "arms": 10, "clicks": 1_039},
    files=(File("dataset.txt", "http://www.cs.columbia.edu/~jebara/6998/dataset.txt"),),
    copies=(
        File("dataset.txt.gz", checksum="sha256:a5beb8d8fd31eeea255f4ddd0eb05e13d6fbbaeb0aa1dcefc5f4ae2e741dbc0f"),
    ),
    notes="No checksum of the official file is published; the counts are verified instead.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the log as tidy arrays, arm, (n,) from 0, click, (n,), and contexts, (n, K, d), and its counts."""
    path = next(iter(raw.values()))
    with open_packed(path) as file:
        return read_log(file.read().decode("ascii"), path)


def read_log(text: str, path: Path) -> tuple[Tidy, dict[str, int]]:
    """Return tidy arrays and counts from lines of an arm (1 to 10), a click (0 or 1) and 100 features.

    path: for messages. Raises InputError naming the first line that is not as expected.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        if len(line) != 2 + ARMS * FEATURES:
            raise InputError(
                f"{path}, line {number} has {len(line)} columns instead of {2 + ARMS * FEATURES}: fetch it again."
            )
    table = np.array(lines, dtype=np.int64)
    arm, click = table[:, 0], table[:, 1]
    for values, low, high, what in ((arm, 1, ARMS, "arm"), (click, 0, 1, "click")):
        wrong = np.flatnonzero((values < low) | (values > high))
        if wrong.size:
            raise InputError(f"{path}, line {wrong[0] + 1}: {what} {values[wrong[0]]} is not one of {low} to {high}.")
    contexts = table[:, 2:].reshape(-1, ARMS, FEATURES)
    counts = {"events": len(table), "arms": len(np.unique(arm)), "clicks": int(click.sum())}
    return {"log.npz": {"arm": arm - 1, "click": click, "contexts": contexts}}, counts
