"""A reader shared by the published extracts that have +1 and -1 in place of stars, and features of users and items."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.datasets.base import FEATURES_FILE, Tidy, count_ratings


def tidy_signed(entries: Path, users: Path, items: Path) -> tuple[Tidy, dict[str, int]]:
    """Read three ``.npy`` files; return the tidy table and features, and their counts.

    entries: rows of (user, item, +1 or -1); their numbers are kept, because they index the features.
    users, items: one row of features per user or item.
    """
    rows, user_features, item_features = (np.load(path, allow_pickle=False) for path in (entries, users, items))
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
