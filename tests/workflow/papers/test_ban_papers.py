"""Claims of Meta-Ban, M-CNB and the multi-agent paper: every published number, and nothing that is not played."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from manybandits import datasets
from manybandits.base.configuration import overlay, read_yaml
from manybandits.measurements import m_cnb_parts, m_cnb_times
from manybandits.papers.files import read_paper
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
    assert m_cnb_parts.STATED == USERS
    assert set(USERS) < set(m_cnb_parts.SIZES)


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
            measurement = content["experiments"][one["experiment"]].get("measurement")
            if measurement == "m_cnb_times":
                assert one["of"] in {algorithm.TITLE for algorithm in m_cnb_times.POLICIES}, key
                assert m_cnb_times.PAPER[one["where"]["data"]] == one["published"], key
                continue
            if measurement:
                assert set(one["where"]) <= {"part", "users"}, key
                assert one["where"]["part"] in m_cnb_parts.PARTS, key
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


M_CNB_PLAYED = ("fig2", "fig3", "fig4", "fig7", "table3", "table4", "learners", "apart", "items")


@pytest.mark.parametrize("experiment", M_CNB_PLAYED)
def test_every_method_of_a_comparison_of_m_cnb_has_the_same_number_of_points(plays, experiment):
    """M-CNB had twelve points, four of them step sizes, where rivals had none of these."""
    by_game: dict[str, dict[str, int]] = {}
    for play in plays[f"m_cnb_{experiment}"]:
        if play.spec.algorithm != "random":
            points = math.prod(len(values) for values in play.spec.grid.values())
            by_game.setdefault(play.environment.name, {})[play.spec.title] = points
    for game, points in by_game.items():
        assert set(points.values()) == {20}, game


def test_every_neural_method_of_m_cnb_is_tuned_over_the_same_step_sizes(plays):
    rates = {"m_cnb": "meta_rate", **dict.fromkeys(("neuucb_one", "neuucb_ind", "neu_a_u", "neural_linear"), "rate")}
    found = {play.spec.algorithm: play.spec.grid for play in plays["m_cnb_fig2"]}
    assert len({tuple(found[algorithm][rate]) for algorithm, rate in rates.items()}) == 1


def test_readings_that_set_users_apart_are_judged_in_every_panel_of_m_cnb(papers):
    """VERDICTS 7.9: the reading that breaks the symmetric start was judged for two panels only."""
    apart = {"M-CNB, learning history, learners served", "M-CNB, learners served, first own"}
    panels = [cell for key in ("fig2", "fig3", "fig4") for cell in cells(papers["m_cnb"]["claims"][key])]
    assert len(panels) == 12
    for panel in panels:
        readings = [overlay(panel, reading) for reading in panel["also"]]
        judged = {one["of"]: one["than"] for one in readings if one["experiment"] in ("learners", "apart")}
        assert apart <= set(judged)
        assert all(judged[title] == panel["than"] for title in apart)


def test_m_cnb_s_text_speaks_of_one_linucb_and_of_no_best_gamma(papers):
    claims = papers["m_cnb"]["claims"]
    assert {rival for cell in cells(claims["linucb"]) for rival in cell["than"]} == {"LinUCB-ONE"}
    for key in ("linucb", "kernelucb"):
        assert "NeuA+U" in {cell["of"] for cell in cells(claims[key])}
    about_gamma = [claim for claim in claims.values() if claim["experiment"] == "fig6gamma"]
    assert {claim["measure"] for claim in about_gamma} == {"size"}


def test_published_leads_of_m_cnb_are_those_of_its_tables(papers):
    for table in ("table3", "table4"):
        rows = PUBLISHED[table]
        for place, cell in enumerate(cells(papers["m_cnb"]["claims"][f"{table}_best"])):
            best = min(rows["NeuUCB-ONE"][place], rows["NeuUCB-IND"][place])
            assert cell["published"] == pytest.approx(1 - rows["M-CNB"][place] / best, abs=5e-5)
    last, before = (PUBLISHED["table2"]["movielens"][place] for place in (-1, -2))
    falls = {cell["where"]["data"]: cell for cell in cells(papers["m_cnb"]["claims"]["fig2_falls"])}
    assert falls["movielens"]["published"] == pytest.approx(1 - last / before, abs=5e-5)
    growth = {cell["where"]["part"]: cell["published"] for cell in cells(papers["m_cnb"]["claims"]["table1_growth"])}
    for part, slope in growth.items():
        fitted = np.polyfit(np.log(USERS), np.log(PUBLISHED["table1"][part]), 1)[0]
        assert slope == pytest.approx(fitted, abs=5e-4)
    for users, cell in zip(USERS, cells(papers["m_cnb"]["claims"]["table1_trivial"]), strict=True):
        clustering, meta, training = (PUBLISHED["table1"][part][USERS.index(users)] for part in m_cnb_parts.PAPER)
        assert cell["published"] == pytest.approx(1 - meta / min(clustering, training), abs=5e-4)


@pytest.mark.parametrize("paper", PAPERS)
def test_no_headline_rests_on_a_copy_or_on_a_quote(root, paper):
    read = read_paper(root / f"workflow/papers/{paper}")
    by_id = {claim.id: claim for claim in read.claims if claim.reading == "paper"}
    for key, headline in read.headlines.items():
        for name in headline.members(read.claims, key):
            assert not by_id[name].stands, f"{key}: {name}"


def test_every_bound_of_m_cnb_has_a_control_that_is_played(root, plays):
    read = read_paper(root / "workflow/papers/m_cnb")
    bounds = [claim for claim in read.claims if claim.bound]
    assert bounds
    for claim in bounds:
        assert claim.controls, claim.id
        if claim.experiment == "table1":
            assert {control.where["part"] for control in claim.controls} <= set(m_cnb_parts.PARTS)
            continue
        for control in claim.controls:
            games = titles_by_game(plays[f"m_cnb_{claim.experiment}"], control.where)
            assert games, claim.id
            assert all(control.of in titles for titles in games.values()), claim.id
