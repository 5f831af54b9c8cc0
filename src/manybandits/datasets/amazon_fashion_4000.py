"""The sample of Amazon Fashion published with PRB: 10,000 pairs of 4,000 users and 4,000 items."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._signed import tidy_signed
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="amazon-fashion-4000",
    family="amazon-fashion",
    title="Amazon Fashion, a published sample of 10,000 pairs",
    kind="ratings",
    completeness="extract",
    licence="research use; cite Ni, Li and McAuley 2019",
    citation="Ni, Li and McAuley 2019, Justifying recommendations using distantly-labeled reviews",
    home="https://github.com/jiaruzouu/PRB",
    counts={"ratings": 10_000, "users": 3_390, "items": 1_962, "plus": 3_679, "minus": 6_321, "repeated": 20},
    files=(
        File(
            "amazon_fashion_4000users_entry.npy",
            checksum="sha256:dcfd99c6c08af5638bff52863f6031653e4c8eaabd97f16dc5df60b31a4a668e",
        ),
        File(
            "amazon_fashion_4000users_4000items_features.npy",
            checksum="sha256:1f98f8c0530b68e842c647200e31e7b99482b637aab1b4eed6758d54ab568511",
        ),
        File(
            "amazon_fashion_4000items_4000users_features.npy",
            checksum="sha256:2e05b36fc64cffb01e22f00415513ac8e81565cef3a9775df64d3d034e1240d3",
        ),
    ),
    by_hand="take the three amazon_fashion_4000*_entry.npy and *_features.npy files from the home page of the sample "
    "and place them in {folder}.",
    notes="Neither sign is documented. The -1 pairs are spread evenly, as if drawn at random, over the first "
    "2,000 users x 2,000 items (like those published for Facebook, which are not links), so they are not dislikes.",
    dislikes=False,
    features=True,
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy table, the published features, and the counts. Repeated pairs are kept."""
    entries, users, items = (raw[file.name] for file in DATASET.files)
    return tidy_signed(entries, users, items)
