"""``python -m manybandits.datasets list | show NAME | fetch NAME | tidy NAME``."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

from manybandits import datasets
from manybandits.base.exceptions import run_script
from manybandits.datasets.base import Dataset
from manybandits.datasets.build import build
from manybandits.datasets.fetch import chosen_mirror, fetch, is_address, mirror_place


def main(argv: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.datasets", description="Data sets of the five papers.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list all data sets")
    show = commands.add_parser("show", help="say what a data set is and where it comes from")
    get = commands.add_parser("fetch", help="get the raw files of a data set and check them")
    tidy = commands.add_parser("tidy", help="make the raw files of a data set tidy, fetching them first")
    for command in (show, get, tidy):
        command.add_argument("name", help="a data set, as `list` names it, or a file such as my_ratings.py")
    for command in (get, tidy):
        command.add_argument("--raw", type=Path, default=Path("artifacts/data/raw"), help="folder of raw files")
        command.add_argument("--mirror", help="folder or address tried first (default: MANYBANDITS_MIRROR)")
    tidy.add_argument("--out", type=Path, default=Path("artifacts/data/tidy"), help="folder of tidy files")
    given = parser.parse_args(argv)
    if given.command == "list":
        _list()
        return
    module = datasets.load(datasets.checked_name(given.name))
    if given.command == "show":
        _show(module.DATASET)
    elif given.command == "fetch":
        for path in fetch(module.DATASET, given.raw, given.mirror).values():
            print(path)
    else:
        print(build(module, given.raw, given.out, given.mirror))


def _list() -> None:
    mirror = chosen_mirror()
    described = [datasets.load(name).DATASET for name in datasets.names()]
    rows = [("name", "family", "kind", "completeness", "in the mirror", "licence")]
    rows += [
        (
            d.name,
            d.family,
            d.kind,
            d.completeness,
            _mirrored(d, mirror),
            textwrap.shorten(d.licence, 40, placeholder=" ..."),
        )
        for d in described
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


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


def _show(dataset: Dataset) -> None:
    lines = {
        "name": dataset.name,
        "title": dataset.title,
        "family": dataset.family,
        "kind": dataset.kind,
        "complete": dataset.completeness,
        "home": dataset.home,
        "licence": dataset.licence,
        "cite": dataset.citation,
        "counts": ", ".join(f"{count:,} {what}" for what, count in dataset.counts.items()),
        "by hand": dataset.by_hand.format(folder=f"RAW/{dataset.name}"),
        "notes": dataset.notes,
    }
    for key, value in lines.items():
        if value:
            print(textwrap.fill(f"{key:<10}{value}", 100, subsequent_indent=" " * 10, break_on_hyphens=False))
    for title, files in (("file", dataset.files), ("copy", dataset.copies)):
        for file in files:
            print(f"{title:<10}{file.name}")
            for fact in (file.url, file.checksum or "no checksum is published: the counts are verified instead"):
                if fact:
                    print(" " * 12 + fact)


if __name__ == "__main__":
    run_script(main)
