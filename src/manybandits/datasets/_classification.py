"""Readers shared by the classification data sets (images and rows with labels)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.datasets._archives import unpack
from manybandits.datasets.base import File, Tidy

IDX_FILES = (
    "train-images-idx3-ubyte.gz",
    "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz",
)


def idx_files(address: str, checksums: tuple[str, str, str, str]) -> tuple[File, ...]:
    """Return the four files of a data set in MNIST's format, from the address of their folder and their checksums."""
    return tuple(File(name, address + name, checksum) for name, checksum in zip(IDX_FILES, checksums, strict=True))


def read_idx(compressed: bytes) -> np.ndarray:
    """Read a gzip-compressed idx file of unsigned bytes: a header of big-endian sizes, then the bytes.

    Raises ValueError if it is not one.
    """
    content = unpack(compressed, "an idx file")
    dimensions = content[3]
    shape = np.frombuffer(content, ">i4", dimensions, 4)
    if content[:3] != b"\x00\x00\x08" or len(content) != 4 + 4 * dimensions + shape.prod():
        raise ValueError("not an idx file of bytes")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def tidy_idx(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the images of a data set in MNIST's format as tidy arrays, and their counts."""
    train, train_labels, test, test_labels = (read_idx(raw[name].read_bytes()) for name in IDX_FILES)
    return tidy_splits((train, train_labels), (test, test_labels))


def tidy_splits(
    train: tuple[np.ndarray, np.ndarray], test: tuple[np.ndarray, np.ndarray]
) -> tuple[Tidy, dict[str, int]]:
    """Return (images, labels) of both splits as tidy arrays, training images first, and their counts."""
    images, labels = (np.concatenate(both) for both in zip(train, test, strict=True))
    split = np.repeat(np.array([0, 1], np.uint8), [len(train[0]), len(test[0])])
    tidy, counts = tidy_images(images, labels, split=split)
    return tidy, {**counts, "test images": len(test[0])}


def tidy_images(images: np.ndarray, labels: np.ndarray, **more: np.ndarray) -> tuple[Tidy, dict[str, int]]:
    """Return images and labels as tidy arrays, and their counts. more: further arrays, with one entry per image."""
    if len(images) != len(labels):
        raise ValueError(f"{len(images)} images but {len(labels)} labels")
    counts = {"images": len(images), "classes": len(np.unique(labels))}
    return {"images.npz": {"images": images, "labels": labels.astype(np.int64), **more}}, counts


def tidy_rows(table: pd.DataFrame) -> tuple[Tidy, dict[str, int]]:
    """Return a table with a column ``label`` as tidy, and its counts: rows, classes, size of the largest class."""
    sizes = table["label"].value_counts()
    return {"rows.parquet": table}, {"rows": len(table), "classes": len(sizes), "largest_class": int(sizes.iloc[0])}
