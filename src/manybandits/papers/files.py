"""Papers as files (``workflow/papers``): which there are, how they draw, and what they claim.

A paper is a folder with two files: ``experiments.yaml`` says how its experiments are run, ``claims.yaml`` what it says
about their results.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.base.typed import typed
from manybandits.papers.claim import Claim, ClaimsFile, Divergence, entries, read_claims
from manybandits.papers.experiment import ExperimentsFile

PLACE = Path("workflow/papers")
EXPERIMENTS, CLAIMS = "experiments.yaml", "claims.yaml"


class Paper(ExperimentsFile, frozen=True, kw_only=True):
    """A paper: its experiments, and what it says about their results."""

    name: str
    folder: str
    claims: tuple[Claim, ...]
    divergences: tuple[Divergence, ...]


def names(root: Path) -> list[str]:
    """Return the names of the papers below `root`; raise InputError where it has none."""
    found = sorted(path.parent.name for path in (root / PLACE).glob(f"*/{EXPERIMENTS}"))
    if not found:
        raise InputError(
            f"{root.resolve()} has no {PLACE} with papers: go to the folder of the Snakefile, or name it (--root)."
        )
    return found


def folder_of(root: Path, name: str) -> Path:
    """Return the folder of a paper; raise InputError naming the nearest one where there is none."""
    return root / PLACE / pick(name, names(root), "paper")


def read_paper(folder: Path) -> Paper:
    """Read the two files of a paper; raise InputError naming file and key where they do not hold together."""
    experiments = typed(ExperimentsFile, read_yaml(folder / EXPERIMENTS), str(folder / EXPERIMENTS))
    said = read_said(folder)
    return Paper(
        **msgspec.structs.asdict(experiments),
        name=folder.name,
        folder=str(folder),
        claims=read_claims(said, folder.name, experiments.experiments, str(folder / CLAIMS)),
        divergences=said.divergences,
    )


def read_said(folder: Path) -> ClaimsFile:
    """Read what a paper says, as its file has it."""
    return typed(ClaimsFile, read_yaml(folder / CLAIMS), str(folder / CLAIMS))


def read_content(folder: Path) -> dict[str, Any]:
    """Return what the two files of a paper hold, unchecked, to show it."""
    return {**read_yaml(folder / EXPERIMENTS), **read_yaml(folder / CLAIMS)}


def load(root: Path, name: str) -> dict[str, Any]:
    """Return what the files of a paper hold, to show it; raise InputError naming the nearest one if there is none."""
    return read_content(folder_of(root, name))


def figure_of(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """Return how an unchecked experiment is drawn: the kind of its figure, and the options of that drawing."""
    default = "estimation_errors" if "regression" in experiment else "regret"
    return dict(experiment.get("figure", {"kind": default}))


def claims(root: Path) -> list[dict[str, Any]]:
    """Return a row a claim of all papers below `root`: its id, its paper, and all that its file says of it."""
    return [
        {"claim": claim, "paper": name, **msgspec.to_builtins(given)}
        for name in names(root)
        for claim, given in entries(read_said(folder_of(root, name)), name)
    ]
