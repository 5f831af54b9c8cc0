"""What ``manybandits data`` does: data sets are listed, described, fetched and made tidy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from manybandits import datasets
from manybandits.base.artifacts import cache_folder
from manybandits.base.printing import print_fields, print_json, print_table
from manybandits.datasets.base import LIMITS, Dataset, File
from manybandits.datasets.fetch import chosen_mirror, fetch, is_address, mirror_place

COLUMNS = ("name", "family", "kind", "completeness", "title", "files", "licence")
SHOWN = ("name", "family", "files", "licence")
"""The columns of a list that are printed without --json."""
DESCRIBED = ("name", "title", "family", "kind", "completeness", "home", "licence", "citation", "counts")
"""The facts of a data set that are shown as its declaration has them."""


def raw_folder() -> Path:
    """Return the folder of raw files: in the cache, where `manybandits.interface.data` looks for them, too."""
    return cache_folder() / "data/raw"


def run(args: argparse.Namespace) -> None:
    """Do what was asked for, and print it."""
    raw: Path = args.raw or raw_folder()
    if args.inner == "list":
        rows = listed(raw, args.mirror)
        print_json({"datasets": rows}) if args.json else print_table(rows, SHOWN)
        return
    source = datasets.load(datasets.checked_name(args.name))
    if args.inner == "show":
        facts = described(source.DATASET, raw, args.mirror)
        print_json({"dataset": facts}) if args.json else print_fields(facts)
        return
    if args.inner == "fetch":
        written = [str(path) for path in fetch(source.DATASET, raw, args.mirror).values()]
    else:
        from manybandits.datasets.build import build  # imports pandas

        written = [str(build(source, raw, args.out, args.mirror))]
    if args.json:
        print_json({"written": written})
    else:
        print("\n".join(written))


def listed(raw: Path | None = None, mirror: str | None = None) -> list[dict[str, object]]:
    """Return one row per data set, with where its raw files are."""
    folder, mirror = raw or raw_folder(), chosen_mirror(mirror)
    known = [datasets.load(name).DATASET for name in datasets.names()]
    facts = [{name: getattr(one, name) for name in COLUMNS if name != "files"} for one in known]
    return [{**row, "files": _state(one, folder, mirror)} for row, one in zip(facts, known, strict=True)]


def _state(dataset: Dataset, raw: Path, mirror: str | None) -> str:
    """Return whether the raw files of a data set are here, and else how they can be had; no address is asked."""
    if not dataset.forms:
        return "needs none"
    places: dict[str, Callable[[File], Path]] = {"here": lambda file: raw / dataset.name / file.name}
    if mirror and not is_address(mirror):
        top = Path(mirror)
        places["in the mirror"] = lambda file: top / mirror_place(dataset, file)
    for said, place in places.items():
        if any(all(place(file).is_file() for file in files) for files in dataset.forms):
            return said
    if dataset.by_hand:
        return "by hand"
    return "to download" if all(file.url for file in dataset.files) else "in no public place"


def described(dataset: Dataset, raw: Path | None = None, mirror: str | None = None) -> dict[str, object]:
    """Return the facts about a data set, with where each of its files is, or comes from and is missing."""
    folder = (raw or raw_folder()) / dataset.name
    state = _state(dataset, folder.parent, chosen_mirror(mirror))
    return {
        **{name: getattr(dataset, name) for name in DESCRIBED},
        "by_hand": dataset.by_hand.format(folder=folder),
        "notes": dataset.notes,
        "raw_files": state,
        "files": {file.name: _place_of(file, folder, state) for file in dataset.files},
        "copies": {file.name: _place_of(file, folder, state) for file in dataset.copies},
        "limits": LIMITS if dataset.forms else "",
    }


def _place_of(file: File, folder: Path, state: str) -> str:
    """Return where a raw file is, or comes from, and its checksum. state: of the data set, see `_state`."""
    missing = "" if state in ("here", "in the mirror") else "missing"
    place = str(folder / file.name) if (folder / file.name).is_file() else f"{missing} {file.url}".strip()
    return " ".join(filter(None, (place, file.checksum or "(no checksum is published: the counts are verified)")))
