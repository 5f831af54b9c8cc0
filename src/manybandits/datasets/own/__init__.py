"""A user's own tables, CSV or Parquet, as tidy data: `ratings`, `rows` (a classification table) and `log`.

Every fault of a table stops at once, with its file, row and column, and what to do about it.
"""

from __future__ import annotations

from manybandits.base.artifacts import sha256
from manybandits.base.exceptions import in_one_line
from manybandits.datasets.base import OWN, Dataset, File
from manybandits.datasets.own.tables import OwnTable, Source


def declare(kind: str, *sources: Source) -> Dataset:
    """Return the declaration of own data of a kind (see `manybandits.datasets.base`), named after the first table.

    It says in its title, and so in every figure, that the data are the user's own.
    """
    files = [
        File(f"the frame {one.name}", checksum=f"sha256:{one.checksum}")
        if isinstance(one, OwnTable)
        else File(one.name, checksum=f"sha256:{sha256(one)}")
        for one in sources
    ]
    first = sources[0]
    return Dataset(
        name=first.name if isinstance(first, OwnTable) else first.stem,
        family=OWN,
        title=f"own data {in_one_line(' and '.join(file.name for file in files))} (licence unknown)",
        kind=kind,
        completeness=OWN,
        licence="unknown",
        citation="",
        home="",
        counts={},
        files=tuple(files),
    )
