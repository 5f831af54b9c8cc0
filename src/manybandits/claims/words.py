"""The word of a headline, by its four columns: text, code, set-ups and controls (VERDICTS, section 1).

`RULES` lists the words with when each is given; the first that matches is the word. The last one of headlines that fail
matches all that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import get_args

from msgspec import Struct

from manybandits.claims.verdict import NEARLY_ALL, Answer, Attribution, HeadlineVerdict, SetUps, Word
from manybandits.papers.claim import ControlKind


class Share(Enum):
    """In how many of its set-ups a headline holds, of those that could be judged."""

    NEARLY_ALL = "at least 90 %"
    SOME = "more than 10 %, fewer than 90 %"
    UNCLEAR = "at most 10 %, and it fails in fewer than 90 %"
    NONE = "at most 10 %, and it fails in at least 90 %"
    NOT_PLAYED = "not run"


class Standing(Enum):
    """What the controls say together."""

    STANDS = "all were run, and the method is ahead of each"
    UNDONE = "one does as well"
    OPEN = "not all were run, or one is inconclusive"


class Columns(Struct, frozen=True):
    """The answers of the four columns. code: None if it was not played, or if there is none (`has_code`)."""

    text: Answer
    has_code: bool
    code: Answer | None
    share: Share
    controls: Standing
    code_controls: Standing

    @property
    def only_released(self) -> bool:
        """Whether it does not hold by the text, and holds as released."""
        return self.text in (Answer.FAILS, Answer.UNCLEAR) and self.code is Answer.HOLDS


RULES: dict[Word, tuple[str, Callable[[Columns], bool]]] = {
    Word.CANNOT_DIFFER: (
        "the quantity is identical in every run; never counted as holding",
        lambda one: one.text is Answer.SAME,
    ),
    Word.NOT_JUDGED: (
        "a theorem of which some condition is not met or not checked, seconds of an undescribed machine, or no data",
        lambda one: one.text in (Answer.OUTSIDE, Answer.UNTESTABLE),
    ),
    Word.INCONCLUSIVE: (
        "by the text the runs are too few, the interval contains both answers, or fewer than half of its claims could "
        "be judged; and it does not hold as released",
        lambda one: one.text is Answer.UNCLEAR and one.code is not Answer.HOLDS,
    ),
    Word.RELEASED_NOT_MECHANISM: (
        "fails or is inconclusive by the text, holds as released, and there a control does as well",
        lambda one: one.only_released and one.code_controls is Standing.UNDONE,
    ),
    Word.NOT_MECHANISM: (
        "holds by the text, but a control does as well: the method without its mechanism, a rival trained alike, or a "
        "plain bandit",
        lambda one: one.text is Answer.HOLDS and one.controls is Standing.UNDONE,
    ),
    Word.RELEASED: (
        "fails or is inconclusive by the text, holds as released, and no control that was run there does as well",
        lambda one: one.only_released,
    ),
    Word.CONFIRMED: (
        "holds by the text and in at least 90 % of the set-ups; every control that applies was run, and none does as "
        "well",
        lambda one: one.text is Answer.HOLDS and one.share is Share.NEARLY_ALL and one.controls is Standing.STANDS,
    ),
    Word.DEPENDS: (
        "holds in more than 10 % and fewer than 90 % of the set-ups, or the answer by the text differs from that of "
        "nearly all set-ups",
        lambda one: (
            one.share is Share.SOME
            or (one.text is Answer.HOLDS and one.share in (Share.NONE, Share.UNCLEAR))
            or (one.text is not Answer.HOLDS and one.share is Share.NEARLY_ALL)
        ),
    ),
    Word.HOLDS: (
        "holds by the text and in at least 90 % of the set-ups that were run; some controls, or all set-ups, were not "
        "run",
        lambda one: one.text is Answer.HOLDS,
    ),
    Word.NEAR: (
        "by the text the direction is right and the size is wrong, by at most a factor of two for a ratio",
        lambda one: one.text is Answer.NEAR,
    ),
    Word.AS_WRITTEN: (
        "fails by the text; the code or the set-ups, in which it could still hold, were not run or are inconclusive",
        lambda one: (one.has_code and one.code is not Answer.FAILS) or one.share in (Share.NOT_PLAYED, Share.UNCLEAR),
    ),
    Word.REFUTED: (
        "fails by the text, as released where code exists, and in at least 90 % of the set-ups",
        lambda one: True,
    ),
}
"""Word -> when it is given, in words and as a function of the columns; the first match counts."""


def word_of(columns: Columns) -> Word:
    """Return the word of a headline."""
    return next(word for word, (_, matches) in RULES.items() if matches(columns))


def columns_of(verdict: HeadlineVerdict) -> Columns:
    """Return the answers of the columns of a headline."""
    controls = standing_of(verdict.controls, needed=not verdict.headline.without_controls)
    if verdict.loose and controls is Standing.STANDS:
        controls = Standing.OPEN  # of a bound, the control is a method that should not keep it
    return Columns(
        text=verdict.answer,
        has_code=verdict.has_code,
        code=verdict.code,
        share=share_of(verdict.setups, verdict.answer if verdict.alone else None),
        controls=controls,
        code_controls=standing_of(verdict.code_controls),
    )


def share_of(setups: SetUps | None, alone: Answer | None = None) -> Share:
    """Return in how many set-ups a headline holds. alone: its answer if it has one set-up only, that of the text."""
    if alone is not None:
        return {Answer.HOLDS: Share.NEARLY_ALL, Answer.FAILS: Share.NONE}.get(alone, Share.UNCLEAR)
    if setups is None or setups.earlier or 2 * setups.judged < max(setups.played, 1):
        return Share.NOT_PLAYED
    if setups.nearly_all is not None:
        return Share.NEARLY_ALL if setups.nearly_all is Answer.HOLDS else Share.NONE
    return Share.SOME if 100 * setups.holds > (100 - NEARLY_ALL) * setups.judged else Share.UNCLEAR


def standing_of(controls: Sequence[Attribution], needed: bool = True) -> Standing:
    """Return what controls say together. needed: whether there must be one of each kind."""
    answers = [one.answer for one in controls]
    if Answer.FAILS in answers:
        return Standing.UNDONE
    whole = not needed or {one.kind for one in controls} == set(get_args(ControlKind))
    return Standing.STANDS if whole and all(answer is Answer.HOLDS for answer in answers) else Standing.OPEN
