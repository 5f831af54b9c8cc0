"""The command ``manybandits new``: write a commented, working file to begin a plug-in with."""

from __future__ import annotations

import argparse
from pathlib import Path

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.base.plugins import is_module_file

TEMPLATES = Path(__file__).parent / "templates"
NEXT = {
    "algorithm": "check it: manybandits check {path}",
    "dataset": "make it: python -m manybandits.datasets tidy {path}",
    "game": "play it: manybandits play linucb --game {path} --horizon 1000 --out {stem}.parquet",
}


def run(given: argparse.Namespace) -> None:
    """Write the file."""
    path: Path = given.path
    if not is_module_file(path):
        raise InputError(
            f"{path} cannot be a Python module: give a name of letters, digits and _ that ends with .py, such as "
            "mine.py."
        )
    if path.exists():
        raise InputError(f"{path} is there already: give another name, or delete it first.")
    words = {"path": path.as_posix(), "stem": path.stem, "title": path.stem.replace("_", " ").capitalize()}
    template = (TEMPLATES / f"{given.kind}.py.txt").read_text(encoding="utf-8")
    save_text(path, template.format(**words, name=path.stem.replace("_", "-")))
    print(f"{path} is written; {NEXT[given.kind].format(**words)}")
