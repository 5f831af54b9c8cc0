"""Papers as files (``workflow/papers``): which there are, how they draw, and what they claim.

A paper is a folder with two files: ``experiments.yaml`` says how its experiments are run, ``claims.yaml`` what it says
about their results.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.papers.claim import entries

PLACE = Path("workflow/papers")
EXPERIMENTS, CLAIMS = "experiments.yaml", "claims.yaml"


def names(root: Path) -> list[str]:
    """Return the names of the papers below `root`; raise InputError where it has none."""
    found = sorted(path.parent.name for path in (root / PLACE).glob(f"*/{EXPERIMENTS}"))
    if not found:
        raise InputError(
            f"{root.resolve()} has no {PLACE} with papers: go to the folder of the Snakefile, or name it (--root)."
        )
    return found


def read_content(folder: Path) -> dict[str, Any]:
    """Return what the two files of a paper hold, by key."""
    return {**read_yaml(folder / EXPERIMENTS), **read_yaml(folder / CLAIMS)}


def load(root: Path, name: str) -> dict[str, Any]:
    """Read the files of a paper; raise InputError naming the nearest one where there is none."""
    return read_content(root / PLACE / pick(name, names(root), "paper"))


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
