"""The Yelp extract published with LOCB: liked and disliked places, of 2,000 users and 10,000 places."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._signed import tidy_signed
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="yelp-2000x10000",
    family="yelp",
    title="Yelp, the published extract of 2,000 users",
    kind="ratings",
    completeness="extract",
    licence="Yelp Dataset Terms of Use: academic use, no redistribution",
    citation="Yelp Dataset Challenge; Ban and He 2021",
    home="https://github.com/banyikun/LOCB",
    counts={"ratings": 117_907, "users": 2_000, "items": 9_727, "plus": 106_583, "minus": 11_324, "repeated": 0},
    files=(
        File(
            "yelp_2000users_10000items_entry.npy",
            checksum="sha256:9b3a42210f3a3f3d4d0cb55b69a4baa63a13704a1780be4956c891813ad40a9e",
        ),
        File(
            "yelp_2000users_10000items_features.npy",
            checksum="sha256:5bf46305e85cd518abce70394de91ed57ce5bf306b64e69d08351ce38af67556",
        ),
        File(
            "yelp_10000items_2000users_features.npy",
            checksum="sha256:cc08056aa78457b5742fa956ec931948e12ab4e25b282450d2c4b96f93112c64",
        ),
    ),
    by_hand="take the three yelp_*.npy files from the home page of the extract and place them in {folder}.",
    notes="+1 means more than 4 stars and -1 fewer than 2; the other ratings are not in the extract. "
    "The files are the Git blobs 9252ca47, 7afc09a5 and 83f71aba of LOCB at commit 7c6ab99.",
    features=True,
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table, the published features, and the counts."""
    entries, users, items = (raw[file.name] for file in DATASET.files)
    return tidy_signed(entries, users, items)
