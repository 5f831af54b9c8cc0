"""Last.FM from HetRec 2011: which artists users listen to, and how users tag artists."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd

from manybandits.datasets._archives import open_packed, open_zip_member
from manybandits.datasets.base import Dataset, File, Tidy

ARCHIVE = "hetrec2011-lastfm-2k.zip"

DATASET = Dataset(
    name="lastfm-hetrec2011",
    family="lastfm",
    title="Last.FM (HetRec 2011)",
    kind="tags",
    completeness="complete",
    licence="non-commercial use (HetRec 2011)",
    citation="Cantador, Brusilovsky and Kuflik 2011, HetRec 2011",
    home="https://grouplens.org/datasets/hetrec-2011/",
    counts={"users": 1_892, "artists": 17_632, "listened": 92_834, "tagged": 186_479, "tags": 11_946},
    files=(
        File(
            ARCHIVE,
            "https://files.grouplens.org/datasets/hetrec2011/hetrec2011-lastfm-2k.zip",
            "sha256:6738f48195667ff03caaab4d32ca9a3133d8cc026b7c3cdaf6ce1010e913c59c",
        ),
    ),
    copies=(
        File("user_artists.dat.gz", checksum="sha256:7ac060068ac242ff1bfb3b402c6b4375665947cbcf9b8c6ecad8b2ee3e59b1bc"),
        File(
            "user_taggedartists.dat.gz",
            checksum="sha256:a00b5dbd1e102dda082ad6c920f4ade2c0f42fc64151eb96bec4b698f46e5452",
        ),
        File("tags.dat.gz", checksum="sha256:b4cfd74a81fbdd01b6b9e5dded7d34ba95fe7f3bc6692197317dd75eef3d902e"),
        File("artists.dat.gz", checksum="sha256:d6784b625c6f3bdb73bf75b2d8873300fd4028afc44ba6282804e7e7b983d9bc"),
    ),
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the four tidy tables, with the official numbers, and their counts."""
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
    with open_zip_member(raw[ARCHIVE], f"{name}.dat") if ARCHIVE in raw else open_packed(raw[f"{name}.dat.gz"]) as file:
        # A name may contain a quotation mark, and may be a word that pandas reads as a missing value.
        table = pd.read_csv(
            file, sep="\t", encoding=encoding, usecols=list(columns), quoting=csv.QUOTE_NONE, keep_default_na=False
        )
    return table.rename(columns=columns)
