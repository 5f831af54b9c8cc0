"""Descriptions: every algorithm of the package is told in three plain sentences, which no play depends on."""

from __future__ import annotations

import pytest

from manybandits.algorithms import catalogue
from manybandits.algorithms.description import descriptions, sentences_of
from manybandits.base.sources import modules_of


def test_every_algorithm_has_its_description_and_nothing_else_has():
    assert sorted(descriptions()) == catalogue.names()
    assert sentences_of("./mine.py") == ()


@pytest.mark.parametrize("name", catalogue.names())
def test_a_description_is_three_sentences_without_formulas(name):
    for sentence in sentences_of(name):
        assert sentence[0].isupper(), sentence
        assert sentence.endswith("."), sentence
        assert 3 <= len(sentence.split()) <= 45, sentence
        assert not set("`_^*\\{}") & set(sentence), sentence


def test_no_two_algorithms_are_described_by_the_same_first_sentence():
    assert len({sentences[0] for sentences in descriptions().values()}) == len(descriptions())


@pytest.mark.parametrize("name", catalogue.names())
def test_no_play_depends_on_descriptions(name):
    assert "manybandits.algorithms.description" not in modules_of(catalogue.module_of(name), "manybandits.harness.play")
