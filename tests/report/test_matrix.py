"""The answer of a run: how many headlines have each word, in a sentence and in a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from manybandits.claims.verdict import HeadlineVerdict, SetUps, Word
from manybandits.report.matrix import GROUPS, PHRASES, count_words, in_words, sentence
from manybandits.report.picture import colours_of, picture
from manybandits.report.verdicts import WORDS
from tests.planted.verdicts import headline
from tests.report.markup import words_of

NAMES = {"first": "First & last", "second": "Second"}


def given(word: Word) -> HeadlineVerdict:
    """Return a headline with a word, of which 41 of 64 set-ups hold."""
    setups = SetUps(played=64, judged=64, holds=41, fails=9)
    return headline(id="first.more_regret", word=word, says="It is <best>", setups=setups)


def test_the_answer_counts_every_headline_once_from_what_holds_to_what_says_nothing():
    words = (Word.REFUTED, Word.CONFIRMED, Word.DEPENDS, Word.REFUTED, Word.NOT_JUDGED, Word.HOLDS, Word.CONFIRMED)
    matrix = {"first": list(map(given, words[:4])), "second": list(map(given, words[4:])), "third": []}
    assert sentence(matrix) == (
        "Of 7 headlines of two papers, 3 hold (2 confirmed, 1 not fully checked), 1 depends on the set-up, "
        "2 are refuted and 1 is not judged."
    )


def test_every_word_is_in_one_group_whose_number_is_the_sum_of_those_of_its_words():
    assert sorted(word.name for words in GROUPS.values() for word in words) == sorted(word.name for word in Word)
    answer = sentence({"first": [given(word) for word in Word for _ in range(2)]})
    for total, inner in re.findall(r"(\d+) [^(\d]+\(([^)]+)\)", answer):
        assert int(total) == sum(map(int, re.findall(r"\d+", inner)))
    assert sum(map(int, re.findall(r"(\d+) [^(\d]+\(", answer))) == 2 * len(Word)


@pytest.mark.parametrize("word", Word)
def test_every_word_is_said_of_one_headline_and_of_several(word):
    assert in_words([given(word)]) == f"1 {PHRASES[word][0]}"
    assert in_words([given(word)] * 2) == f"2 {PHRASES[word][1]}"
    assert count_words([given(word)] * 2) == {word: 2}


def test_a_run_without_headlines_has_no_answer():
    assert sentence({"first": [given(Word.HOLDS)]}) == "Of 1 headline of one paper, 1 holds."
    assert sentence({"first": []}) == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_has_a_tile_for_each_headline_with_its_sentence_as_title(scheme):
    matrix = {"first": [given(word) for word in Word], "second": [given(Word.REFUTED)], "third": []}
    drawn = picture(matrix, NAMES, "An <answer>.", scheme)
    tree = ElementTree.fromstring(drawn)
    space = "{http://www.w3.org/2000/svg}"
    titles = [title.text for title in tree.iter(f"{space}title")]
    assert titles == ["An <answer>.", *(f"{word.value}: It is <best>" for word in (*Word, Word.REFUTED))]
    assert drawn.count("41 of 64") == len(Word) + 1
    assert "more regret" in words_of(drawn)
    assert len(list(tree.iter(f"{space}svg"))) == 1 + len(Word) + 1 + len(Word)  # tiles, and the key
    assert picture(matrix, NAMES, "An <answer>.", scheme) == drawn


def test_set_ups_that_were_judged_on_other_claims_are_not_in_the_picture():
    earlier = headline(setups=SetUps(played=64, judged=64, holds=41, fails=9, earlier=True))
    assert "41 of 64" not in picture({"first": [earlier]}, NAMES, "It holds.", "light")


def test_the_schemes_of_the_picture_are_those_of_the_site():
    light, dark = colours_of("light"), colours_of("dark")
    assert light.keys() == dark.keys() >= {"ink", "page", "quiet", "line", *(look.colour for look in WORDS.values())}
    assert int(light["page"][1:3], 16) > 200 > 60 > int(dark["page"][1:3], 16)
