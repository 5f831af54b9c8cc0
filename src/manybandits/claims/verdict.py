"""Verdicts: what a run shows about a claim of a paper, and about a headline.

A claim of a paper file (`manybandits.papers.claim.Claim`) is judged on samples (`manybandits.claims.samples.Sample`)
and gets a `Verdict`. The verdicts on the claims that test a headline give a `HeadlineVerdict`. Both stay typed from the
judge to the page, and `manybandits.claims.sentences` says them in words.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import numpy as np
from msgspec import Struct

from manybandits.base.protocols import PAPER
from manybandits.papers.claim import Claim, ControlKind, Headline, Selection
from manybandits.papers.openings import answers_in

DIGITS = 6
"""Significant digits of the numbers of a verdict: further ones differ between processors."""


class Answer(Enum):
    """What the evidence says about a claim, or about a headline by the text of its paper."""

    HOLDS = "holds"
    NEAR = "near miss"
    FAILS = "fails"
    UNCLEAR = "inconclusive"
    SAME = "cannot differ"
    OUTSIDE = "outside its conditions"
    UNTESTABLE = "not testable"

    @property
    def is_judged(self) -> bool:
        """Whether the evidence was weighed: for, against, or neither."""
        return self in JUDGED


JUDGED = (Answer.HOLDS, Answer.NEAR, Answer.FAILS, Answer.UNCLEAR)
MEANINGS = {
    Answer.HOLDS: "the measured result agrees with the claim, by the rule for claims of its kind",
    Answer.NEAR: "the direction is right and the size is wrong",
    Answer.FAILS: "the opposite holds, or the value is a different one, with statistical certainty",
    Answer.UNCLEAR: "the interval contains both answers, or the runs are too few or too short",
    Answer.SAME: "the compared results are identical in every run, so the claim could not fail",
    Answer.OUTSIDE: "a theorem whose stated conditions no run meets; what was measured is shown and not judged",
    Answer.UNTESTABLE: "no data, a statistic that the paper does not specify, or seconds of an undescribed machine",
}
"""When each answer is given."""

FLAGS = {
    "at chance": "a compared method is within two standard errors of random choice, or worse: a bug, or a setting in "
    "which it cannot learn, is as good an explanation as the claim",
    "vacuous bound": "with the stated constants the bound is above the regret of random choice at every point, so "
    "every method keeps it, and only its rate is judged",
    "not discriminating": "a method for which the bound is not claimed keeps it as well, so keeping it says little",
    "control not played": "a method for which the bound is not claimed was not run, so nothing shows whether the bound "
    "is hard to keep",
    "cannot vary": "the varied option has no effect on this method, so its results are equal by construction",
    "unequal tuning": "the compared methods were tuned on different numbers of grid points, runs or rounds",
    "edge of the grid": "tuning chose the smallest or largest value of its grid, and the next value was worse, so a "
    "wider grid might do better",
    "arm never tried": "some runs never tried some arm",
    "dead network": "in some runs nearly all units of the network output zero for every input",
}
"""Kind of a flag -> what it means. `manybandits.results.display_names.FLAGS` has the names that people read."""


class Flag(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a reader should know before believing a verdict. kind: one of `FLAGS`; of: the title of the method."""

    kind: str
    of: str = ""
    detail: str = ""


class Attribution(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the method of a headline compares with one of its controls.

    answer: holds if the method is ahead of the control; fails if the control does as well, or better; not testable if
    it was not played. The numbers are those of the comparison that decides: the lead of the method, in shares.
    """

    control: str
    kind: ControlKind
    says: str
    answer: Answer
    own: str = ""
    rival: str = ""
    measure: str = ""
    game: str = ""
    measured: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0


class Verdict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the evidence says about a claim, with its numbers.

    Numbers are None where there are none; `low` and `high` are the ends of the 95 % interval.
    """

    claim: Claim
    answer: Answer
    target: str = ""  # the figure or table that was judged, such as m_cnb_fig2
    measure: str = ""  # what was measured, in words
    rival: Selection | None = None  # of a comparison: the other side of the one that decides
    game: str = ""  # the game that decides; "" if the claim is not about one
    comparisons: int = 0  # how many were made; the least favourable one is told
    measured: float | None = None
    low: float | None = None
    high: float | None = None
    published: float | None = None
    n: int = 0  # independent runs
    p: float | None = None
    data: tuple[str, ...] = ()  # the data of each game, in words
    limits: tuple[str, ...] = ()  # in what respects the run is smaller than the paper's, or on other data
    flags: tuple[Flag, ...] = ()
    reason: str = ""  # what decided, or why the claim cannot be judged
    because: str = ""  # why it does not hold, as far as is known
    rests_on: str = ""  # the target on which that rests; "" for a conjecture
    early: tuple[Answer, ...] = ()  # of an order: the answers after the parts `EARLY` of the rounds
    under: dict[str, tuple[Answer, float | None]] = {}  # other rules -> answer and p, where they are other ones
    controls: tuple[Attribution, ...] = ()  # of a claim of a headline: the method against each of its controls

    @property
    def counts(self) -> bool:
        """Whether it counts in the score of its table: by the text, and of a claim that says something of its own."""
        return self.claim.reading == PAPER and not self.claim.stands

    @property
    def is_relative(self) -> bool:
        """Whether its numbers are shares of the rival's result."""
        return self.claim.kind in ("order", "equality")


EARLY = (0.1, 1 / 3)
"""The parts of the rounds after which orders are judged again."""


NEARLY_ALL = 90
"""The share of the set-ups, in per cent, from which on an answer is that of nearly all."""
AND = " and "
"""Between the two questions of a pair, which is one choice."""


class SetUps(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """In how many of its admissible set-ups a headline holds and fails, and what decides.

    choices: those that explain most, if no answer is that of nearly all. nearest: the set-up with the fewest changes in
    which one that fails by the text holds, or the reverse; "" if none.
    """

    played: int
    judged: int
    holds: int
    fails: int
    choices: tuple[str, ...] = ()
    nearest: str = ""
    earlier: bool = False  # whether the headline asked something else when they were judged: then they do not count

    @property
    def nearly_all(self) -> Answer | None:
        """The answer, holds or fails, in nearly all that were judged; None if there is none."""
        # In whole numbers: of ten, one is no more than 10 %.
        enough = NEARLY_ALL * max(self.judged, 1)
        return Answer.HOLDS if 100 * self.holds >= enough else Answer.FAILS if 100 * self.fails >= enough else None

    @property
    def counts(self) -> dict[str, int]:
        """How many were played, judged, hold and fail, by the names of the columns of ``readings.csv``."""
        return {"readings": self.played, "judged": self.judged, "holds": self.holds, "fails": self.fails}

    @property
    def questions(self) -> list[str]:
        """The questions of the choices, each once."""
        return list(dict.fromkeys(key for choice in self.choices for key in choice.split(AND)))

    @property
    def changes(self) -> dict[str, str]:
        """The answers of the nearest set-up that differ from the default, by question."""
        return answers_in(self.nearest)


class Word(Enum):
    """What is said of a headline, by `manybandits.claims.words.word_of`; the values are what people read."""

    CANNOT_DIFFER = "cannot differ"
    NOT_JUDGED = "not judged"
    INCONCLUSIVE = "inconclusive"
    RELEASED_NOT_MECHANISM = "only as released, and not by its mechanism"
    NOT_MECHANISM = "not by its mechanism"
    RELEASED = "only as released"
    CONFIRMED = "confirmed"
    DEPENDS = "depends"
    HOLDS = "holds"
    NEAR = "near miss"
    AS_WRITTEN = "fails as written"
    REFUTED = "refuted"


class HeadlineVerdict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The verdict on a headline: four columns, and the word that they give.

    answer: by the text; decided_by: the id of the claim that decides it; p: corrected by Holm's rule. versions: as each
    version of the authors' code does it; code: the most favourable of these answers, since nobody knows which version
    made the published numbers; None if none was played, or if no code is known (`has_code`). setups: None if none were
    played. controls: by the text; code_controls: of the version that `code` is the answer of.
    """

    id: str  # paper.key
    paper: str
    headline: Headline
    claims: tuple[str, ...]  # ids of the claims that test it
    word: Word = Word.NOT_JUDGED
    answer: Answer
    decided_by: str
    p: float | None = None
    limits: tuple[str, ...] = ()
    reason: str = ""
    has_code: bool = False
    code: Answer | None = None
    versions: dict[str, Answer] = {}
    alone: bool = False  # whether no open choice touches it, so that it has one set-up only
    setups: SetUps | None = None
    controls: tuple[Attribution, ...] = ()
    code_controls: tuple[Attribution, ...] = ()
    loose: bool = False  # whether a method for which one of its bounds is not claimed keeps it, too, or was not played
    early: tuple[Answer, ...] = ()  # by the text, after the parts `EARLY` of the rounds
    under: dict[str, Word] = {}  # other rules -> its word, where it is another one

    @property
    def key(self) -> str:
        """The key of the headline in its paper's file."""
        return self.id.split(".")[1]


def known(value: float) -> float | None:
    """Return a number with `DIGITS` significant digits; None for NaN, and for what is infinite."""
    return float(f"{value + 0.0:.{DIGITS}g}") if np.isfinite(value) else None  # -0.0 is 0


def count(answers: Iterable[Answer]) -> dict[Answer, int]:
    """Return how often each answer is given, in the order of `Answer`."""
    given = list(answers)
    return {answer: given.count(answer) for answer in Answer}
