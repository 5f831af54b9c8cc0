"""The checkout that makes a site: its commit, and the source files that pages link to."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the package."""
MAKING = ("src", "workflow", "configs", "config.yaml", "Snakefile")
"""What makes results, from the root of a checkout. Results that are committed there are edited by every run."""


def root_of_checkout(package: Path = PACKAGE) -> Path | None:
    """Return the folder of the checkout that tracks a package; None if it was installed, or if there is no git."""
    found = _git(package, "rev-parse", "--show-toplevel")
    return Path(found) if found and _git(package, "ls-files", "--", "__init__.py") else None


def commit_of(root: Path | None) -> str:
    """Return the commit of a checkout, with a note if what makes results was edited since; "" without one."""
    if root is None:
        return ""
    commit = _git(root, "rev-parse", "HEAD")
    edited = _git(root, "status", "--porcelain", "--untracked-files=no", "--", *MAKING)
    return f"{commit}, with edits that were not committed" if commit and edited else commit


def source_link(folder: Path, file: str, root: Path | None) -> str:
    """Return the address of a source file from a folder of the same checkout; "" from elsewhere, or without the file.

    file: its path from the root of the checkout.
    """
    if root is None or not folder.resolve().is_relative_to(root) or not (root / file).is_file():
        return ""
    return Path(os.path.relpath(root / file, folder.resolve())).as_posix()


def _git(folder: Path, *arguments: str) -> str:
    """Return what git prints about a folder; "" if it fails or is not installed."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
