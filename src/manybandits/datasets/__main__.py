"""``python -m manybandits.datasets list | show NAME | fetch NAME | tidy NAME``."""

from __future__ import annotations

import argparse
from pathlib import Path

from manybandits import datasets
from manybandits.base.exceptions import run_script
from manybandits.base.printing import print_fields, print_json, print_table
from manybandits.datasets.base import LIMITS, Dataset, File
from manybandits.datasets.build import build
from manybandits.datasets.fetch import chosen_mirror, fetch, is_address, mirror_place

COLUMNS = ("name", "family", "kind", "completeness", "in_the_mirror", "licence")


def main(argv: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.datasets", description="Data sets of the five papers.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="list all data sets")
    show = commands.add_parser("show", help="say what a data set is and where it comes from")
    get = commands.add_parser("fetch", help="get the raw files of a data set and check them")
    tidy = commands.add_parser("tidy", help="make the raw files of a data set tidy, fetching them first")
    for command in (show, get, tidy):
        command.add_argument("name", help="a data set, as `list` names it, or a file such as my_ratings.py")
    for command in (get, tidy):
        command.add_argument("--raw", type=Path, default=Path("artifacts/data/raw"), help="folder of raw files")
        command.add_argument("--mirror", help="folder or address tried first (default: MANYBANDITS_MIRROR)")
    tidy.add_argument("--out", type=Path, default=Path("artifacts/data/tidy"), help="folder of tidy files")
    for command in (listing, show, get, tidy):
        command.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(argv)
    if given.command == "list":
        rows = listed()
        print_json({"datasets": rows}) if given.json else print_table(rows, COLUMNS)
        return
    source = datasets.load(datasets.checked_name(given.name))
    if given.command == "show":
        facts = described(source.DATASET)
        print_json({"dataset": facts}) if given.json else print_fields(facts)
        return
    if given.command == "fetch":
        written = [str(path) for path in fetch(source.DATASET, given.raw, given.mirror).values()]
    else:
        written = [str(build(source, given.raw, given.out, given.mirror))]
    if given.json:
        print_json({"written": written})
    else:
        print("\n".join(written))


def listed() -> list[dict[str, object]]:
    """Return one row per data set, with whether the mirror has its raw files."""
    mirror = chosen_mirror()
    rows = []
    for one in (datasets.load(name).DATASET for name in datasets.names()):
        facts = {name: getattr(one, name) for name in COLUMNS if hasattr(one, name)}
        rows.append({**facts, "in_the_mirror": _mirrored(one, mirror)})
    return rows


def _mirrored(dataset: Dataset, mirror: str | None) -> str:
    """Say whether a mirror holds a data set; what an address holds is not asked."""
    if not dataset.forms:
        return "needs no file"
    if mirror is None:
        return "no mirror"
    if is_address(mirror):
        return "not asked"
    held = any(all((Path(mirror) / mirror_place(dataset, file)).is_file() for file in files) for files in dataset.forms)
    return "yes" if held else "no"


def described(dataset: Dataset) -> dict[str, object]:
    """Return the facts about a data set, with the files that it is made of."""
    return {
        "name": dataset.name,
        "title": dataset.title,
        "family": dataset.family,
        "kind": dataset.kind,
        "complete": dataset.completeness,
        "home": dataset.home,
        "licence": dataset.licence,
        "cite": dataset.citation,
        "counts": {what: f"{count:,}" for what, count in dataset.counts.items()},
        "by hand": dataset.by_hand.format(folder=f"RAW/{dataset.name}"),
        "notes": dataset.notes,
        "files": {file.name: _place_of(file) for file in dataset.files},
        "copies": {file.name: _place_of(file) for file in dataset.copies},
        "limits": LIMITS if dataset.forms else "",
    }


def _place_of(file: File) -> str:
    """Return where a raw file is from, and its checksum."""
    return " ".join(filter(None, (file.url, file.checksum or "(no checksum is published: the counts are verified)")))


if __name__ == "__main__":
    run_script(main)
