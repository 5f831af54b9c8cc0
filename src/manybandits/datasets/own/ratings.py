"""A table of ratings with one row per rating: user, item, rating and, where ratings were changed, a timestamp."""

from __future__ import annotations

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.datasets.base import count_ratings, renumber
from manybandits.datasets.own.tables import OwnTable, Read, Source, check_different, read_table
from manybandits.datasets.own.times import times

FEW_STARS = 4
"""Where no rating reaches this, they may be on another scale than that of 5 stars."""


def tidy(
    source: Source,
    user: str = "user",
    item: str = "item",
    rating: str = "rating",
    timestamp: str | None = None,
    liked_above: float | None = None,
) -> Read:
    """Return tidy ratings, their counts and remarks.

    user, item, rating, timestamp: names of columns. Of several ratings of an item by a user, the one with the latest
    timestamp counts. liked_above: the limit of what counts as liked; without it, ratings must be stars (0 to 5) or
    signs (+1 and -1). Raises InputError naming the first wrong row.
    """
    check_different({"user": user, "item": item, "rating": rating})
    table = read_table(source)
    users, items = table.labels(user, "user"), table.labels(item, "item")
    values = table.numbers(rating, "rating")
    remarks = [] if liked_above is not None else check_scale(table, rating, values)
    kept = latest(table, users, items, timestamp)
    ratings = renumber(pd.DataFrame({"user": users, "item": items, "rating": values}).iloc[kept])
    return Read({"ratings.parquet": ratings}, count_ratings(ratings), remarks)


def check_scale(table: OwnTable, column: str, values: np.ndarray) -> list[str]:
    """Return remarks on the scale of ratings, (n,); raise InputError unless they are stars or signs."""
    if set(np.unique(values)) <= {-1.0, 1.0}:
        return []
    cure = "say which ratings of another scale count as liked by liked_above=NUMBER"
    table.refuse((values < 0) | (values > 5), column, "is neither a star from 0 to 5 nor all are -1 and 1", cure)
    if values.max() <= 2:
        raise InputError(f"{table.path}, column {column!r} has no rating above {values.max():g} of 5 stars: {cure}.")
    if values.max() < FEW_STARS:
        return [f"The largest rating is {values.max():g}, and it is taken for one of 5 stars; else {cure}."]
    return []


def latest(table: OwnTable, users: pd.Series, items: pd.Series, timestamp: str | None) -> np.ndarray:
    """Return the rows that count, in their order, (m,): the latest rating of an item by a user.

    Raises InputError if an item is rated twice and there is no timestamp.
    """
    pairs = pd.DataFrame({"user": users, "item": items})
    if timestamp is None:
        repeated = np.flatnonzero(pairs.duplicated())
        if repeated.size:
            who, what = pairs.iloc[repeated[0]]
            first = int(np.flatnonzero((users == who) & (items == what))[0])
            raise InputError(
                f"{table.path}, {table.place(first)} and {table.place(repeated[0])}: user {who} rates item {what} "
                "twice; leave one out, or name a column by timestamp=COLUMN, so that the latest counts."
            )
        return np.arange(len(pairs))
    return np.sort(pairs.iloc[np.argsort(times(table, timestamp), kind="stable")].drop_duplicates(keep="last").index)
