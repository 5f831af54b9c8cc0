"""The command ``manybandits site``: where the site of a run is; it is made and opened on demand."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path
from typing import Any

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, nearest, pick
from manybandits.base.printing import print_json
from manybandits.planning.configuration import configurations, load_configuration


def run(args: argparse.Namespace) -> None:
    """Print the path of the first page of a site."""
    name = args.run or _only(args.folder)
    page = args.folder / "reports" / name / "index.html"
    if args.make:
        from manybandits.cli.reproduce import reproduce
        from manybandits.planning.plan import ALL

        reproduce(args.root, args.folder, configuration_of(name, args.root, args.folder), [ALL], args.cores)
    elif not page.is_file():
        _refuse(name, args.folder)
    if args.open:
        webbrowser.open(page.resolve().as_uri())
    if args.json:
        print_json({"run": name, "page": str(page)})
    else:
        sys.stdout.write(f"{page}\n")


def sites(folder: Path) -> list[str]:
    """Return the names of the runs in a folder that have a site."""
    return sorted(page.parent.name for page in (folder / "reports").glob("*/index.html"))


def configuration_of(name: str, root: Path, folder: Path) -> dict[str, Any]:
    """Return the configuration of a run: the one it was last made with, or the one of the project with its name."""
    saved = folder / "artifacts" / name / "config.yaml"
    if saved.is_file():
        return read_yaml(saved)
    known = configurations(root)
    return load_configuration(root, known[pick(name, known, "run")])


def _only(folder: Path) -> str:
    """Return the name of the only run with a site; raise InputError if there is none, or more than one."""
    found = sites(folder)
    if not found:
        raise InputError(
            "no run in ./reports has a site: name a run by --run and add --make, such as `--run smoke --make`."
        )
    if len(found) > 1:
        raise InputError(f"several runs have a site: name one by --run; {nearest('', found)}")
    return found[0]


def _refuse(name: str, folder: Path) -> None:
    known = sites(folder)
    others = f"; sites are there of {', '.join(known)}" if known else ""
    raise InputError(f"reports/{name} has no site{others}: add --make, which makes all that the run lacks.")
