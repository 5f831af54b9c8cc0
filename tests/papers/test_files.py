"""Papers are read as typed records, and mistakes are named with the file of the two that has them."""

import pytest

from manybandits.base.exceptions import InputError
from manybandits.papers.files import PLACE, folder_of, names, read_paper
from tests.planted.papers import read_content, save_paper

CLAIM = {"place": "Table 1", "says": "so", "kind": "value", "of": "M-CNB", "published": 1, "experiment": "fig2"}


@pytest.fixture
def content(root):
    return read_content(root / PLACE / "m_cnb")


def test_every_paper_is_read_with_its_claims(root):
    for name in names(root):
        paper = read_paper(folder_of(root, name))
        assert paper.name == name
        assert {claim.experiment for claim in paper.claims} <= paper.experiments.keys()
    with pytest.raises(InputError, match=r"unknown paper 'mcnb': did you mean 'm_cnb'\?"):
        folder_of(root, "mcnb")


def test_a_panel_overlays_its_experiment_and_leaves_it_what_it_does_not_say(root):
    experiment = read_paper(folder_of(root, "lnucb_ta")).experiments["table2"]
    first, second = experiment.parts[:2]
    assert {part.game for part in experiment.parts} == {"classification"}
    assert (first.data, second.data) == (("adult", "magic"), ("mushroom",))
    assert first.with_ == second.with_ == {"user": "hidden", "serve": "shuffled", "words": "codes"}
    assert second.settings.horizon == 8124


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shrt": "x"}, r"m_cnb/experiments\.yaml: unknown key 'shrt'; did you mean 'short'\?"),
        ({"claims": {"a b": CLAIM}}, r"m_cnb/claims\.yaml: 'claims\.a b' is 'a b'; expected lower-case letters"),
        ({"claims": {"it": {**CLAIM, "std": -1}}}, r"'claims\.it\.std' is -1; expected a standard deviation"),
        ({"claims": {"it": {**CLAIM, "than": [{"off": "x"}]}}}, r"unknown key 'off' in 'claims\.it\.than\.0'; did you"),
        ({"claims": {"it": {**CLAIM, "cells": [{"wher": {}}]}}}, r"unknown key 'wher' in 'claims\.it\.cells\.0'"),
        ({"claims": {"it": {**CLAIM, "experiment": "fig22"}}}, r"claims\.yaml, claim m_cnb\.it.*did you mean 'fig2'"),
        (
            {"divergences": [{"key": "a", "says": "b"}]},
            r"claims\.yaml: the key 'touches' is missing in 'divergences\.0'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path, content, change, words):
    with pytest.raises(InputError, match=words):
        read_paper(save_paper(tmp_path / "m_cnb", content | change))


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"what": "arms", "value": 10}, r"'setup\.0' needs either `place` or `ours`"),
        ({"what": "arms", "value": 10, "place": "section 6", "ours": "a guess"}, "needs either `place` or `ours`"),
        ({"what": "arms", "value": 10, "plce": "section 6"}, "unknown key 'plce' in 'setup.0'; did you mean 'place'"),
    ],
)
def test_a_number_of_the_setup_is_either_the_papers_or_ours(tmp_path, content, stated, words):
    with pytest.raises(InputError, match=words):
        read_paper(save_paper(tmp_path / "m_cnb", content | {"setup": [stated]}))


def test_a_paper_without_its_second_file_stops_with_that_file(tmp_path, content):
    folder = save_paper(tmp_path / "m_cnb", content)
    (folder / "claims.yaml").unlink()
    with pytest.raises(InputError, match=r"m_cnb/claims\.yaml cannot be read"):
        read_paper(folder)
