"""Look up known vulnerabilities of pinned packages, where a network allows it: ``python workflow/audit.py LOCK ...``.

It is run by `make audit`, in an environment that has pip-audit. Without the database, it says so and ends well: what
cannot be looked up is no fault of the code.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def look_up(lock: str) -> list[dict[str, Any]]:
    """Return what pip-audit found about each package of a lock file; raise OSError if it cannot reach its database."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--format", "json", "--requirement"]
    done = subprocess.run([*command, lock], capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return found


def report(found: list[dict[str, Any]]) -> tuple[str, int]:
    """Return the findings in words, and an exit status: 1 if a package has a known vulnerability."""
    known = [one for one in found if "skip_reason" not in one]
    if not known:
        return f"skipped: none of {len(found)} packages is in a database that can be reached from here", 0
    lines = [
        f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version'}"
        for one in known
        for hole in one["vulns"]
    ]
    lines += [f"{one['name']}: not looked up: {one['skip_reason']}" for one in found if "skip_reason" in one]
    holes = sum(bool(one["vulns"]) for one in known)
    return "\n".join([*lines, f"{holes} of {len(known)} packages have known vulnerabilities"]), int(holes > 0)


def main(locks: list[str]) -> int:
    """Print what is known about the packages of lock files."""
    try:
        words, status = report([one for lock in locks for one in look_up(lock)])
    except OSError as error:
        words, status = f"skipped: the database of vulnerabilities cannot be reached from here ({error})", 0
    print(words)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
