"""Paper files (``workflow/papers``): which there are, how they draw, and what they claim."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.papers.claim import entries

PLACE = Path("workflow/papers")


def names(root: Path) -> list[str]:
    """Return the names of the papers below `root`; raise InputError where it has none."""
    found = sorted(path.stem for path in (root / PLACE).glob("*.yaml"))
    if not found:
        raise InputError(
            f"{root.resolve()} has no {PLACE} with paper files: go to the folder of the Snakefile, or name it (--root)."
        )
    return found


def load(root: Path, name: str) -> dict[str, Any]:
    """Read the file of a paper; raise InputError naming the nearest one where there is none."""
    return read_yaml(root / PLACE / f"{pick(name, names(root), 'paper')}.yaml")


def figure_of(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """Return how an experiment is drawn: the kind of its figure, and the options of that drawing."""
    default = "estimation_errors" if "regression" in experiment else "regret"
    return dict(experiment.get("figure", {"kind": default}))


def claims(root: Path) -> list[dict[str, Any]]:
    """Return a row a claim of all papers below `root`: its id, its paper, and all that its file says of it."""
    return [
        {"claim": claim, "paper": name, **given}
        for name in names(root)
        for claim, given in entries(load(root, name), name)
    ]
