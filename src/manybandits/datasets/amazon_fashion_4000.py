"""A sample of Amazon Fashion published with PRB: 10,000 ratings of 4,000 users x 4,000 items."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.datasets.base import Dataset, File, Tidy
from manybandits.datasets.yelp_2000x10000 import count_signed, signed_ratings

DATASET = Dataset(
    name="amazon-fashion-4000",
    family="amazon-fashion",
    title="Amazon Fashion, a published sample of 10,000 ratings",
    kind="ratings",
    completeness="subset",
    licence="research use; cite Ni, Li and McAuley 2019",
    citation="Ni, Li and McAuley 2019, Justifying recommendations using distantly-labeled reviews",
    home="https://github.com/jiaruzouu/PRB",
    counts={"ratings": 10_000, "liked": 3_679, "disliked": 6_321},
    files=(
        File(
            "amazon_fashion_4000users_entry.npy",
            checksum="sha256:dcfd99c6c08af5638bff52863f6031653e4c8eaabd97f16dc5df60b31a4a668e",
        ),
    ),
    by_hand="take amazon_fashion_4000users_entry.npy from the home page of the sample and place it in {folder}.",
    notes="A rating of +1 stands for more than 4 stars and -1 for less than 2; 20 pairs occur twice.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table and what was counted in it."""
    ratings = signed_ratings(np.load(raw[DATASET.files[0].name], allow_pickle=False))
    return {"ratings.parquet": ratings}, count_signed(ratings)
