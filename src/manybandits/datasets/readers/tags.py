"""Last.FM from HetRec 2011: which artists users listen to, and how users tag artists."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd

from manybandits.datasets.archives import open_packed
from manybandits.datasets.base import Tidy


def lastfm(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Read four tables, of the official archive or of a file each, with the official numbers."""
    listened = _read(raw, "user_artists", {"userID": "user", "artistID": "artist", "weight": "weight"})
    tagged = _read(raw, "user_taggedartists", {"userID": "user", "artistID": "artist", "tagID": "tag"})
    tags = _read(raw, "tags", {"tagID": "tag", "tagValue": "name"}, encoding="latin-1")
    artists = _read(raw, "artists", {"id": "artist", "name": "name"})
    counts = {
        "users": listened["user"].nunique(),
        "artists": len(artists),
        "listened": len(listened),
        "tagged": len(tagged),
        "tags": len(tags),
    }
    return {
        "user_artists.parquet": listened,
        "tagged_artists.parquet": tagged,
        "tags.parquet": tags,
        "artists.parquet": artists,
    }, counts


def _read(raw: dict[str, Path], name: str, columns: dict[str, str], encoding: str = "utf-8") -> pd.DataFrame:
    """Return the given columns of a table under new names. columns: official name -> new name."""
    path = raw.get(f"{name}.dat.gz", next(iter(raw.values())))
    with open_packed(path, f"{name}.dat") as file:
        # A name may contain a quotation mark, and may be a word that pandas reads as a missing value.
        table = pd.read_csv(
            file, sep="\t", encoding=encoding, usecols=list(columns), quoting=csv.QUOTE_NONE, keep_default_na=False
        )
    return table.rename(columns=columns)
