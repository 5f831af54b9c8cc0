"""Packed files and members of archives, read in memory: nothing is unpacked to disk, so that no member and no link can
lead out of a folder.

All of it stops with an InputError where a file unpacks to more than `MOST_UNPACKED` bytes, so that a file of a few
kilobytes cannot fill the memory.
"""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.datasets.base import MOST_UNPACKED, in_gigabytes

UNPACKERS: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}


class _Limited(io.RawIOBase):
    """A file that raises InputError at its byte number `MOST_UNPACKED`."""

    def __init__(self, file: Any, name: str) -> None:
        self.file, self.of = file, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # pyrefly: ignore[bad-override]
        content = self.file.read(len(buffer))
        buffer[: len(content)] = content
        _check_size(self.file.tell(), self.of)
        return len(content)

    def close(self) -> None:
        self.file.close()
        super().close()


def open_packed(path: Path, member: str = "") -> IO[bytes]:
    """Open a raw file, or the member of one that is a zip archive, unpacked if its name ends with .gz or .xz.

    Raises KeyError if the archive has no such member.
    """
    zipped = path.suffix == ".zip"
    unpacker = UNPACKERS.get(Path(member).suffix if zipped else path.suffix)
    if unpacker is None and not zipped:
        return path.open("rb")
    content: Any = zipfile.ZipFile(path).open(member) if zipped else path  # noqa: SIM115 - closed by its reader
    name = f"{path}, {member}" if zipped else str(path)
    return io.BufferedReader(_Limited(unpacker(content) if unpacker else content, name), 1 << 20)


def tar_members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file in a packed tar archive, in its order; links are left out."""
    with open_packed(path) as content, tarfile.open(fileobj=content, mode="r|") as archive:
        for entry in archive:
            if entry.isfile() and (file := archive.extractfile(entry)):
                yield entry.name, file.read()


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of an ``.npz`` file by name."""
    with zipfile.ZipFile(path) as content:
        _check_size(sum(member.file_size for member in content.infolist()), str(path))
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _check_size(size: int, name: str) -> None:
    if size > MOST_UNPACKED:
        raise InputError(
            f"{name} unpacks to more than {in_gigabytes(MOST_UNPACKED)}, more than any data set here: it is not what "
            "it should be; delete it and fetch it again."
        )
