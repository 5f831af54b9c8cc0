"""Generated ratings, so that the pipeline runs without downloads. No claim of a paper is judged on them.

Users belong to taste clusters. A user's vector is that of the cluster plus a small deviation, and stars are cut points
of the inner product of user and item plus noise. Popular items are rated more often.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.seeds import stream
from manybandits.datasets.base import Dataset, Tidy, count_ratings

USERS, ITEMS, TASTES, DIMENSION, PER_USER = 400, 600, 8, 6, 80
SHARES = np.array([0.1, 0.15, 0.25, 0.3, 0.2])  # of 1, ..., 5 stars

DATASET = Dataset(
    name="embedded-ratings",
    family="embedded",
    title="generated ratings",
    kind="ratings",
    completeness="embedded",
    licence="MIT, like the code",
    citation="manybandits",
    home="src/manybandits/datasets/embedded_ratings.py",
    counts={"ratings": USERS * PER_USER, "users": USERS},
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts. raw: not used, because nothing is read."""
    random = stream("embedded-ratings")
    tastes = random.normal(size=(TASTES, DIMENSION))
    users = tastes[np.arange(USERS) % TASTES] + 0.3 * random.normal(size=(USERS, DIMENSION))
    items = random.normal(size=(ITEMS, DIMENSION))
    popularity = 1.0 / np.arange(1, ITEMS + 1) ** 0.5
    # The smallest of independent exponentials: a draw without replacement, by popularity, for all users at once.
    rated = np.sort(np.argsort(random.exponential(size=(USERS, ITEMS)) / popularity, axis=1)[:, :PER_USER], axis=1)
    liking = np.einsum("ud,uid->ui", users, items[rated]) + random.normal(size=rated.shape)
    stars = 1 + np.digitize(liking, np.quantile(liking, np.cumsum(SHARES)[:-1]))
    ratings = pd.DataFrame(
        {
            "user": np.repeat(np.arange(USERS, dtype=np.int32), PER_USER),
            "item": rated.ravel().astype(np.int32),
            "rating": stars.ravel().astype(np.float32),
        }
    )
    return {"ratings.parquet": ratings}, count_ratings(ratings)
