"""The command ``manybandits new``: write a commented, working file, or folder, to begin a plug-in with."""

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
    "paper": "name it in a configuration, and what it plays is planned: papers: [./{path}]",
}


def run(given: argparse.Namespace) -> None:
    """Write the file, or the files of the folder."""
    path: Path = given.path
    ending = "" if given.kind == "paper" else ".py"
    if path.suffix != ending or not is_module_file(path.with_suffix(".py")):
        raise InputError(
            f"{path} cannot be the name of the {given.kind}: give a name of letters, digits and _, such as "
            f"mine{ending}."
        )
    if path.exists():
        raise InputError(f"{path} is there already: give another name, or delete it first.")
    words = {"path": path.as_posix(), "stem": path.stem, "title": path.stem.replace("_", " ").capitalize()}
    if given.kind == "paper":
        files = {path / template.name: template for template in sorted((TEMPLATES / "paper").glob("*.yaml"))}
    else:
        files = {path: TEMPLATES / f"{given.kind}.py.txt"}
    for file, template in files.items():
        text = template.read_text(encoding="utf-8")
        save_text(file, text.format(**words, name=path.stem.replace("_", "-")))
    print(f"{path} is written; {NEXT[given.kind].format(**words)}")
