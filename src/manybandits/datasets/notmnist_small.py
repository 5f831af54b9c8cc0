"""notMNIST small: images of the letters A to J in many fonts."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from manybandits.datasets._archives import open_tar, read_arrays, read_tar_member
from manybandits.datasets._classification import tidy_images
from manybandits.datasets.base import Dataset, File, Tidy

LETTERS = "ABCDEFGHIJ"

DATASET = Dataset(
    name="notmnist-small",
    family="notmnist",
    title="notMNIST (small)",
    kind="images",
    completeness="complete",
    licence="no licence stated; published for research",
    citation="Bulatov 2011",
    home="http://yaroslavvb.blogspot.com/2011/09/notmnist-dataset.html",
    counts={"images": 18_724, "classes": 10},
    files=(
        File(
            "notMNIST_small.tar.gz",
            "http://yaroslavvb.com/upload/notMNIST/notMNIST_small.tar.gz",
            "sha256:76b2ef7ccc56452964780569db37b279c9cbe1bf442c3b38be784752683b3cec",
        ),
    ),
    copies=(
        File(
            "notMNIST_small.npz",
            checksum="sha256:749c6fea1364bc732302cc87840322d87d80da7fbbafd8a6d31e7bdcfcfafad6",
            mirror="notmnist/notMNIST_small.npz",
        ),
    ),
    notes="Two of the 18,726 files are not images and are left out. Images are sorted by letter, then by file name.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and their counts."""
    if "notMNIST_small.npz" in raw:
        arrays = read_arrays(raw["notMNIST_small.npz"])
        return tidy_images(arrays["images"], arrays["labels"])
    glyphs = {}
    with open_tar(raw["notMNIST_small.tar.gz"]) as archive:
        for member in archive:  # in the order of the archive, because going back in a compressed one is slow
            if member.isfile() and member.name.endswith(".png"):
                glyphs[member.name] = read_tar_member(archive, member)
    images, labels = [], []
    for name in sorted(glyphs):
        try:
            images.append(np.asarray(Image.open(io.BytesIO(glyphs[name])).convert("L")))
        except UnidentifiedImageError:
            continue
        labels.append(LETTERS.index(Path(name).parent.name))
    return tidy_images(np.stack(images), np.array(labels))
