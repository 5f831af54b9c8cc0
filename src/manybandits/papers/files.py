"""The files of the papers: in ``workflow/papers``, or in any folder by its path.

A paper is a folder: ``experiments.yaml`` describes its experiments and how they are run, and ``claims.yaml`` what the
paper claims about their results; ``open.yaml``, if there is one, says what its text leaves open.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

import msgspec
from msgspec.structs import asdict, replace

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.base.plugins import is_path, reference_to
from manybandits.base.sources import digest_of_texts
from manybandits.base.typed import typed
from manybandits.papers.claim import ERROR, PAPER, REGRET, Claim, Control, Divergence, Headline
from manybandits.papers.claims_file import ClaimsFile, read_claims
from manybandits.papers.experiment import Entry, ExperimentsFile
from manybandits.papers.openings import OpenChoice, OpenFile
from manybandits.papers.reason import Reason
from manybandits.papers.story import Sentence, check_targets, targets_of

PLACE = Path("workflow/papers")
EXPERIMENTS, CLAIMS, OPEN = "experiments.yaml", "claims.yaml", "open.yaml"
NAMES = re.compile("[a-z][a-z0-9_]*")
"""The names that the folder of a paper may have."""
NOTEBOOK = "notebook.py"
"""The notebook in the folder of a paper that is not in `PLACE`; those of the others are in ``notebooks``."""


class Paper(ExperimentsFile, frozen=True, kw_only=True):
    """A paper: its experiments, and its claims about their results."""

    name: str
    folder: str
    claims: tuple[Claim, ...]
    headlines: dict[str, Headline]
    controls: dict[str, Control]
    story: tuple[Sentence, ...]
    reasons: dict[str, Reason]
    divergences: tuple[Divergence, ...]
    openings: dict[str, OpenChoice]

    def wording(self, headline: str) -> str:
        """Return a digest of what is asked of a headline: its claims by the text, without what only people read, and
        the games on which they are judged.

        Set-ups that were judged with another one were asked something else.
        """
        plain = {"says": "", "place": "", "because": "", "copy_of": "", "quoted": "", "by_construction": ""}
        asked = [replace(claim, **plain) for claim in self.claims if claim.reading == PAPER]
        members = self.headlines[headline].members(asked, "")
        claims = [claim for claim in asked if claim.id in members]
        experiments = dict.fromkeys(claim.experiment for claim in claims)
        parts = [part for name in experiments for part in self.experiments[name].parts]
        games = dict.fromkeys(msgspec.json.encode([part.game, part.with_]).decode() for part in parts)
        text = msgspec.json.encode(claims).decode()
        return digest_of_texts(text, *games, str(self.headlines[headline].holds_in))


def names(root: Path) -> list[str]:
    """Return the names of the papers below `root`; raise InputError if `root` has none."""
    return sorted(folders(root))


def folders(root: Path) -> dict[str, Path]:
    """Return the folders of the papers below `root`, by name."""
    found = {path.parent.name: path.parent for path in sorted((root / PLACE).glob(f"*/{EXPERIMENTS}"))}
    if not found:
        raise InputError(
            f"{root.resolve()} has no {PLACE} with papers: go to the folder of the Snakefile, or name it (--root)."
        )
    return found


def folder_of(root: Path, name: str) -> Path:
    """Return the folder of a paper: of a path such as ``./my_paper``, that folder itself.

    Raises InputError naming the nearest paper if there is none of this name, or what a folder lacks.
    """
    known = folders(root)
    if not is_path(name):
        return known[pick(name, known, "paper")]
    folder = Path(os.path.relpath(name))
    for file in (EXPERIMENTS, CLAIMS):
        if not (folder / file).is_file():
            raise InputError(f"paper {name}: {folder / file} does not exist; give the folder that has both files.")
    if not NAMES.fullmatch(folder.name) or folder.name in known:
        raise InputError(
            f"paper {name}: rename the folder, which names the paper: lower-case letters, digits and _, and none of "
            f"{', '.join(sorted(known))}."
        )
    return folder


def read_paper(folder: Path) -> Paper:
    """Read the files of a paper; raise InputError naming the file and the key that is wrong.

    While they have the same bytes, the same paper is returned: a command may plan several runs of all papers.
    """
    return _read(folder, Path.cwd(), *(_bytes(folder / name) for name in (EXPERIMENTS, CLAIMS, OPEN)))


def _bytes(path: Path) -> bytes:
    """Return the bytes of a file; none if it is not there or cannot be read, of which reading its content tells."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


@functools.lru_cache(maxsize=16)
def _read(folder: Path, _current: Path, *_content: bytes) -> Paper:
    """Read a paper. _current: the current folder, from which its plug-ins may be named; _content: of its files."""
    experiments = located(typed(ExperimentsFile, read_yaml(folder / EXPERIMENTS), str(folder / EXPERIMENTS)), folder)
    claims = typed(ClaimsFile, read_yaml(folder / CLAIMS), str(folder / CLAIMS))
    measures = {key: REGRET if one.regression is None else ERROR for key, one in experiments.experiments.items()}
    known = read_claims(claims, folder.name, measures, str(folder / CLAIMS))
    for claim in known:
        if claim.because:
            pick(claim.because, claims.reasons, f"reason ({folder / CLAIMS}, {claim.id})")
        if claim.copy_of:
            pick(f"{folder.name}.{claim.copy_of}", {one.id for one in known}, f"claim ({folder / CLAIMS}, {claim.id})")
    for key, headline in claims.headlines.items():
        headline.members(known, f"{folder / CLAIMS}, headline {key}")
    for key, control in claims.controls.items():
        for name in control.headlines:
            pick(name, claims.headlines, f"headline ({folder / CLAIMS}, control {key})")
    targets = targets_of(folder.name, experiments.experiments)
    check_targets(claims.story, targets, f"{folder / CLAIMS}, sentence of the story")
    read = asdict(experiments) | asdict(claims) | {"claims": known, "openings": _openings(folder, claims)}
    return Paper(**read, name=folder.name, folder=str(folder))


def located(experiments: ExperimentsFile, folder: Path) -> ExperimentsFile:
    """Return experiments in which paths of algorithms and games are references from the current folder.

    A relative path is that of a file in the paper's folder, or else in the current one.
    """

    def of(algorithms: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return tuple(_located(entry, folder) for entry in algorithms)

    def game(name: str) -> str:
        return reference_to(name, f"game ({folder / EXPERIMENTS})", folder) if is_path(name) else name

    found = {
        key: replace(
            one,
            game=game(one.game),
            algorithms=of(one.algorithms),
            panels=tuple(
                replace(panel, game=game(panel.game), algorithms=of(panel.algorithms)) for panel in one.panels
            ),
        )
        for key, one in experiments.experiments.items()
    }
    return replace(experiments, game=game(experiments.game), experiments=found)


def _located(entry: Entry, folder: Path) -> Entry:
    """Return an entry of a list of algorithms, with the reference to its file if it has one."""
    name = entry if isinstance(entry, str) else next(iter(entry))
    if not is_path(name):
        return entry
    reference = reference_to(name, f"algorithm ({folder / EXPERIMENTS})", folder)
    return reference if isinstance(entry, str) else {reference: entry[name]}


def _openings(folder: Path, claims: ClaimsFile) -> dict[str, OpenChoice]:
    """Return the choices that a paper leaves open; none if it has no such file."""
    path = folder / OPEN
    if not path.exists():
        return {}
    found = typed(OpenFile, read_yaml(path), str(path)).open
    for key, opening in found.items():
        for headline in opening.headlines:
            pick(headline, claims.headlines, f"headline ({path}, {key})")
    return found


def read_papers(root: Path, only: str | None = None) -> dict[str, Paper]:
    """Read all papers below `root`: name -> paper.

    only: the name, or the path of the folder, of the one that is wanted.
    """
    read = [read_paper(folder_of(root, name)) for name in ([only] if only else names(root))]
    return {paper.name: paper for paper in read}
