"""``python -m manybandits.datasets list | show NAME | fetch NAME | tidy NAME``."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

from manybandits import datasets
from manybandits.core.errors import run_script
from manybandits.datasets.build import build
from manybandits.datasets.fetch import default_mirror, fetch


def main(argv: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.datasets", description="Data sets of the five papers.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list all data sets")
    show = commands.add_parser("show", help="say what a data set is and where it comes from")
    get = commands.add_parser("fetch", help="get the raw files of a data set and check them")
    tidy = commands.add_parser("tidy", help="make the raw files of a data set tidy, fetching them first")
    for command in (show, get, tidy):
        command.add_argument("name")
    for command in (get, tidy):
        command.add_argument("--raw", type=Path, default=Path("artifacts/data/raw"), help="folder of raw files")
        command.add_argument("--mirror", help="folder or address tried first (default: MANYBANDITS_MIRROR)")
    tidy.add_argument("--out", type=Path, default=Path("artifacts/data/tidy"), help="folder of tidy files")
    given = parser.parse_args(argv)
    if given.command == "list":
        _list()
        return
    module = datasets.load(given.name)
    if given.command == "show":
        _show(module.DATASET)
    elif given.command == "fetch":
        for path in fetch(module.DATASET, given.raw, given.mirror).values():
            print(path)
    else:
        print(build(module, given.raw, given.out, given.mirror))


def _list() -> None:
    described = [datasets.load(name).DATASET for name in datasets.names()]
    rows = [("name", "family", "kind", "completeness", "in the mirror")]
    rows += [(d.name, d.family, d.kind, d.completeness, _mirrored(d)) for d in described]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _mirrored(dataset) -> str:  # type: ignore[no-untyped-def]
    mirror = default_mirror()
    if not mirror or mirror.startswith("http"):
        return "unknown"
    for files in filter(None, (dataset.files, dataset.copies)):
        if all((Path(mirror) / (file.mirror or f"{dataset.name}/{file.name}")).is_file() for file in files):
            return "yes"
    return "needs no file" if not dataset.files and not dataset.copies else "no"


def _show(dataset) -> None:  # type: ignore[no-untyped-def]
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
        "files": ", ".join(file.name for file in dataset.files) or "none",
        "notes": dataset.notes,
    }
    for key, value in lines.items():
        if value:
            print(textwrap.fill(f"{key:<10}{value}", 100, subsequent_indent=" " * 10))


if __name__ == "__main__":
    run_script(main)
