"""Copy committed files that nothing here makes again, with their provenance, to where a run is derived again.

    python -m manybandits.base.copying reports/paper-scale/tables/lnucb_ta_runtime.csv --out artifacts/verify/tables

A file that does not have the SHA-256 that its provenance states is refused.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from manybandits.base.artifacts import check_bytes, provenance_path
from manybandits.base.exceptions import run_script

CURE = "get it again from version control"


def main(argv: list[str] | None = None) -> None:
    """Copy files."""
    parser = argparse.ArgumentParser(description="Copy files with their provenance.")
    parser.add_argument("files", type=Path, nargs="+", help="the files")
    parser.add_argument("--out", type=Path, required=True, help="the folder")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    for file in args.files:
        check_bytes(file, CURE)
        for one in filter(Path.is_file, (file, provenance_path(file))):
            shutil.copyfile(one, args.out / one.name)


if __name__ == "__main__":
    run_script(main)
