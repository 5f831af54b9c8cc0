"""Draw faults, or plant each of those that were drawn and tell which test sees it.

python -m tests.mutations draw
python -m tests.mutations check [--marked "not slow"] [--only 3 4]
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutations.planting import Fault, faults_of

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("faults.csv")
"""The faults that were drawn, and the test that saw each first."""
SEED, COUNT = 60, 40
UNSEEN, GONE, ENDED = "none", "the line is gone", "pytest ended with"
LEFT_OUT = (".git", ".venv", ".snakemake", "artifacts", "__pycache__", ".*_cache", ".hypothesis")
"""What of the project is not copied."""


def draw() -> None:
    """Draw `COUNT` faults from all that can be planted in the package."""
    source = ROOT / "src"
    files = sorted(str(path.relative_to(source)) for path in source.rglob("*.py"))
    every = [fault for file in files for fault in faults_of(source, file)]
    chosen = sorted(random.Random(SEED).sample(every, COUNT))
    save([(fault, "") for fault in chosen])
    print(f"{COUNT} of {len(every)} faults in {len(files)} files")


def check(marked: str, only: list[int]) -> None:
    """Plant each fault in a copy of the project, run tests, nearest first, and write which one failed."""
    rows = load()
    for number, (fault, _) in enumerate(rows):
        if only and number not in only:
            continue
        rows[number] = fault, seen_by(fault, marked)
        print(number, f"{fault.file}:{fault.line}", fault.before, fault.after, "->", rows[number][1], flush=True)
        save(rows)
    print(f"{sum(seen not in ('', UNSEEN, GONE) for _, seen in rows)} of {len(rows)} faults are seen")


def seen_by(fault: Fault, marked: str) -> str:
    """Return the first test that fails with a fault in the package and passes without it, or `UNSEEN`."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        if not fault.plant(root / "src"):
            return GONE
        for files in near(fault.file):
            chosen = [*(["-m", marked] if marked else []), *files]
            while failed := first_failure(root, chosen):
                shutil.copy(ROOT / "src" / fault.file, root / "src" / fault.file)
                if failed.startswith(ENDED) or not first_failure(root, [failed]):
                    return failed.removeprefix("tests/")
                fault.plant(root / "src")
                chosen += ["--deselect", failed]
    return UNSEEN


def first_failure(root: Path, chosen: list[str]) -> str:
    """Run tests in a copy of the project and return the first one that fails; "" if none does."""
    variables = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider", *chosen]
    done = subprocess.run(command, cwd=root, env=variables, stdout=subprocess.PIPE, text=True, check=False)
    if failed := re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE):
        return failed[1]
    return "" if done.returncode in (0, 5) else f"{ENDED} {done.returncode}"


def near(file: str) -> list[list[str]]:
    """Return the test files to run, list after list: of the module's name, that name it, that name an importer."""
    source, tests = ROOT / "src", sorted((ROOT / "tests").rglob("test_*.py"))
    stages = [{path for path in tests if Path(file).stem.strip("_") in path.stem}]
    stages.append({path for path in tests if imports(path, file)})
    users = [str(path.relative_to(source)) for path in source.rglob("*.py") if imports(path, file)]
    stages.append({path for path in tests if any(imports(path, user) for user in users)})
    found: list[list[str]] = []
    for stage in stages:
        seen = {name for names in found for name in names}
        found.append(sorted({str(path.relative_to(ROOT)) for path in stage} - seen))
    return [names for names in found if names]


def imports(path: Path, file: str) -> bool:
    """Return whether a file names a module of the package, given as a path in `src`, or quotes its name."""
    place = Path(file).with_suffix("")
    above, whole = re.escape(".".join(place.parts[:-1])), re.escape(".".join(place.parts))
    pattern = rf"{whole}\b|from {above} import (?:[^\n(]*|\([^)]*)\b{place.name}\b"
    return bool(re.search(rf'{pattern}|"{place.name}"', path.read_text(encoding="utf-8")))


def load() -> list[tuple[Fault, str]]:
    """Return the faults of the list, each with the test that saw it."""
    with LIST.open(encoding="utf-8", newline="") as file:
        return [(_read(row), row["seen by"]) for row in csv.DictReader(file)]


def _read(row: dict[str, str]) -> Fault:
    return Fault(row["file"], int(row["line"]), row["text"], int(row["place"]), row["before"], row["after"])


def save(rows: list[tuple[Fault, str]]) -> None:
    """Write the list."""
    with LIST.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*Fault._fields, "seen by"])
        writer.writerows([*fault, seen] for fault, seen in rows)


def main() -> None:
    """Read the command line, and do what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "check"))
    parser.add_argument("--marked", default="", help="the tests that are run, as pytest's -m names them")
    parser.add_argument("--only", nargs="*", type=int, default=[], help="the numbers of faults, from 0")
    args = parser.parse_args()
    draw() if args.what == "draw" else check(args.marked, args.only)


if __name__ == "__main__":
    main()
