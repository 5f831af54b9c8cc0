"""Ratings: tables of users, items and stars, reviews of Yelp, published extracts with +1 and -1, and generated ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.seeds import stream
from manybandits.datasets.archives import open_packed
from manybandits.datasets.base import FEATURES_FILE, Tidy, count_ratings, renumber

NAMES = ("user", "item", "rating")
USERS, ITEMS, TASTES, DIMENSION, PER_USER = 400, 600, 8, 6, 80
SHARES = np.array([0.1, 0.15, 0.25, 0.3, 0.2])  # of 1, ..., 5 stars


def table(
    raw: dict[str, Path],
    *,
    columns: Sequence[int] = (0, 1, 2),
    sep: str = ",",
    header: bool = False,
    member: str = "",
    stars: bool = False,
) -> tuple[Tidy, dict[str, int]]:
    """Read a table with the user, the item and the rating in three of its columns.

    In that of MovieLens 1M every second column is empty, because two colons separate its fields. member: of a zip
    archive. stars: whether the ratings of each value are counted, too.
    """
    with open_packed(next(iter(raw.values())), member) as file:
        found = pd.read_csv(file, sep=sep, usecols=list(columns), header=None, skiprows=int(header))
    found.columns = pd.Index([NAMES[columns.index(place)] for place in found.columns])
    ratings = renumber(found)
    counts = count_ratings(ratings)
    if stars:
        counts |= {f"rated {one}": int(count) for one, count in found["rating"].value_counts().sort_index().items()}
    return {"ratings.parquet": ratings}, counts


def reviews(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read the reviews of Yelp, one JSON document a line. Of several of a place by one user, the last counts."""
    chunks = pd.read_json(next(iter(raw.values())), lines=True, chunksize=500_000)
    found = pd.concat([chunk[["user_id", "business_id", "stars", "date"]] for chunk in chunks])
    found = found.sort_values("date", kind="stable").drop_duplicates(["user_id", "business_id"], keep="last")
    ratings = renumber(found.rename(columns={"user_id": "user", "business_id": "item", "stars": "rating"}))
    return {"ratings.parquet": ratings}, count_ratings(ratings)


def signed(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read an extract of three ``.npy`` files: entries, features of users, features of items.

    Entries are rows of (user, item, +1 or -1); their numbers are kept, because they index the features, and so are
    repeated pairs.
    """
    rows, user_features, item_features = (np.load(path, allow_pickle=False) for path in raw.values())
    user, item, sign = rows.T
    if not np.isin(sign, (-1, 1)).all():
        raise ValueError("an entry is neither +1 nor -1")
    if user.max() >= len(user_features) or item.max() >= len(item_features) or rows[:, :2].min() < 0:
        raise ValueError("an entry names a user or an item without features")
    ratings = pd.DataFrame(
        {"user": user.astype(np.int32), "item": item.astype(np.int32), "rating": sign.astype(np.float32)}
    )
    counts = {
        **count_ratings(ratings),
        "plus": int((sign == 1).sum()),
        "minus": int((sign == -1).sum()),
        "repeated": int(ratings.duplicated(["user", "item"]).sum()),
    }
    features = {"user_features": user_features, "item_features": item_features}
    return {"ratings.parquet": ratings, FEATURES_FILE: features}, counts


def generated(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Generate ratings, so that the pipeline runs without downloads. raw: not used, because nothing is read.

    Users belong to taste clusters. A user's vector is that of the cluster plus a small deviation, and stars are cut
    points of the inner product of user and item plus noise. Popular items are rated more often.
    """
    random = stream("embedded-ratings")
    tastes = random.normal(size=(TASTES, DIMENSION))
    users = tastes[np.arange(USERS) % TASTES] + 0.3 * random.normal(size=(USERS, DIMENSION))
    items = random.normal(size=(ITEMS, DIMENSION))
    popularity = 1.0 / np.arange(1, ITEMS + 1) ** 0.5
    # The smallest of independent exponentials: a draw without replacement, by popularity, for all users at once.
    rated = np.sort(np.argsort(random.exponential(size=(USERS, ITEMS)) / popularity, axis=1)[:, :PER_USER], axis=1)
    liking = np.einsum("ud,uid->ui", users, items[rated]) + random.normal(size=rated.shape)
    given = 1 + np.digitize(liking, np.quantile(liking, np.cumsum(SHARES)[:-1]))
    ratings = pd.DataFrame(
        {
            "user": np.repeat(np.arange(USERS, dtype=np.int32), PER_USER),
            "item": rated.ravel().astype(np.int32),
            "rating": given.ravel().astype(np.float32),
        }
    )
    return {"ratings.parquet": ratings}, count_ratings(ratings)
