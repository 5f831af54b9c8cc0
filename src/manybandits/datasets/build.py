"""Raw files to tidy files, with the counts verified at every build."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from manybandits.base.artifacts import Provenance, save_arrays, save_table
from manybandits.base.exceptions import InputError
from manybandits.datasets import PLACE, Source
from manybandits.datasets.base import Dataset, Tidy
from manybandits.datasets.checks import check_tidy
from manybandits.datasets.fetch import fetch, set_aside

UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What readers raise when a file is not what its name says: damaged, cut short, or something else altogether."""


def build(source: Source, raw: Path, out: Path, mirror: str | None = None) -> Path:
    """Fetch the raw files of a data set, make them tidy in ``out / name``, and return that folder.

    Raises InputError when a raw file cannot be had, cannot be read, or does not hold what it should. A download for
    which no checksum is published is then moved aside, so that the next build fetches it again.
    """
    dataset = source.DATASET
    files = fetch(dataset, raw, mirror) if dataset.files else {}
    provenance = Provenance({"dataset": dataset.name, "home": dataset.home}, tuple(files.values()))
    try:
        tidy, counted = read(source, files)
        dataset.verify(counted)
        check_tidy(dataset, tidy)
    except InputError as error:
        moved = [set_aside(files[file.name]).name for file in dataset.files if file.name in files and file.unverified]
        cure = f" It was moved to {' and '.join(moved)}: run again to fetch it anew." if moved else ""
        raise InputError(f"{error}{cure}") from error
    return write(dataset, tidy, counted, out / dataset.name, provenance, source.plugin)


def write(
    dataset: Dataset, tidy: Tidy, counted: Mapping[str, int], folder: Path, provenance: Provenance, plugin: str = ""
) -> Path:
    """Write tidy data with their facts and their provenance to a folder and return it.

    plugin: the path of the data set, if it is one.
    """
    facts = {
        "dataset": dataset.name,
        "counts": counted,
        "completeness": dataset.completeness,
        "licence": dataset.licence,
    }
    if plugin:
        facts[PLACE] = plugin
    for name, content in tidy.items():
        if isinstance(content, pd.DataFrame):
            save_table(folder / name, content, facts)
        else:
            save_arrays(folder / name, content, facts)
        provenance.save(folder / name)
    return folder


def read(source: Source, files: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Make raw files tidy; where a reader stumbles, raise InputError naming the files and the cure."""
    try:
        return source.tidy(files)
    except InputError:
        raise
    except UNREADABLE as error:
        places, reason = ", ".join(map(str, files.values())), " ".join(str(error).split())
        if not files:
            raise InputError(
                f"{source.DATASET.name}: its function tidy fails ({type(error).__name__}: {reason}): correct it."
            ) from error
        raise InputError(
            f"{source.DATASET.name} cannot be read from {places} ({type(error).__name__}: {reason}): "
            "delete what is damaged and fetch it again."
        ) from error
