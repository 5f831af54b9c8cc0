"""CIFAR-10: small colour photographs."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np

from manybandits.core.errors import InputError
from manybandits.datasets._classification import tidy_images
from manybandits.datasets.base import Dataset, File, Tidy

RECORD = 1 + 3 * 32 * 32
MEMBERS = tuple(
    f"cifar-10-batches-bin/{name}.bin" for name in (*(f"data_batch_{n}" for n in range(1, 6)), "test_batch")
)
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
    counts={"images": 60_000, "classes": 10},
    files=(
        File(
            "cifar-10-binary.tar.gz",
            "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
            "md5:c32a1d4ab5d03f1284b67883e8d87530",
        ),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and what was counted in them."""
    content = b""
    with tarfile.open(raw["cifar-10-binary.tar.gz"]) as archive:  # read in memory, nothing is unpacked
        for name in MEMBERS:
            member = archive.extractfile(name)
            assert member is not None
            content += member.read()
    return tidy_records(content)


def tidy_records(content: bytes) -> tuple[Tidy, dict[str, int]]:
    """Read records of a label and three colour planes of 32 x 32 bytes."""
    if len(content) % RECORD:
        raise InputError(f"CIFAR-10 records have {RECORD} bytes, but {len(content)} were found: fetch the file again.")
    records = np.frombuffer(content, np.uint8).reshape(-1, RECORD)
    return tidy_images(records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), records[:, 0])
