"""The declaration of a data set (`Dataset`, `File`), and the tidy form of each kind of data.

=========  ======================================================================================
kind       tidy form
=========  ======================================================================================
ratings    ``ratings.parquet``: user, item (int32 from 0), rating (float32: stars, or +1 and -1);
           published features, where there are any, in ``features.npz``: user_features, item_features
graph      ``edges.parquet``: source, target (int32), each undirected edge once
images     ``images.npz``: images (n, height, width[, 3]) uint8, labels (n,), and, where the official
           split is known, split (n,): 0 = training images, which come first, 1 = test images
rows       ``rows.parquet``: the attributes as columns, and ``label``; training rows first
log        ``log.npz``: arm (n,) from 0, click (n,), contexts (n, K, d); propensity (n,), unless the log was uniform
tags       ``user_artists.parquet``: user, artist, weight; ``tagged_artists.parquet``: user, artist, tag;
           ``tags.parquet``: tag, name; ``artists.parquet``: artist, name; with the official numbers
=========  ======================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from msgspec import Struct

from manybandits.base.exceptions import InputError

if TYPE_CHECKING:  # pandas takes long to import, and to list data sets needs none
    import pandas as pd

Tidy: TypeAlias = "dict[str, pd.DataFrame | dict[str, np.ndarray]]"
"""File name -> table (.parquet) or arrays (.npz)."""

TIDY_FILES = {
    "ratings": ("ratings.parquet",),
    "graph": ("edges.parquet",),
    "images": ("images.npz",),
    "rows": ("rows.parquet",),
    "log": ("log.npz",),
    "tags": ("user_artists.parquet", "tagged_artists.parquet", "tags.parquet", "artists.parquet"),
}
"""The files of a game's input, by kind of data."""
FEATURES_FILE = "features.npz"
"""Published features of users and items, which public games read."""

MOST_DOWNLOADED = 16 * 2**30
"""The most bytes of a download; none of the data sets has a larger file."""
MOST_UNPACKED = 2 * 2**30
"""The most bytes that a packed file, or a member of an archive, may unpack to; the largest here has a third of it."""


def in_gigabytes(count: int) -> str:
    """Return a number of bytes in words: ``2.0 GiB``."""
    return f"{count / 2**30:.1f} GiB"


LIMITS = (
    f"a download stops at {in_gigabytes(MOST_DOWNLOADED)}, and the reader of a packed file at "
    f"{in_gigabytes(MOST_UNPACKED)} of content"
)
"""The limits in words, as the card of a data set states them."""

OWN = "own"
"""The completeness and the family of a user's own data; no paper asks for them, and no claim is judged on them."""


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A raw file.

    name: its file name in the raw folder of its data set. url: its official address, or "" where there is none for a
    download. checksum: ``sha256:...``, ``md5:...`` or, of a file in a Git repository, ``git-blob:...`` (its id there);
    "" where none is published. mirror: its path in a mirror, if that is not ``<data set>/<name>``. size: in bytes, 0
    where it is not known.
    """

    name: str
    url: str = ""
    checksum: str = ""
    mirror: str = ""
    size: int = 0

    @property
    def unverified(self) -> bool:
        """Whether it may be something else: it can be downloaded, but no checksum is published."""
        return bool(self.url) and not self.checksum


class Dataset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A data set.

    family: the name by which papers ask for it; data of another family are marked as a stand-in, another release or a
    part of the same family are not. files: the raw files as published; copies: the same content in another form, as a
    mirror may have it. counts: the expected counts, verified at every build. by_hand: which file to put where, if it
    cannot be downloaded automatically. dislikes: whether it records what a user dislikes; links and randomly drawn
    pairs do not. features: whether features of users and items were published with it.
    """

    name: str
    family: str
    title: str
    kind: str
    completeness: str  # "complete", "subset", "extract", "embedded" or "own"
    licence: str
    citation: str
    home: str
    counts: dict[str, int] = {}
    files: tuple[File, ...] = ()
    copies: tuple[File, ...] = ()
    by_hand: str = ""
    notes: str = ""
    dislikes: bool = True
    features: bool = False

    @property
    def forms(self) -> tuple[tuple[File, ...], ...]:
        """The alternative sets of raw files, the official one first; empty for a data set without raw files."""
        return tuple(files for files in (self.files, self.copies) if files)

    @property
    def tidy_files(self) -> tuple[str, ...]:
        """The names of all files that its tidy form has."""
        return (*TIDY_FILES[self.kind], *([FEATURES_FILE] if self.features else []))

    @property
    def facts(self) -> dict[str, Any]:
        """What a game states of its data. Own data also have a licence and a checksum, which no declaration has."""
        said = {"name": self.name, "title": self.title, "completeness": self.completeness}
        if self.completeness != OWN:
            return said
        return {**said, "licence": self.licence, "files": {file.name: file.checksum for file in self.files}}

    def verify(self, counted: Mapping[str, int]) -> None:
        """Raise InputError unless the counts are the expected ones."""
        for what, expected in self.counts.items():
            if counted.get(what) != expected:
                raise InputError(
                    f"{self.name}: {counted.get(what)} {what} were found, but {expected} are expected: "
                    "the raw files are not those of this data set; delete them and fetch them again."
                )


def count_ratings(ratings: pd.DataFrame) -> dict[str, int]:
    """Return the numbers of ratings, users and items in a table of ratings."""
    return {"ratings": len(ratings), "users": ratings["user"].nunique(), "items": ratings["item"].nunique()}


def renumber(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of ratings with users and items numbered from 0, in the order of their official numbers.

    Raises ValueError naming the first row without a user or an item.
    """
    import pandas as pd

    missing = table[["user", "item"]].isna().any(axis=1).to_numpy()
    if missing.any():
        raise ValueError(f"row {int(missing.argmax()) + 1} names no user or no item")
    return pd.DataFrame(
        {
            "user": np.unique(table["user"], return_inverse=True)[1].astype(np.int32),
            "item": np.unique(table["item"], return_inverse=True)[1].astype(np.int32),
            "rating": table["rating"].to_numpy(np.float32),
        }
    )
