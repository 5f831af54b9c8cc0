"""Lines of the source by room, in this checkout and, beside them, in another commit.

    python benchmarks/size.py [COMMIT]

A room is a folder of ``src/manybandits``; all kinds of source are counted (`KINDS`), those of `tests` as well.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import PurePath

KINDS = (".py", ".pyi", ".smk", ".yaml", ".jinja", ".js", ".css")
NAMED = ("Snakefile",)
ROOTS = ("src", "workflow", "tests")


def git(*arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True, errors="replace").stdout


def room_of(path: PurePath) -> str:
    """Return the room of a file: the folder below the package, or the root that it is in."""
    return f"src: {path.parts[2] if len(path.parts) > 3 else '(top)'}" if path.parts[0] == "src" else path.parts[0]


def lines_by_room(commit: str) -> tuple[Counter[str], Counter[str]]:
    """Return the lines of Python and of all kinds of source by room, as they are in a commit."""
    python, all_kinds = Counter[str](), Counter[str]()
    for line in git("grep", "--count", "", commit, "--", *ROOTS).splitlines():
        _, name, count = line.rsplit(":", 2) if line.count(":") > 1 else ("", *line.split(":"))
        path = PurePath(name)
        if path.suffix in KINDS or path.name in NAMED:
            all_kinds[room_of(path)] += int(count)
            python[room_of(path)] += int(count) * (path.suffix == ".py")
    return python, all_kinds


def main() -> None:
    """Print the table."""
    found = [lines_by_room(commit) for commit in ("HEAD", *sys.argv[1:2])]
    rooms = sorted(found[0][1] | found[-1][1])
    print("room".ljust(22), *(f"{head:>16}" for _ in found for head in ("lines of Python", "of all kinds")))
    sums = {"all of src": "src: ", "src and workflow": ("src: ", "workflow")}
    for room in rooms:
        print(room.ljust(22), *(f"{count[room]:16,}" for pair in found for count in pair))
    for title, start in sums.items():
        totals = (sum(n for room, n in count.items() if room.startswith(start)) for pair in found for count in pair)
        print(title.ljust(22), *(f"{total:16,}" for total in totals))


if __name__ == "__main__":
    main()
