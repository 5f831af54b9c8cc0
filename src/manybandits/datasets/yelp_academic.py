"""Yelp reviews from the academic data set, whose licence forbids redistribution and automatic download."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.datasets.base import Dataset, File, Tidy, count_ratings, renumber

REVIEWS = "yelp_academic_dataset_review.json"

DATASET = Dataset(
    name="yelp-academic",
    family="yelp",
    title="Yelp academic data set",
    kind="ratings",
    completeness="complete",
    licence="Yelp Dataset Terms of Use: academic use, no redistribution, no automatic download",
    citation="Yelp Dataset Challenge",
    home="https://www.yelp.com/dataset",
    counts={},
    files=(File(REVIEWS),),
    by_hand=f"accept its terms at https://www.yelp.com/dataset and place {REVIEWS} in {{folder}}.",
    notes="Releases differ in size, so no counts are verified; the counts found are recorded.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and its counts. Of several reviews of a place by one user, the last one counts."""
    chunks = pd.read_json(raw[REVIEWS], lines=True, chunksize=500_000)
    reviews = pd.concat([chunk[["user_id", "business_id", "stars", "date"]] for chunk in chunks])
    reviews = reviews.sort_values("date", kind="stable").drop_duplicates(["user_id", "business_id"], keep="last")
    ratings = renumber(reviews.rename(columns={"user_id": "user", "business_id": "item", "stars": "rating"}))
    return {"ratings.parquet": ratings}, count_ratings(ratings)
