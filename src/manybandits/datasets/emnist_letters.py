"""EMNIST Letters: handwritten letters, the official split."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import numpy as np

from manybandits.datasets._classification import tidy_images
from manybandits.datasets._emnist import CITATION, FAMILY, HOME, LICENCE
from manybandits.datasets.base import Dataset, File, Tidy

DATASET = Dataset(
    name="emnist-letters",
    family=FAMILY,
    title="EMNIST Letters",
    kind="images",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home=HOME,
    counts={"images": 145_600, "classes": 26},
    files=(
        File(
            "gzip.zip", "https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip", "md5:58c8d27c78d21e728a6bc7b3cc06412e"
        ),
    ),
    notes="Images are stored transposed, as in the official files.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and what was counted in them, training images first."""
    images: list[np.ndarray] = []
    labels: list[np.ndarray] = []
    with zipfile.ZipFile(raw["gzip.zip"]) as archive:
        for part in ("train", "test"):
            for kind, header, found in (("images-idx3", 16, images), ("labels-idx1", 8, labels)):
                member = archive.read(f"gzip/emnist-letters-{part}-{kind}-ubyte.gz")
                content = gzip.decompress(member)
                found.append(np.frombuffer(content, np.uint8, offset=header))
    return tidy_images(np.concatenate(images).reshape(-1, 28, 28), np.concatenate(labels))
