"""The verdicts of a run by claim and paper, and the symbols of answers and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from manybandits.base.exceptions import InputError, pick
from manybandits.base.protocols import PAPER
from manybandits.claims.verdict import Answer, HeadlineVerdict, Verdict, Word
from manybandits.claims.verdict_files import load_headlines, load_verdicts

Claims = Mapping[str, Mapping[str, Sequence[Verdict]]]
"""Paper -> id of a claim -> the verdicts on it: by the text first, then under its other readings."""


class Sign(NamedTuple):
    """The colour of an answer or a word, by its name in the style sheet, and its symbol as SVG in a square of 16."""

    colour: str
    symbol: str


_TICK, _CROSS, _SLASH = "M4.6 8.2l2.3 2.4 4.5-5.1", "M5 5l6 6m0-6l-6 6", "M3.7 12.3l8.6-8.6"
_RING, _DISC = '<circle class="line" cx="8" cy="8" r="6.2"/>', '<circle cx="8" cy="8" r="7"/>'
_SQUARE = "M2 2h12v12H2z"
_BELOW = f'{_RING}<path d="M1.8 8a6.2 6.2 0 0 0 12.4 0z"/>'
_NEAR = Sign("partly", '<path class="line" d="M8 1.4L14.6 8 8 14.6 1.4 8z"/><path d="M8 1.4v13.2L1.4 8z"/>')
_UNCLEAR = Sign(
    "unclear",
    '<path class="line" d="M4.6 5.4a3.4 3.4 0 1 1 4.7 3.2c-1 .5-1.3 1-1.3 2.2"/><circle cx="8" cy="13.6" r="1.3"/>',
)
_SAME = Sign("same", '<path class="line" d="M2 5.5h12M2 10.5h12"/>')
_NONE = Sign("none", f'<path class="line" stroke-dasharray="2.6 2" d="{_SQUARE}"/>')
_FAILS = f'<path d="{_SQUARE}"/><path class="cut" d="{_CROSS}"/>'
_HOLDS = f'{_DISC}<path class="cut" d="{_TICK}"/>'

ANSWERS = {
    Answer.HOLDS: Sign("sure", _HOLDS),
    Answer.NEAR: _NEAR,
    Answer.FAILS: Sign("fails", _FAILS),
    Answer.UNCLEAR: _UNCLEAR,
    Answer.SAME: _SAME,
    Answer.OUTSIDE: Sign(
        "outside", '<path class="line" d="M5.5 2h-3v12h3M10.5 2h3v12h-3"/><circle cx="8" cy="8" r="1.5"/>'
    ),
    Answer.UNTESTABLE: _NONE,
}
"""The look of each answer, in the colours of figures. Symbols differ in shape: a circle holds, a square fails."""
WORDS = {
    Word.CANNOT_DIFFER: _SAME,
    Word.NOT_JUDGED: _NONE,
    Word.INCONCLUSIVE: _UNCLEAR,
    Word.RELEASED_NOT_MECHANISM: Sign("weak", f'{_BELOW}<path class="line" d="{_SLASH}"/>'),
    Word.NOT_MECHANISM: Sign("weak", f'{_RING}<path class="line" d="{_SLASH}"/>'),
    Word.RELEASED: Sign("partly", _BELOW),
    Word.CONFIRMED: Sign("sure", _HOLDS),
    Word.DEPENDS: Sign("partly", f'{_RING}<path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z"/>'),
    Word.HOLDS: Sign("holds", f'{_RING}<path class="line" d="{_TICK}"/>'),
    Word.NEAR: _NEAR,
    Word.AS_WRITTEN: Sign("weak", f'<path class="line" d="{_SQUARE}"/><path class="line" d="{_CROSS}"/>'),
    Word.REFUTED: Sign("fails", _FAILS),
}
"""The look of each word: filled where all columns agree, and open where some are missing."""
SYMBOLS = {
    symbol: f"symbol-{place}"
    for place, symbol in enumerate(dict.fromkeys(look.symbol for look in (*ANSWERS.values(), *WORDS.values())))
}
"""Symbol -> its id on every page, which draws it once and refers to it."""


def read_claims(path: Path, papers: Iterable[str]) -> Claims:
    """Read the verdicts on the claims of some papers; raise InputError naming one that belongs to none of them."""
    found: dict[str, dict[str, list[Verdict]]] = {paper: {} for paper in papers}
    for one in load_verdicts(path):
        if one.claim.paper not in found:
            raise InputError(f"{path} has a claim of {one.claim.paper!r}: give the file of that paper, too.")
        found[one.claim.paper].setdefault(one.claim.id, []).append(one)
    for name, verdicts in ((name, given) for own in found.values() for name, given in own.items()):
        readings = [one.claim.reading for one in verdicts]
        if readings[0] != PAPER or len(set(readings)) < len(readings):
            words = ", ".join(readings)
            raise InputError(f"{path} has {name} under {words}: by the text first, and once under each other reading.")
    return found


def read_headlines(path: Path, claims: Claims) -> dict[str, list[HeadlineVerdict]]:
    """Read the verdicts on headlines by paper; raise InputError naming a claim of theirs that has no verdict."""
    found: dict[str, list[HeadlineVerdict]] = {paper: [] for paper in claims}
    for one in load_headlines(path):
        known = claims[pick(one.paper, found, f"paper of {one.id} in {path}")]
        for claim in (*one.claims, pick(one.decided_by, one.claims, f"claim that decides {one.id} in {path}")):
            pick(claim, known, f"claim of {one.id} in {path}")
        found[one.paper].append(one)
    return found
