"""The first 15,000 training images of CIFAR-10, in official order."""

from __future__ import annotations

from pathlib import Path

from manybandits.datasets._archives import open_packed
from manybandits.datasets._classification import tidy_images
from manybandits.datasets.base import Dataset, File, Tidy
from manybandits.datasets.cifar10 import CITATION, HOME, LICENCE, read_records

DATASET = Dataset(
    name="cifar10-first-15000",
    family="cifar10",
    title="CIFAR-10, the first 15,000 training images",
    kind="images",
    completeness="subset",
    licence=LICENCE,
    citation=CITATION,
    home=HOME,
    counts={"images": 15_000, "classes": 10},
    files=(
        File(
            "cifar10-train-first15000.bin.xz",
            checksum="sha256:aba4d17bf99006342863e28bdece3d67e2327b6edbb855aa6ff51a5d58007d1c",
            mirror="cifar10/cifar10-train-first15000.bin.xz",
        ),
    ),
    notes="data_batch_1 and the first 5,000 records of data_batch_2; no test images.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the tidy arrays and their counts."""
    with open_packed(next(iter(raw.values()))) as file:
        return tidy_images(*read_records(file.read()))
