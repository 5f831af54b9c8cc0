"""The command ``manybandits new``: write a commented, working file, or folder, to begin a plug-in with."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.base.plugins import is_module_file
from manybandits.base.printing import print_json, print_written
from manybandits.cli.given import check_written
from manybandits.papers.files import NAMES

TEMPLATES = Path(__file__).parent / "templates"
NEXT = {
    "algorithm": "manybandits check {quoted}",
    "dataset": "manybandits data tidy {quoted}",
    "game": "manybandits play linucb --game {quoted} --horizon 1000 --out {stem}.parquet",
    "paper": "manybandits reproduce all --config {quoted}/config.yaml",
}
"""Kind -> the command to go on with."""


def run(args: argparse.Namespace) -> None:
    """Write the file, or the files of the folder."""
    path: Path = args.path
    ending = "" if args.kind == "paper" else ".py"
    if path.suffix != ending or not is_module_file(path.with_suffix(".py")):
        raise InputError(
            f"{path} cannot be the name of the {args.kind}: give a name of letters, digits and _, such as mine{ending}."
        )
    if args.kind == "paper" and not NAMES.fullmatch(path.name):
        raise InputError(f"{path} cannot be the name of a paper: give lower-case letters, digits and _, as my_paper.")
    if path.exists():
        raise InputError(f"{path} is there already: give another name, or delete it first.")
    check_written(path, ending)
    words = {"path": path.as_posix(), "stem": path.stem, "title": path.stem.replace("_", " ").capitalize()}
    words |= {"name": path.stem.replace("_", "-"), "quoted": shlex.quote(path.as_posix())}
    words["reference"] = path.as_posix() if path.is_absolute() else f"./{path.as_posix()}"
    if args.kind == "paper":
        files = {path / template.name: template for template in sorted((TEMPLATES / "paper").glob("*.yaml"))}
    else:
        files = {path: TEMPLATES / f"{args.kind}.py.txt"}
    for file, template in files.items():
        text = template.read_text(encoding="utf-8")
        save_text(file, text.format(**words))
    then = NEXT[args.kind].format(**words)
    if args.json:
        print_json({"kind": args.kind, "written": [str(file) for file in files], "next": then})
    else:
        print_written(path, then=then)
