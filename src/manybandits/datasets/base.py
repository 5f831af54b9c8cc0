"""What a data set declares, and what its tidy form is.

=========  ======================================================================================
kind       tidy form
=========  ======================================================================================
ratings    ``ratings.parquet``: user, item (int32 from 0), rating (float32: stars, or +1 and -1);
           published features, where there are any, in ``features.npz``: user_features, item_features
graph      ``edges.parquet``: source, target (int32), each undirected edge once
images     ``images.npz``: images (n, height, width[, 3]) uint8, labels (n,), and, where the official
           split is known, split (n,): 0 = training images, which come first, 1 = test images
rows       ``rows.parquet``: the attributes as columns, and ``label``; training rows first
log        ``log.npz``: arm (n,) from 0, click (n,), contexts (n, K, d)
tags       ``user_artists.parquet``: user, artist, weight; ``tagged_artists.parquet``: user, artist, tag;
           ``tags.parquet``: tag, name; ``artists.parquet``: artist, name; official numbers kept
=========  ======================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError

Tidy = dict[str, pd.DataFrame | dict[str, np.ndarray]]
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
"""Published features of users and items, which no game reads."""


@dataclass(frozen=True)
class File:
    """A raw file.

    name: where it stands in the raw folder of its data set. checksum: ``sha256:...`` or ``md5:...``, or ""
    where none is published. mirror: its place in a mirror, where that differs from ``<data set>/<name>``.
    """

    name: str
    url: str = ""
    checksum: str = ""
    mirror: str = ""


@dataclass(frozen=True)
class Dataset:
    """A data set.

    family: what a paper calls it; another release or a part of the same family is not a stand-in.
    files: what it is downloaded as; copies: the same content in another form, as a mirror may hold it.
    counts: verified at every build. by_hand: what to place where, if its licence forbids a download.
    """

    name: str
    family: str
    title: str
    kind: str
    completeness: str  # "complete", "subset", "extract" or "embedded"
    licence: str
    citation: str
    home: str
    counts: Mapping[str, int]
    files: tuple[File, ...] = ()
    copies: tuple[File, ...] = ()
    by_hand: str = ""
    notes: str = ""
    dislikes: bool = True  # whether it says what a user dislikes; links and drawn pairs do not
    features: bool = False  # whether features of users and items were published with it

    @property
    def forms(self) -> tuple[tuple[File, ...], ...]:
        """The forms its raw files may have, the official one first; none where nothing is read."""
        return tuple(files for files in (self.files, self.copies) if files)

    @property
    def tidy_files(self) -> tuple[str, ...]:
        """The names of all files that its tidy form has."""
        return (*TIDY_FILES[self.kind], *([FEATURES_FILE] if self.features else []))

    def verify(self, counted: Mapping[str, int]) -> None:
        """Raise InputError unless what was counted is what is expected."""
        for what, expected in self.counts.items():
            if counted.get(what) != expected:
                raise InputError(
                    f"{self.name}: {counted.get(what)} {what} were found, but there should be {expected}: "
                    "the raw files are not those of this data set; delete them and fetch them again."
                )


def count_ratings(ratings: pd.DataFrame) -> dict[str, int]:
    """Return how many ratings, users and items a table of ratings has."""
    return {"ratings": len(ratings), "users": ratings["user"].nunique(), "items": ratings["item"].nunique()}


def renumber(table: pd.DataFrame) -> pd.DataFrame:
    """Number the users and items of a table of ratings from 0, in the order of their official numbers."""
    return pd.DataFrame(
        {
            "user": np.unique(table["user"], return_inverse=True)[1].astype(np.int32),
            "item": np.unique(table["item"], return_inverse=True)[1].astype(np.int32),
            "rating": table["rating"].to_numpy(np.float32),
        }
    )
