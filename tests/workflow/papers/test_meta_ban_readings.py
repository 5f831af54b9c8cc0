"""What Meta-Ban leaves open: equal tuning in every reading, and answers that change what they say and nothing else."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import overlay, read_yaml
from manybandits.papers.files import Paper, names, read_paper
from manybandits.planning.configuration import Configuration, Scope, checked
from manybandits.planning.jobs import Play
from manybandits.planning.readings import PlannedReading, readings_of

META = ("gradients", "start", "meta_step")
RATES = {
    ("theta", "first", "plain"): [1, 0.01, 0.1, 10, 100],
    ("users", "previous", "plain"): [0.03, 0.0003, 0.003, 0.3, 3],
    ("theta", "previous", "plain"): [0.03, 0.0003, 0.003, 0.3, 3],
    **{
        (*given, "adam"): [0.001, 0.00001, 0.0001, 0.01, 0.1]
        for given in product(("users", "theta"), ("first", "previous"))
    },
}
"""Where gradients are taken, where the meta-learner starts, its optimiser -> its step sizes."""
SCOPE = Scope(with_={"arms": ["shifted"]})
"""Of the two games of images that are played side by side, the one that a reading may exchange for the other."""


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(root / "workflow/papers/meta_ban")


@pytest.fixture(scope="module")
def config(root) -> Configuration:
    content = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml"))
    return checked(content, names(root)).for_paper("meta_ban")


def plays_of(reading: PlannedReading) -> list[Play]:
    return [play for figure in reading.figures.values() for play in figure.plays]


def single_changes(paper: Paper, headline: str, config: Configuration) -> dict[tuple[str, str], PlannedReading]:
    """Return the readings that change one answer; () for none."""
    found = readings_of(paper, headline, config, SCOPE)
    return {one.answers[0] if one.answers else (): one for one in found if len(one.answers) < 2}


@pytest.mark.parametrize("headline", ["movielens", "images", "nu"])
def test_whatever_the_reading_all_methods_are_tuned_alike_and_no_name_is_of_two_plays(paper, config, headline):
    known: dict[str, Play] = {}
    for reading in readings_of(paper, headline, config, SCOPE):
        found = set()
        for play in plays_of(reading):
            assert known.setdefault(play.name, play) == play, f"{reading.name}: {play.name}"
            if play.environment.protocol == "paper" and play.spec.algorithm != "random":
                found.add(prod(len(values) for values in play.spec.grid.values()))
        assert len(found) < 2, f"{reading.name}: {found}"
        if headline != "nu":  # where nu alone differs, steps are held
            assert found <= {20}, f"{reading.name}: {found}"


def test_of_answers_about_the_meta_learner_the_last_has_the_step_sizes(paper, config):
    asked = replace(paper, openings={key: paper.openings[key] for key in META})
    found = readings_of(asked, "movielens", config, SCOPE)
    assert len(found) == 8
    for reading in found:
        given = {**{key: paper.openings[key].default for key in META}, **dict(reading.answers)}
        rates = RATES.get(tuple(given[key] for key in META), [100, 0.1, 1, 10, 1000])
        (play,) = (play for play in plays_of(reading) if play.spec.algorithm == "meta_ban")
        assert list(play.spec.grid["meta_rate"]) == rates, reading.name


@pytest.mark.parametrize("headline", ["movielens", "images", "images_linear", "nu"])
def test_an_answer_changes_the_methods_that_it_names_and_no_other(paper, config, headline):
    found = single_changes(paper, headline, config)
    default = {play.name for play in plays_of(found[()])}
    for answer, reading in found.items():
        if answer:
            question, value = answer
            given = paper.openings[question].values[value]
            changed = {play.spec.algorithm for play in plays_of(reading) if play.name not in default}
            everybody = {play.spec.algorithm for play in plays_of(reading)}
            assert changed == (set(given.options) & everybody or everybody), reading.name


def test_groups_are_served(paper, config):
    found = single_changes(paper, "movielens", config)
    assert all("-pools-groups/" in play.name for play in plays_of(found["served", "groups"]))


def test_an_image_game_of_a_reading_is_the_one_that_its_claims_select(paper, config):
    found = single_changes(paper, "images", config)
    for answer, setting in ((("arms", "blocks"), "arms"), (("told", "hidden"), "user")):
        assert {claim.selection.where[setting] for claim in found[answer].claims} == {answer[1]}
        assert any(f"-{setting}-{answer[1]}" in play.name for play in plays_of(found[answer]))
