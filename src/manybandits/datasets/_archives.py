"""Readers of single members of zip and tar archives, in memory: nothing is unpacked to disk."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path
from typing import IO


def open_zip_member(archive: Path, member: str) -> IO[bytes]:
    """Open one member of a zip archive; raise KeyError if the archive has none of that name."""
    return zipfile.ZipFile(archive).open(member)


def read_tar_member(archive: tarfile.TarFile, member: str | tarfile.TarInfo) -> bytes:
    """Return the content of one member of an open tar archive; raise KeyError if it is missing or not a file."""
    content = archive.extractfile(member)
    if content is None:
        raise KeyError(f"{member} is not a file")
    return content.read()
