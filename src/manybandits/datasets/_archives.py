"""Readers of packed files and of single members of archives, in memory: nothing is unpacked to disk.

All of them stop with an InputError where a file unpacks to more than `MOST_UNPACKED` bytes, so that a file of a few
kilobytes cannot fill the memory.
"""

from __future__ import annotations

import contextlib
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


class _Limited(io.RawIOBase):
    """A file that raises InputError at its byte number `MOST_UNPACKED`."""

    def __init__(self, file: Any, name: str) -> None:
        self.file, self.of = file, name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        return self.file.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        content = self.file.read(len(buffer))
        buffer[: len(content)] = content
        _check_size(self.file.tell(), self.of)
        return len(content)

    def close(self) -> None:
        self.file.close()
        super().close()


def open_packed(path: Path) -> IO[bytes]:
    """Open the content of a file that ends in .gz or .xz, and any other file as it is."""
    if path.suffix not in (".gz", ".xz"):
        return path.open("rb")
    reader = gzip.GzipFile if path.suffix == ".gz" else lzma.LZMAFile
    return io.BufferedReader(_Limited(reader(path), str(path)), 1 << 20)


def unpack(packed: bytes, name: str) -> bytes:
    """Return the content of bytes that gzip packed. name: for messages."""
    return io.BufferedReader(_Limited(gzip.GzipFile(fileobj=io.BytesIO(packed)), name)).read()


def open_zip_member(archive: Path, member: str) -> IO[bytes]:
    """Open one member of a zip archive; raise KeyError if the archive has none of that name."""
    content = zipfile.ZipFile(archive)
    _check_size(content.getinfo(member).file_size, f"{archive}, {member}")  # of which no more is ever read
    return content.open(member)


@contextlib.contextmanager
def open_tar(archive: Path) -> Iterator[tarfile.TarFile]:
    """Open a tar archive that gzip packed."""
    with open_packed(archive) as content, tarfile.open(fileobj=content, mode="r:") as members:
        yield members


def read_tar_member(archive: tarfile.TarFile, member: str | tarfile.TarInfo) -> bytes:
    """Return the content of one member of an open tar archive; raise KeyError if it is missing or not a file."""
    found = archive.getmember(member) if isinstance(member, str) else member
    content = archive.extractfile(found) if found.isfile() else None
    if content is None:
        raise KeyError(f"{found.name} is not a file")
    return content.read()


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
