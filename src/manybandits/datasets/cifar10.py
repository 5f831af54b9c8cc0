"""CIFAR-10: small colour photographs in ten classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from manybandits.datasets._archives import open_tar, read_tar_member
from manybandits.datasets._classification import tidy_splits
from manybandits.datasets.base import Dataset, File, Tidy

RECORD = 1 + 3 * 32 * 32
TRAIN = tuple(f"data_batch_{number}" for number in range(1, 6))
LICENCE = "no explicit licence; cite Krizhevsky 2009"
CITATION = "Krizhevsky 2009, Learning multiple layers of features from tiny images"
HOME = "https://www.cs.toronto.edu/~kriz/cifar.html"

DATASET = Dataset(
    name="cifar10",
    family="cifar10",
    title="CIFAR-10",
    kind="images",
    completeness="complete",
    licence=LICENCE,
    citation=CITATION,
    home=HOME,
    counts={"images": 60_000, "test images": 10_000, "classes": 10},
    files=(
        File(
            "cifar-10-binary.tar.gz",
            "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
            "md5:c32a1d4ab5d03f1284b67883e8d87530",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and their counts."""
    with open_tar(raw["cifar-10-binary.tar.gz"]) as archive:
        train, test = (
            read_records(b"".join(read_tar_member(archive, f"cifar-10-batches-bin/{name}.bin") for name in names))
            for names in (TRAIN, ("test_batch",))
        )
    return tidy_splits(train, test)


def read_records(content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return images, (n, 32, 32, 3), and labels, (n,), from records of a label and three colour planes."""
    records = np.frombuffer(content, np.uint8).reshape(-1, RECORD)
    return records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), records[:, 0]
