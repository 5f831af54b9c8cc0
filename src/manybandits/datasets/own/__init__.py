"""A user's own tables, CSV or Parquet, as tidy data: `ratings`, `rows` (a classification table) and `log`.

Every fault of a table stops at once, with its file, row and column, and what to do about it.
"""

from __future__ import annotations

from pathlib import Path

from manybandits.base.artifacts import sha256
from manybandits.base.exceptions import in_one_line
from manybandits.datasets.base import OWN, Dataset, File


def declare(kind: str, *files: Path) -> Dataset:
    """Return the declaration of own data of a kind (see `manybandits.datasets.base`), named after the first file.

    It says in its title, and so in every figure, that the data are the user's own.
    """
    names = [path.name for path in files]
    return Dataset(
        name=files[0].stem,
        family=OWN,
        title=f"own data {in_one_line(' and '.join(names))} (licence unknown)",
        kind=kind,
        completeness=OWN,
        licence="unknown",
        citation="",
        home="",
        counts={},
        files=tuple(File(name, checksum=f"sha256:{sha256(path)}") for name, path in zip(names, files, strict=True)),
    )
