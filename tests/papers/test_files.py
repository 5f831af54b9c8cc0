"""Papers are read as typed records, and mistakes are named with the file of the two that has them."""

import pytest
from msgspec.structs import replace

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


CONTROL = {"kind": "mechanism", "says": "all users in one group", "of": ["M-CNB, one group"], "headlines": ["best"]}
BEST = {"says": "It is best.", "place": "abstract", "claims": ["it"]}


def test_controls_are_read_with_the_headlines_that_they_belong_to(tmp_path, content):
    headlines = {"best": BEST, "grows": {**BEST, "without_controls": "It compares no methods."}}
    more = {"claims": {"it": CLAIM}, "headlines": headlines, "controls": {"one_group": CONTROL}}
    paper = read_paper(save_paper(tmp_path / "m_cnb", without_controls(content) | more))
    control = paper.controls["one_group"]
    assert (control.kind, control.of, control.headlines) == ("mechanism", ("M-CNB, one group",), ("best",))
    assert [one.without_controls for one in paper.headlines.values()] == ["", "It compares no methods."]


def without_controls(content: dict) -> dict:
    return {**content, "story": [], "reasons": {}, "divergences": [], "controls": {}}


@pytest.mark.parametrize(
    ("control", "words"),
    [
        ({"headlines": ["bets"]}, r"unknown headline \(.*m_cnb/claims\.yaml, control off\) 'bets': .*'best'"),
        ({"kind": "mechanisms"}, r"claims\.yaml: 'controls\.off\.kind' is 'mechanisms'; did you mean 'mechanism'\?"),
        ({"hedlines": ["best"]}, r"unknown key 'hedlines' in 'controls\.off'; did you mean 'headlines'\?"),
        ({"of": []}, r"'controls\.off\.of' is \[\]; expected a list of titles of runs"),
        ({"of": "M-CNB"}, r"'controls\.off\.of' is 'M-CNB'; expected a list of titles of runs"),
        ({"headlines": []}, r"'controls\.off\.headlines' is \[\]; expected the headlines that it belongs to"),
        ({"says": None}, r"'controls\.off\.says' is None; expected what it switches off or equalises"),
    ],
)
def test_a_mistake_in_a_control_is_named_with_its_key_and_the_nearest_one(tmp_path, content, control, words):
    more = {"claims": {"it": CLAIM}, "headlines": {"best": BEST}, "controls": {"off": {**CONTROL, **control}}}
    with pytest.raises(InputError, match=words) as raised:
        read_paper(save_paper(tmp_path / "m_cnb", without_controls(content) | more))
    assert "\n" not in str(raised.value)


def test_a_control_has_all_of_its_keys_and_a_name(tmp_path, content):
    more = {"claims": {"it": CLAIM}, "headlines": {"best": BEST}}
    for key in CONTROL:
        lacking = {name: value for name, value in CONTROL.items() if name != key}
        with pytest.raises(InputError, match=rf"the key '{key}' is missing in 'controls\.off'; add it"):
            read_paper(
                save_paper(tmp_path / "m_cnb", without_controls(content) | more | {"controls": {"off": lacking}})
            )
    with pytest.raises(InputError, match=r"'controls\.One group' is 'One group'; expected lower-case letters"):
        read_paper(
            save_paper(tmp_path / "m_cnb", without_controls(content) | more | {"controls": {"One group": CONTROL}})
        )


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"by": "An author", "date": "27 November", "says": "No."}, "expected a date such as '2026-11-27'"),
        ({"by": "An author", "says": "No."}, r"the key 'date' is missing in 'headlines\.best\.replies\.0'"),
    ],
)
def test_a_reply_of_an_author_has_a_name_and_a_date(tmp_path, content, reply, words):
    more = {"claims": {"it": CLAIM}, "headlines": {"best": {**BEST, "replies": [reply]}}}
    with pytest.raises(InputError, match=words):
        read_paper(save_paper(tmp_path / "m_cnb", without_controls(content) | more))


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


def test_what_is_asked_of_a_headline_is_another_thing_on_other_games_and_not_in_other_words(root):
    paper = read_paper(folder_of(root, "m_cnb"))
    asked, figure = paper.wording("recommendation"), paper.experiments["fig2"]

    def with_figure(**changes):
        return replace(paper, experiments={**paper.experiments, "fig2": replace(figure, **changes)})

    assert with_figure(title="other words").wording("recommendation") == asked
    assert with_figure(with_={"context": "item"}).wording("recommendation") != asked
    assert with_figure(with_={"context": "item"}).wording("classification") == paper.wording("classification")
