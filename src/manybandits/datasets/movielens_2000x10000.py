"""The MovieLens extract published with LOCB and M-CNB: liked and disliked movies, of 2,000 users and 10,000 movies.

The entries are in no mirror of ours: of that file only the Git blob id is known, which the repository states. Its
number of entries is therefore not known either, but the id determines every byte.
"""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._movielens import CITATION, LICENCE
from manybandits.datasets._signed import tidy_signed
from manybandits.datasets.base import Dataset, File, Tidy

ADDRESS = "https://raw.githubusercontent.com/banyikun/LOCB/7c6ab99b52ea339651de8df9be59b59bbe0ef244/"
"""The files at the newest commit of LOCB (16 February 2022)."""
BLOBS = {
    "movie_2000users_10000items_entry.npy": "f8d47b140d6911fd537fea21d31c6cddad541a62",
    "movie_2000users_10000items_features.npy": "3de59a37bc529ed9c6b9876c866372c20680c706",
    "movie_10000items_2000users_features.npy": "c20a3c90fa2127d28f2142f62789852429b3e11a",
}

DATASET = Dataset(
    name="movielens-2000x10000",
    family="movielens",
    title="MovieLens, the published extract of 2,000 users",
    kind="ratings",
    completeness="extract",
    licence=LICENCE,
    citation=f"{CITATION}; Ban and He 2021",
    home="https://github.com/banyikun/LOCB",
    counts={"repeated": 0},
    files=tuple(File(name, ADDRESS + name, f"git-blob:{blob}") for name, blob in BLOBS.items()),
    notes="+1 means more than 4 stars and -1 fewer than 2; the other ratings are not in the extract. How many entries "
    "it has is recorded, not verified: the file is checked by its Git blob id.",
    features=True,
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table, the published features, and the counts."""
    entries, users, items = (raw[file.name] for file in DATASET.files)
    return tidy_signed(entries, users, items)
