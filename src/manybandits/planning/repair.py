"""Find files that a run cannot use: damaged, empty, left by a job that was killed, or dated in the future.

What is found can be deleted, since the next run makes it again; a date is set to now. Raw data are not searched: they
may have been placed by hand, and their checksums are verified whenever they are read.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from manybandits.base.artifacts import check_bytes, load_arrays, load_json, load_table, provenance_path
from manybandits.base.exceptions import InputError

SKIPPED = ("raw", "logs", "plans")
"""Folders that are not searched: no job reads what is in the last two."""
MADE = (".npz", ".parquet", ".zip", ".json", ".jsonl", ".csv", ".md", ".tex", ".svg", ".html", ".js", ".css")
"""The endings of files that jobs make; none of them is ever empty."""
TEMPORARY = re.compile(r"\..+-[a-z0-9_]{8}(\.\w+)?")
"""The names of files that are not complete yet, see `manybandits.base.artifacts.replacing`."""
FUTURE = "it is dated in the future"
"""A fault of a file that was made before the clock went back; Snakemake makes nothing from it."""
READERS = {".npz": load_arrays, ".parquet": load_table, ".json": load_json}


def faults(folders: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files in some folders that a run cannot use, each with what is wrong with it."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            if path.is_file() and not set(SKIPPED) & set(parts[:-1]) and (found := fault(path)):
                yield path, found


def fault(path: Path) -> str:
    """Return what is wrong with a file; "" if nothing is known to be."""
    if TEMPORARY.fullmatch(path.name):
        return "a job that was killed left it"
    if path.suffix not in MADE:
        return ""
    if not path.stat().st_size:
        return "it is empty"
    try:
        check_bytes(path)
        if path.suffix in READERS and not provenance_path(path).exists():
            READERS[path.suffix](path)
    except InputError:
        return "it is damaged"
    return FUTURE if is_of_the_future(path) else ""


def is_of_the_future(path: Path) -> bool:
    """Return whether a file is dated later than now, by more than a second."""
    return path.is_file() and path.stat().st_mtime > time.time() + 1


def mend(path: Path, found: str) -> None:
    """Delete a file that a run cannot use, given what is wrong with it; one of the future is dated to now."""
    if found == FUTURE:
        os.utime(path)
    else:
        path.unlink()
