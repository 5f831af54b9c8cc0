"""The command ``manybandits repair``: delete what no run can use, so that the next one makes it again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from manybandits.base.exceptions import InputError
from manybandits.base.printing import print_json
from manybandits.planning.repair import faults, mend
from manybandits.planning.running import PLACE, hold, unlock

PLACES = (PLACE, Path("reports"))
"""The folders with all that runs make."""


def run(args: argparse.Namespace) -> None:
    """Mend what no run can use, and say what it was."""
    folders = args.folders or [folder for folder in PLACES if folder.is_dir()]
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder} is not a folder: name one that has results, or none.")
    if args.unlock:
        unlock()
    if PLACE.is_dir() and not args.dry_run:
        hold("manybandits repair")
    found = dict(faults(folders))
    if not args.dry_run:
        for path, why in found.items():
            mend(path, why)
    if args.json:
        print_json({"found": {str(path): why for path, why in found.items()}, "mended": not args.dry_run})
        return
    lines = [f"{path}: {why}" for path, why in found.items()]
    count = f"{len(found)} {'file' if len(found) == 1 else 'files'}"
    end = f"{count} would be mended." if args.dry_run else f"{count} mended: run again, to make what was deleted."
    end = end if found else "All files can be used."
    sys.stdout.write("\n".join([*lines, end]) + "\n")
