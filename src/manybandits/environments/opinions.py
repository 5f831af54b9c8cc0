"""Opinions of raters about items, from ratings in stars or signs or from links: entries of recommendation games."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.base.seeds import stream

ARMS = 10
"""Arms of a recommendation game: one entry that pays and nine that do not."""
LIMITS = {"liked_above": 4.0, "disliked_below": 2.0}
"""The stars above which a rating is liked, and below which it is disliked."""


@dataclass(frozen=True)
class Entries:
    """Opinions of raters about items, one row per entry, (n,) each.

    value: stars, or a sign; opinion: positive if the item is liked, negative if it is disliked, 0 if it is in between
    or there is no link; in_first_half: whether features are made of an entry and rounds are not, None if both are made
    of all.
    """

    rater: np.ndarray
    item: np.ndarray
    value: np.ndarray
    opinion: np.ndarray
    in_first_half: np.ndarray | None = None

    def select(self, rows: np.ndarray) -> Entries:
        """Return the entries of a mask, or of row numbers; raise InputError if there are none."""
        rater = self.rater[rows]
        if not len(rater):
            raise InputError("no rating is left: use a data set with more liked and disliked items.")
        half = None if self.in_first_half is None else self.in_first_half[rows]
        return Entries(rater, self.item[rows], self.value[rows], self.opinion[rows], half)

    def keep(self, mask: np.ndarray) -> Entries:
        """Return the entries that `mask` selects, with raters and items renumbered from 0 in their old order."""
        kept = self.select(mask)
        rater = np.unique(kept.rater, return_inverse=True)[1]
        return replace(kept, rater=rater, item=np.unique(kept.item, return_inverse=True)[1])

    def among(self, raters: np.ndarray, items: np.ndarray) -> Entries:
        """Return the entries between these raters and items, which get their places in the two arrays as numbers."""
        rater, item = _places(raters, self.rater), _places(items, self.item)
        return replace(self, rater=rater, item=item).select((rater >= 0) & (item >= 0))

    def summed(self) -> Entries:
        """Return one entry for each pair of a rater and an item, with the sums of values and of opinions."""
        pair = self.rater.astype(np.int64) * (int(self.item.max()) + 1) + self.item
        _, first, place = np.unique(pair, return_index=True, return_inverse=True)
        value, opinion = (np.bincount(place, weights=one) for one in (self.value, self.opinion))
        return replace(self.select(first), value=value, opinion=opinion.astype(np.int32))

    def halved(self) -> Entries:
        """Return the entries with a random half of the pairs of raters and items marked as the first one.

        A pair goes to one half in both directions, because a link is stored in both.
        """
        low, high = np.minimum(self.rater, self.item), np.maximum(self.rater, self.item)
        pairs, place = np.unique(low.astype(np.int64) * (int(high.max()) + 1) + high, return_inverse=True)
        return replace(self, in_first_half=(stream("halves", len(pairs)).random(len(pairs)) < 0.5)[place])


def _places(chosen: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the place in `chosen` of each of the numbers, (n,), or -1."""
    places = np.full(int(max(chosen.max(), numbers.max())) + 1, -1)
    places[chosen] = np.arange(len(chosen))
    return places[numbers]


def from_ratings(
    table: pd.DataFrame, liked_above: float = LIMITS["liked_above"], disliked_below: float = LIMITS["disliked_below"]
) -> Entries:
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
