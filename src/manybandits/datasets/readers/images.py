"""Images with labels: idx files as those of MNIST, records of CIFAR-10, arrays, and the pictures of notMNIST."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from manybandits.datasets.archives import open_packed, read_arrays, tar_members
from manybandits.datasets.base import Tidy

RECORD = 1 + 3 * 32 * 32  # bytes of an image of CIFAR-10: its label and three planes
TRAIN = tuple(f"data_batch_{number}" for number in range(1, 6))
LETTERS = "ABCDEFGHIJ"


def idx(raw: dict[str, Path], *, members: Sequence[str] = ()) -> tuple[Tidy, dict[str, int]]:
    """Read images and labels of the training split, then those of the test split, from idx files that gzip packed.

    members: their names in the archive, if the raw file is a zip archive.
    """
    path = next(iter(raw.values()))
    places = [(path, member) for member in members] or [(path, "") for path in raw.values()]
    train, train_labels, test, test_labels = (_idx(*place) for place in places)
    return _splits((train, train_labels), (test, test_labels))


def cifar(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read the binary version of CIFAR-10, a tar archive with five batches for training and one for the test."""
    found = dict(tar_members(next(iter(raw.values()))))
    train, test = (
        _records(b"".join(found[f"cifar-10-batches-bin/{name}.bin"] for name in names))
        for names in (TRAIN, ("test_batch",))
    )
    return _splits(train, test)


def records(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read a packed file of records of CIFAR-10."""
    with open_packed(next(iter(raw.values()))) as file:
        return _images(*_records(file.read()))


def arrays(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read an ``.npz`` file with images and labels, or with train_images, train_labels, test_images, test_labels."""
    found = read_arrays(next(iter(raw.values())))
    if "images" in found:
        return _images(found["images"], found["labels"])
    train, test = ((found[f"{split}_images"], found[f"{split}_labels"]) for split in ("train", "test"))
    return _splits(train, test)


def pictures(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read notMNIST, a tar archive with a folder of pictures per letter, or its copy as arrays.

    Images are sorted by letter, then by file name. Files that are no pictures are left out.
    """
    from PIL import Image, UnidentifiedImageError  # here, because only the official archive needs it

    path = next(iter(raw.values()))
    if path.suffix == ".npz":
        return arrays(raw)
    images, labels = [], []
    for name, content in sorted((name, content) for name, content in tar_members(path) if name.endswith(".png")):
        try:
            images.append(np.asarray(Image.open(io.BytesIO(content)).convert("L")))
        except UnidentifiedImageError:
            continue
        labels.append(LETTERS.index(Path(name).parent.name))
    return _images(np.stack(images), np.array(labels))


def _idx(path: Path, member: str) -> np.ndarray:
    """Read a packed idx file of unsigned bytes: a header of big-endian sizes, then the bytes.

    Raises ValueError if it is none.
    """
    with open_packed(path, member) as file:
        content = file.read()
    dimensions = content[3]
    shape = np.frombuffer(content, ">i4", dimensions, 4)
    if content[:3] != b"\x00\x00\x08" or len(content) != 4 + 4 * dimensions + shape.prod():
        raise ValueError("not an idx file of bytes")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def _records(content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return images, (n, 32, 32, 3), and labels, (n,), from records of a label and three colour planes."""
    found = np.frombuffer(content, np.uint8).reshape(-1, RECORD)
    return found[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), found[:, 0]


def _splits(train: tuple[np.ndarray, np.ndarray], test: tuple[np.ndarray, np.ndarray]) -> tuple[Tidy, dict[str, int]]:
    """Return (images, labels) of both splits as tidy arrays, training images first, and their counts."""
    images, labels = (np.concatenate(both) for both in zip(train, test, strict=True))
    split = np.repeat(np.array([0, 1], np.uint8), [len(train[0]), len(test[0])])
    tidy, counts = _images(images, labels, split=split)
    return tidy, {**counts, "test images": len(test[0])}


def _images(images: np.ndarray, labels: np.ndarray, **more: np.ndarray) -> tuple[Tidy, dict[str, int]]:
    """Return images and labels as tidy arrays, and their counts. more: further arrays, with one entry per image."""
    if len(images) != len(labels):
        raise ValueError(f"{len(images)} images but {len(labels)} labels")
    counts = {"images": len(images), "classes": len(np.unique(labels))}
    return {"images.npz": {"images": images, "labels": labels.astype(np.int64), **more}}, counts
