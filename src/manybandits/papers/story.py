"""Stories of papers and findings across papers: sentences that a person wrote, each with the target it rests on.

``story`` in ``claims.yaml`` tells a paper in a few sentences; ``workflow/findings.yaml`` has what was learned across
papers. As in a reason, no number is typed: it is read from the table of a target (VERDICTS, section 5).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import pick
from manybandits.base.typed import typed
from manybandits.papers.reason import Reason

FINDINGS = Path("workflow/findings.yaml")
"""The file of findings, from the folder of the Snakefile."""
SHARED = ("league",)
"""Targets that belong to no paper."""


class Sentence(Reason, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence of a story, with the target that it rests on, and its numbers."""

    def __post_init__(self) -> None:
        """Raise ValueError if it rests on no target, or if a number is typed."""
        if self.conjecture:
            raise ValueError("is a conjecture; a sentence of a story or a finding rests on a `target`.")
        super().__post_init__()


class Finding(Sentence, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was learned across papers: a title and one sentence, shown with the figure of its target."""

    title: str


class FindingsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``workflow/findings.yaml``."""

    findings: Annotated[
        tuple[Finding, ...],
        Meta(max_length=5, description="a list of at most five findings, the most important first"),
    ]


def targets_of(paper: str, experiments: Iterable[str]) -> list[str]:
    """Return the targets that a story may rest on: every experiment of a paper, and what all papers share."""
    return [*(f"{paper}_{key}" for key in experiments), *SHARED]


def check_targets(told: Iterable[Sentence], targets: Iterable[str], where: str) -> None:
    """Raise InputError naming the first target that a sentence rests on, or reads, and that does not exist."""
    known = list(targets)
    for number, sentence in enumerate(told, start=1):
        for target in sentence.tables:
            pick(target, known, f"target ({where} {number})")


def read_findings(path: Path) -> tuple[Finding, ...]:
    """Read the findings; raise InputError naming the key that is wrong. `check_targets` checks what they rest on."""
    return typed(FindingsFile, read_yaml(path), str(path)).findings
