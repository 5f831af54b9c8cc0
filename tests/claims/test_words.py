"""The words of headlines: one for every combination of the columns' answers, each as its row of the table says it."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from manybandits.claims.verdict import Answer, Attribution, SetUps, Word
from manybandits.claims.words import RULES, Columns, Share, Standing, columns_of, share_of, standing_of, word_of
from manybandits.papers.claim import ControlKind, Headline
from tests.planted.claims import FAILS, HOLDS, NEAR, OUTSIDE, SAME, UNCLEAR, UNTESTABLE
from tests.planted.verdicts import headline

CODES = [(False, None), (True, None), *((True, answer) for answer in Answer)]
"""Whether code was released, and what it answers."""
ALL = [
    Columns(text, has_code, code, share, controls, code_controls)
    for text, (has_code, code), share, controls, code_controls in product(Answer, CODES, Share, Standing, Standing)
]
RESCUED = (Share.NEARLY_ALL, Share.SOME)
UNTOLD = (Share.NOT_PLAYED, Share.UNCLEAR)
ROWS = {
    Word.CANNOT_DIFFER: lambda one: one.text is SAME,
    Word.NOT_JUDGED: lambda one: one.text in (OUTSIDE, UNTESTABLE),
    Word.INCONCLUSIVE: lambda one: one.text is UNCLEAR and one.code is not HOLDS,
    Word.RELEASED_NOT_MECHANISM: lambda one: (
        one.text in (FAILS, UNCLEAR) and one.code is HOLDS and one.code_controls is Standing.UNDONE
    ),
    Word.NOT_MECHANISM: lambda one: one.text is HOLDS and one.controls is Standing.UNDONE,
    Word.RELEASED: lambda one: (
        one.text in (FAILS, UNCLEAR) and one.code is HOLDS and one.code_controls is not Standing.UNDONE
    ),
    Word.CONFIRMED: lambda one: one.text is HOLDS and one.share is Share.NEARLY_ALL and one.controls is Standing.STANDS,
    Word.DEPENDS: lambda one: (
        (
            one.text is HOLDS
            and one.controls is not Standing.UNDONE
            and one.share in (Share.SOME, Share.NONE, Share.UNCLEAR)
        )
        or (one.text is NEAR and one.share in RESCUED)
        or (one.text is FAILS and one.code is not HOLDS and one.share in RESCUED)
    ),
    Word.HOLDS: lambda one: (
        one.text is HOLDS
        and (
            (one.controls is Standing.OPEN and one.share is Share.NEARLY_ALL)
            or (one.controls is not Standing.UNDONE and one.share is Share.NOT_PLAYED)
        )
    ),
    Word.NEAR: lambda one: one.text is NEAR and one.share not in RESCUED,
    Word.AS_WRITTEN: lambda one: (
        one.text is FAILS
        and one.code is not HOLDS
        and one.share not in RESCUED
        and (one.share in UNTOLD or (one.has_code and one.code is not FAILS))
    ),
    Word.REFUTED: lambda one: (
        one.text is FAILS and one.share is Share.NONE and (one.code is FAILS or (not one.has_code and one.code is None))
    ),
}
"""Each word by itself, without the order of the rules: an independent statement of section 1 of VERDICTS."""


def test_every_combination_of_the_columns_has_exactly_one_word_which_is_that_of_the_table():
    assert len(ALL) == 7 * 9 * 5 * 3 * 3
    assert list(RULES) == list(Word) == list(ROWS)
    for one in ALL:
        assert [word for word, row in ROWS.items() if row(one)] == [word_of(one)]


def test_every_word_is_given_to_some_combination():
    assert {word_of(one) for one in ALL} == set(Word)


def test_what_is_left_for_the_last_word_fails_by_the_text():
    *others, last = RULES.items()
    left = [one for one in ALL if not any(matches(one) for _, (_, matches) in others)]
    assert last[0] is Word.REFUTED
    assert {one.text for one in left} == {FAILS}


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ({Word.CONFIRMED, Word.HOLDS}, lambda one: one.text is HOLDS),
        ({Word.CONFIRMED, Word.HOLDS}, lambda one: one.controls is not Standing.UNDONE),
        ({Word.CONFIRMED, Word.HOLDS}, lambda one: one.share in (Share.NEARLY_ALL, Share.NOT_PLAYED)),
        ({Word.CONFIRMED}, lambda one: one.controls is Standing.STANDS),
        ({Word.CONFIRMED}, lambda one: one.share is Share.NEARLY_ALL),
        ({Word.REFUTED}, lambda one: one.text is FAILS),
        ({Word.REFUTED}, lambda one: one.share is Share.NONE),
        ({Word.REFUTED}, lambda one: one.code is FAILS or not one.has_code),
        ({Word.AS_WRITTEN}, lambda one: one.text is FAILS and one.code is not HOLDS),
        ({Word.RELEASED, Word.RELEASED_NOT_MECHANISM}, lambda one: one.text is not HOLDS and one.code is HOLDS),
        ({Word.NEAR}, lambda one: one.text is NEAR),
        ({Word.DEPENDS}, lambda one: one.share is not Share.NOT_PLAYED),
        ({Word.CANNOT_DIFFER}, lambda one: one.text is SAME),
    ],
)
def test_no_word_is_given_without_what_it_says(words, statement):
    assert [one for one in ALL if word_of(one) in words and not statement(one)] == []


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        (lambda one: one.text is SAME, Word.CANNOT_DIFFER),
        (lambda one: one.text in (OUTSIDE, UNTESTABLE), Word.NOT_JUDGED),
        (lambda one: one.text is HOLDS and one.controls is Standing.UNDONE, Word.NOT_MECHANISM),
        (lambda one: one.text is NEAR and one.code is HOLDS and one.share is Share.NONE, Word.NEAR),
        (lambda one: one.text is HOLDS and one.controls is Standing.OPEN and one.share is Share.NOT_PLAYED, Word.HOLDS),
        (
            lambda one: one.text is HOLDS and one.controls is Standing.STANDS and one.share is Share.NOT_PLAYED,
            Word.HOLDS,
        ),
        (lambda one: one.text is FAILS and one.share is Share.UNCLEAR and one.code is FAILS, Word.AS_WRITTEN),
        (lambda one: one.text is FAILS and one.share is Share.NONE and one.code is NEAR, Word.AS_WRITTEN),
        (lambda one: one.text is UNCLEAR and one.code is None, Word.INCONCLUSIVE),
        (lambda one: one.text is UNCLEAR and one.code is FAILS and one.share is Share.NONE, Word.INCONCLUSIVE),
    ],
)
def test_what_decides_alone_gives_its_word_whatever_the_other_columns_say(statement, word):
    meant = [one for one in ALL if statement(one)]
    assert meant
    assert {word_of(one) for one in meant} == {word}


def test_the_controls_as_released_matter_only_where_the_code_alone_holds():
    for one in ALL:
        if one.text not in (FAILS, UNCLEAR) or one.code is not HOLDS:
            others = [replace(one, code_controls=each) for each in Standing]
            assert {word_of(other) for other in others} == {word_of(one)}


# Shares


def setups(holds: int, fails: int, judged: int = 10) -> SetUps:
    return SetUps(played=judged, judged=judged, holds=holds, fails=fails)


@pytest.mark.parametrize(
    ("holds", "fails", "judged", "share"),
    [
        (9, 1, 10, Share.NEARLY_ALL),
        (8, 2, 10, Share.SOME),
        (2, 8, 10, Share.SOME),
        (1, 9, 10, Share.NONE),
        (1, 8, 10, Share.UNCLEAR),
        (0, 9, 10, Share.NONE),
        (0, 10, 10, Share.NONE),
        (0, 0, 10, Share.UNCLEAR),
        (58, 6, 64, Share.NEARLY_ALL),
        (57, 7, 64, Share.SOME),
        (7, 57, 64, Share.SOME),
        (6, 58, 64, Share.NONE),
        (6, 57, 64, Share.UNCLEAR),
        (1, 0, 1, Share.NEARLY_ALL),
        (27, 3, 30, Share.NEARLY_ALL),
        (3, 27, 30, Share.NONE),
        (0, 0, 0, Share.NOT_PLAYED),
    ],
)
def test_a_share_of_the_set_ups_is_told_in_whole_numbers(holds, fails, judged, share):
    """Of ten, one is not more than 10 %, and nine are at least 90 %."""
    assert share_of(setups(holds, fails, judged)) is share


def test_a_share_and_that_of_the_opposite_are_mirror_images_where_all_are_certain():
    mirrored = {Share.NEARLY_ALL: Share.NONE, Share.NONE: Share.NEARLY_ALL, Share.SOME: Share.SOME}
    for judged in range(1, 65):
        for holds in range(judged + 1):
            there, back = setups(holds, judged - holds, judged), setups(judged - holds, holds, judged)
            assert share_of(back) is mirrored[share_of(there)]


def test_no_set_ups_are_not_played_and_a_headline_that_no_choice_touches_has_one():
    assert share_of(None) is Share.NOT_PLAYED
    assert share_of(replace(setups(9, 1), earlier=True)) is Share.NOT_PLAYED  # judged when it asked something else
    assert share_of(replace(setups(9, 1), played=21)) is Share.NOT_PLAYED  # most of them could not be judged
    assert share_of(replace(setups(9, 1), played=20)) is Share.NEARLY_ALL
    alone = {HOLDS: Share.NEARLY_ALL, FAILS: Share.NONE, NEAR: Share.UNCLEAR, UNCLEAR: Share.UNCLEAR}
    assert {answer: share_of(None, answer) for answer in alone} == alone


# Columns of a headline


def control(answer: Answer, kind: ControlKind = "mechanism") -> Attribution:
    return Attribution(control=kind, kind=kind, says="without it", answer=answer)


KINDS: tuple[ControlKind, ...] = get_args(ControlKind)


@pytest.mark.parametrize(
    ("answers", "standing"),
    [
        ([], Standing.OPEN),
        ([HOLDS], Standing.OPEN),
        ([HOLDS, HOLDS], Standing.OPEN),
        ([HOLDS, HOLDS, HOLDS], Standing.STANDS),
        ([HOLDS, HOLDS, FAILS], Standing.UNDONE),
        ([UNTESTABLE, FAILS], Standing.UNDONE),
        ([HOLDS, HOLDS, UNTESTABLE], Standing.OPEN),
        ([HOLDS, HOLDS, UNCLEAR], Standing.OPEN),
    ],
)
def test_one_control_that_does_as_well_undoes_a_headline_and_a_kind_that_was_not_played_leaves_it_open(
    answers, standing
):
    assert standing_of([control(answer, kind) for answer, kind in zip(answers, KINDS, strict=False)]) is standing


def test_a_headline_that_needs_no_controls_stands_without_them():
    assert standing_of([], needed=False) is Standing.STANDS
    needless = Headline(says="It grows.", place="Figure 2", claims=("best",), without_controls="it compares nothing")
    alone = headline(headline=needless, alone=True)
    assert word_of(columns_of(alone)) is Word.CONFIRMED
    assert word_of(columns_of(headline(alone=True))) is Word.HOLDS
    assert (
        word_of(columns_of(headline(alone=True, controls=tuple(control(HOLDS, kind) for kind in KINDS))))
        is Word.CONFIRMED
    )
    assert word_of(columns_of(headline(alone=True, controls=(control(HOLDS),)))) is Word.HOLDS
    assert word_of(columns_of(headline(alone=True, controls=(control(FAILS),)))) is Word.NOT_MECHANISM


def test_the_columns_of_a_headline_are_its_own():
    given = headline(
        answer=FAILS,
        has_code=True,
        code=HOLDS,
        setups=setups(1, 9),
        controls=tuple(control(HOLDS, kind) for kind in KINDS),
        code_controls=(control(FAILS),),
    )
    assert columns_of(given) == Columns(FAILS, True, HOLDS, Share.NONE, Standing.STANDS, Standing.UNDONE)
    assert word_of(columns_of(given)) is Word.RELEASED_NOT_MECHANISM
