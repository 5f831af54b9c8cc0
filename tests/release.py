"""The tests in depth, which ``make test`` leaves out: all of them before a release, or those whose subject changed.

    python -m tests.release [--stale] [GROUP ...]

`GROUPS` names the tests of each group and the files that they protect. When a group has passed, the digest of these
files is kept in `PASSED`: it is stale once they are others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[1]
GROUPS = Path(__file__).with_name("release.yaml")
PASSED = Path(__file__).with_name("release.json")
"""Group -> digest of what it protects when it last passed."""


class Group(NamedTuple):
    """Tests in depth of one subject, as `GROUPS` explains them."""

    tests: list[str]
    protects: list[str]
    instead: str
    keep: list[str] = []  # noqa: RUF012  # a default of a NamedTuple, which nothing changes


def groups() -> dict[str, Group]:
    """Return the groups by name."""
    return {name: Group(**given) for name, given in yaml.safe_load(GROUPS.read_text(encoding="utf-8")).items()}


def group_of(test: str) -> str | None:
    """Return the group of a test, given as pytest names it without ``tests/``; None if ``make test`` runs it."""
    for name, tests, kept in _patterns():
        if tests.match(test) and not kept.match(test):
            return name
    return None


@cache
def _patterns() -> list[tuple[str, re.Pattern[str], re.Pattern[str]]]:
    return [(name, _any_of(group.tests), _any_of(group.keep)) for name, group in groups().items()]


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    """Return what matches a test that one of some patterns names, or a test in a file or a folder that one names."""
    parts = [re.escape(pattern).replace(r"\*", ".*") + r"(?:$|[/:\[])" for pattern in patterns]
    return re.compile("|".join(parts or ["$^"]))


def protected(group: Group) -> list[Path]:
    """Return the files that a group protects, sorted; raise ValueError naming a pattern that names none."""
    found: set[Path] = set()
    for pattern in group.protects:
        paths = [path for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts]
        if not paths:
            raise ValueError(f"{GROUPS.name}: {pattern} names no file: correct it")
        found.update(paths)
    return sorted(found)


def digest(group: Group) -> str:
    """Return the SHA-256 of the names and contents of the files that a group protects."""
    total = hashlib.sha256()
    for path in protected(group):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(ROOT).as_posix()} {content}\n".encode())
    return total.hexdigest()


def passed() -> dict[str, str]:
    """Return the digests of the groups that have passed."""
    kept: dict[str, str] = json.loads(PASSED.read_text(encoding="utf-8")) if PASSED.exists() else {}
    return kept


def keep(name: str) -> None:
    """Keep the digest of what a group protects: it has passed."""
    digests = passed() | {name: digest(groups()[name])}
    PASSED.write_text(json.dumps(dict(sorted(digests.items())), indent=1) + "\n", encoding="utf-8")


def stale() -> list[str]:
    """Return the groups whose files are not those that passed."""
    kept = passed()
    return [name for name, group in groups().items() if kept.get(name) != digest(group)]


def run(names: list[str]) -> int:
    """Run groups side by side, keep the digests of those that pass, and return the exit status of the whole."""
    if not names:
        print("in depth: nothing has changed since it passed")
        return 0
    chosen = " or ".join(f"release(group={name!r})" for name in names)
    told = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "-rfE", "-m", chosen]
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *told], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as tests:
        assert tests.stdout is not None
        failed = set[str | None]()
        for line in tests.stdout:
            print(line, end="", flush=True)
            if found := re.match(r"(?:FAILED|ERROR) (?:tests/)?(\S+)", line):
                failed.add(group_of(found[1]))
    known = tests.returncode == 0 or (tests.returncode == 1 and None not in failed and bool(failed))
    passing = [name for name in names if known and name not in failed]
    for name in passing:
        keep(name)
    print(f"in depth: {len(passing)} of {len(names)} groups passed")
    return tests.returncode


def main() -> int:
    """Read the command line, and run what it names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GROUP", help="default: all")
    parser.add_argument("--stale", action="store_true", help="only groups whose files are not those that passed")
    args = parser.parse_args()
    if unknown := sorted({*args.names} - {*groups()}):
        parser.error(f"there is no group {unknown[0]}: give some of {', '.join(groups())}")
    return run([name for name in args.names or groups() if not args.stale or name in stale()])


if __name__ == "__main__":
    sys.exit(main())
