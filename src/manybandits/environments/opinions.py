"""Opinions of raters about items, from ratings in stars or signs or from links: entries of recommendation games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream

ARMS = 10
"""Arms of a recommendation game: one entry that pays and nine that do not."""


@dataclass(frozen=True)
class Entries:
    """Opinions of raters about items, one row per entry. opinion: +1 liked, -1 disliked, 0 in between or no link."""

    rater: np.ndarray
    item: np.ndarray
    value: np.ndarray
    opinion: np.ndarray

    def keep(self, mask: np.ndarray, busiest_first: bool = False) -> Entries:
        """Return the entries that `mask` selects, with raters and items renumbered from 0.

        busiest_first: number the raters by decreasing number of entries instead of by their old number.
        """
        rater = np.unique(self.rater[mask], return_inverse=True)[1]
        item = np.unique(self.item[mask], return_inverse=True)[1]
        if busiest_first:
            rater = np.argsort(np.argsort(-np.bincount(rater), kind="stable"), kind="stable")[rater]
        return Entries(rater, item, self.value[mask], self.opinion[mask])


def from_ratings(table: pd.DataFrame, liked_above: float = 4.0, disliked_below: float = 2.0) -> Entries:
    """Read opinions from ratings in stars or signs (columns user, item, rating).

    liked_above, disliked_below: stars; for signs they mean nothing.
    """
    value = table["rating"].to_numpy(np.float64)
    if np.isnan(value).any():
        raise InputError("a rating is NaN: build the tidy data again.")
    signs = set(np.unique(value)) <= {-1.0, 1.0}
    opinion = value if signs else (value > liked_above).astype(float) - (value < disliked_below)
    return Entries(table["user"].to_numpy(), table["item"].to_numpy(), value, opinion.astype(np.int8))


def from_links(table: pd.DataFrame) -> Entries:
    """Read opinions from links (columns source, target): +1 both ways, and 0 for drawn pairs without a link."""
    ends = table[["source", "target"]].to_numpy(np.int64)
    nodes = int(ends.max()) + 1
    linked = np.eye(nodes, dtype=bool)
    linked[ends[:, 0], ends[:, 1]] = linked[ends[:, 1], ends[:, 0]] = True
    random = stream("strangers", nodes, len(ends))
    rater, item, opinion = [], [], []
    for node in range(nodes):
        friends = np.flatnonzero(linked[node])
        friends = friends[friends != node]
        strangers = np.flatnonzero(~linked[node])
        drawn = random.permutation(strangers)[: (ARMS - 1) * len(friends)]
        rater.append(np.full(len(friends) + len(drawn), node))
        item += [friends, drawn]
        opinion.append(np.repeat(np.array([1, 0], np.int8), [len(friends), len(drawn)]))
    opinions = np.concatenate(opinion)
    return Entries(np.concatenate(rater), np.concatenate(item), opinions.astype(np.float64), opinions)
