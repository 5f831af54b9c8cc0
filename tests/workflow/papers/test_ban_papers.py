"""Claims of Meta-Ban, M-CNB and the multi-agent paper: every published number, and nothing that is not played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from manybandits import datasets
from manybandits.base.configuration import overlay, read_yaml
from manybandits.measurements import m_cnb_parts
from manybandits.planning.jobs import Play
from manybandits.planning.plan import make_plan
from manybandits.results.sweeps import AXES, RATES
from tests.planted.papers import read_content

PAPERS = ("meta_ban", "m_cnb", "sclb_pmlb")
ROUNDS = (2_000, 4_000, 6_000, 8_000, 10_000)
USERS = (500, 5_000, 10_000, 20_000)
DEPTHS = ("", ", layers 4", ", layers 8", ", layers 10")
PUBLISHED = {
    "table1": {
        "clustering": (0.006, 0.057, 0.113, 0.228),
        "meta adaptation": (0.003, 0.002, 0.003, 0.003),
        "user-learner training": (0.067, 0.068, 0.096, 0.078),
    },
    "table2": {
        "movielens": (0.4717, 0.4555, 0.4475, 0.4452, 0.4442),
        "yelp": (0.7532, 0.7395, 0.7358, 0.7306, 0.7269),
    },
    "table3": {
        "NeuUCB-ONE": (4839.6, 5017.2, 5033.5, 4808.3),
        "NeuUCB-IND": (7491.0, 7503.8, 7764.5, 7697.4),
        "M-CNB": (4447.1, 4498.3, 4696.1, 4624.7),
    },
    "table4": {
        "NeuUCB-ONE": (6964.1, 6944.7, 7012.8, 6992.4),
        "NeuUCB-IND": (6911.7, 6942.5, 6932.2, 6987.4),
        "M-CNB": (6773.4, 6803.2, 6878.3, 6854.9),
    },
}
"""Tables of M-CNB: row -> the numbers of its columns."""


@pytest.fixture(scope="module")
def papers(root) -> dict[str, dict[str, Any]]:
    return {paper: read_content(root / f"workflow/papers/{paper}") for paper in PAPERS}


@pytest.fixture(scope="module")
def plays(root) -> dict[str, tuple[Play, ...]]:
    """Map every experiment, paper_experiment, to what is played for it at paper scale."""
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": list(PAPERS)}, root)
    return {figure.name: figure.plays for figure in plan.figures}


def cells(claim: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the claim once for each of its cells."""
    shared = {name: value for name, value in claim.items() if name != "cells"}
    return [overlay(shared, cell) for cell in claim.get("cells", [{}])]


def selections(claim: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all that a claim speaks of: what it is about and its rivals, cell by cell and reading by reading."""
    for cell in cells(claim):
        for reading in ({}, *cell.get("also", [])):
            whole = overlay(cell, reading)
            yield whole
            for rival in whole.get("than", []):
                yield overlay(whole, {"of": rival} if isinstance(rival, str) else rival)


def settings(play: Play) -> dict[str, str]:
    """Return what a game was made with, its data as the role `data`."""
    words = play.environment.arguments
    given = dict(zip((word.removeprefix("--") for word in words[::2]), words[1::2], strict=True))
    return given | {"data": given.get("role", "")}


def titles_by_game(played: tuple[Play, ...], where: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the titles that play each game that matches."""
    found: dict[str, set[str]] = {}
    for play in played:
        if all(settings(play).get(name) == str(value) for name, value in where.items()):
            found.setdefault(play.environment.name, set()).add(play.spec.title)
    return found


@pytest.mark.parametrize("table", PUBLISHED)
def test_every_number_of_a_table_is_claimed_as_published(papers, table):
    place = {
        "table1": lambda cell: (cell["where"]["part"], cell["where"]["users"]),
        "table2": lambda cell: (cell["where"]["data"], cell["at"]),
        "table3": lambda cell: cell["of"],
        "table4": lambda cell: cell["of"],
    }[table]
    columns = {"table1": USERS, "table2": ROUNDS, "table3": DEPTHS, "table4": DEPTHS}[table]
    expected = {
        row + column if isinstance(column, str) else (row, column): number
        for row, numbers in PUBLISHED[table].items()
        for column, number in zip(columns, numbers, strict=True)
    }
    claim = papers["m_cnb"]["claims"][table]
    assert claim["kind"] == "value"
    found = [(place(cell), cell["published"]) for cell in cells(claim)]
    assert len(found) == len(expected)
    assert dict(found) == expected


def test_the_numbers_of_the_measurement_are_those_of_table_1():
    assert PUBLISHED["table1"] == m_cnb_parts.PAPER
    assert m_cnb_parts.SIZES == USERS


def test_improvements_and_times_are_claimed_as_published(papers):
    claims = papers["m_cnb"]["claims"]
    gains = {cell["where"]["data"]: 1 - cell["published"] for cell in cells(claims["fig2_gain"])}
    percent = {"amazon-fashion": 5.8, "facebook": 7.7, "movielens": 8.1, "yelp": 2.0}
    assert gains == pytest.approx({data: number / 100 for data, number in percent.items()})
    times = {cell["where"]["data"]: cell["published"] for cell in cells(claims["fig5"])}
    assert times == {"movielens": 1.6, "mnist": 2.9}


@pytest.mark.parametrize("paper", PAPERS)
def test_claims_speak_of_what_is_played(papers, plays, paper):
    content = papers[paper]
    for key, claim in content["claims"].items():
        for one in selections(claim):
            if "measurement" in content["experiments"][one["experiment"]]:
                assert set(one["where"]) <= {"part", "users"}, key
                assert one["where"]["part"] in m_cnb_parts.PAPER, key
                continue
            games = titles_by_game(plays[f"{paper}_{one['experiment']}"], one.get("where", {}))
            assert games, f"{key}: no game has {one['where']}"
            for game, titles in games.items():
                assert one["of"] in titles, f"{key}: {one['of']!r} does not play {game}"


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_compared_with_itself(papers, paper):
    for key, claim in papers[paper]["claims"].items():
        for one in cells(claim):
            for reading in ({}, *one.get("also", [])):
                whole = overlay(one, reading)
                for rival in whole.get("than", []):
                    assert overlay(whole, {"of": rival} if isinstance(rival, str) else rival) != whole, key


@pytest.mark.parametrize("paper", PAPERS)
def test_slopes_are_over_axes_and_rates_that_there_are(papers, paper):
    for key, claim in papers[paper]["claims"].items():
        for one in selections(claim):
            if one["kind"] == "slope":
                assert one["against"] in (*AXES, "users"), key
                assert isinstance(one["published"], float | int) or one["published"] in RATES, key


@pytest.mark.parametrize("paper", PAPERS)
def test_divergences_touch_claims_and_are_shown_and_tested_where_they_say(papers, root, paper):
    content = papers[paper]
    keys = [divergence["key"] for divergence in content["divergences"]]
    assert len(keys) == len(set(keys))
    for divergence in content["divergences"]:
        assert divergence["touches"], divergence["key"]
        assert set(divergence["touches"]) <= set(content["claims"]), divergence["key"]
        assert set(divergence.get("shown_by", [])) <= set(content["experiments"]), divergence["key"]
        assert (root / divergence.get("tested_by", "tests")).exists(), divergence["key"]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_family_of_data_has_the_data_set_of_the_paper(papers, paper):
    content = papers[paper]
    panels = [part for one in content["experiments"].values() for part in (one, *one.get("panels", []))]
    families = {family for part in panels for role in part.get("data", []) for family in role.split("+")}
    assert set(content["originals"]) == families
    for family, name in content["originals"].items():
        assert datasets.load(name).DATASET.family == family
