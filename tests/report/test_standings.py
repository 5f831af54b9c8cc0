"""Where algorithms stand, and when to use one: by one rule from the tables of the league and of costs."""

from __future__ import annotations

import math

import pytest

from manybandits.base.table_files import read_rows
from manybandits.figures.league import nearness
from manybandits.report.standings import OTHERS, USE, WEAK, arenas_of, standings_of
from manybandits.results.display_names import algorithm_name

ARENAS = {"users": {"title": "One of many users is served"}}
REGRET = {"club": (100, 50), "locb": (105, 50), "ucb": (140, 72), "kl_ucb": (190, 95), "random": (200, 100)}
TIMES = {"club": 8000, "locb": 2000, "ucb": 90, "kl_ucb": 100, "random": 10}


def league_row(name, game, regret, rank):
    place = {"arena": "users", "environment": game, "stand_in": "False"}
    title = "Random" if name == "random" else name.upper()
    numbers = {"regret": str(regret), "average_rank": str(rank), "critical_difference": "3.5"}
    return {**place, **numbers, "algorithm": title, "file": name}


def cost_row(name, nanoseconds):
    title = "Random" if name == "random" else name.upper()
    return {"paper": "league-users", "algorithm": title, "ns_per_decision": str(nanoseconds)}


@pytest.fixture
def rows():
    return [
        league_row(name, game, regret[place], rank + 1)
        for rank, (name, regret) in enumerate(REGRET.items())
        for place, game in enumerate(("a", "b"))
    ]


def standing(rows, name, costs=TIMES):
    arenas = arenas_of(rows, [cost_row(*one) for one in costs.items()], ARENAS)
    (found,) = standings_of(name, arenas)
    return found


@pytest.mark.parametrize(
    ("name", "advice"), [("club", USE), ("locb", USE), ("ucb", OTHERS), ("kl_ucb", WEAK), ("random", WEAK)]
)
def test_near_the_best_is_to_use_and_near_random_to_avoid(rows, name, advice):
    assert standing(rows, name).advice == advice


def test_the_regret_relative_to_the_best_is_the_geometric_mean_over_games(rows):
    assert standing(rows, "ucb").own.relative == pytest.approx(math.sqrt(1.4 * 1.44))
    assert standing(rows, "ucb").own.saved == pytest.approx((0.6 + 0.56) / 2)


def test_the_page_and_the_figure_of_the_league_have_the_same_numbers(site):
    import pandas as pd

    path = site / "tables/league.csv"
    figure = nearness(pd.read_csv(path)).set_index("algorithm")["relative"]
    (arena,) = arenas_of(read_rows(path), [], ARENAS)
    assert {one.name: one.relative for one in arena.entrants} == pytest.approx(
        {algorithm_name(title): value for title, value in figure.items()}
    )
    assert [one.title for one in arena.entrants] == list(figure.index)


def test_the_words_name_who_is_nearest_and_whether_the_ranks_differ(rows):
    assert standing(rows, "club").words.startswith(
        "Its regret is 1.00 times that of the best algorithm of each game; its average rank is 1.0 among "
    )
    assert "No other algorithm comes closer to the best of each game." in standing(rows, "club").words
    nearest = "CLUB comes closest to the best of each game, with 1.00 times its regret"
    assert f"{nearest}; the average ranks of the two do not differ significantly." in standing(rows, "ucb").words
    assert "the average ranks of the two differ significantly" in standing(rows, "random").words
    untested = [{**row, "critical_difference": ""} for row in rows]
    assert f"{nearest}; these are too few games for a significance test." in standing(untested, "ucb").words


def test_what_is_as_good_and_at_least_twice_as_fast_is_named(rows):
    assert "LOCB is as good by this rule and decides 4 times as fast." in standing(rows, "club").words
    assert "times as fast" not in standing(rows, "locb").words
    assert "times as fast" not in standing(rows, "club", {**TIMES, "locb": 4001}).words
    assert "times as fast" not in standing(rows, "club", {}).words  # costs are unknown


def test_an_algorithm_that_saves_nothing_against_random_is_told_so(rows):
    saved = "of the regret that the best algorithm saves compared with Random."
    assert f"It saves 10 % {saved}" in standing(rows, "kl_ucb").words
    assert f"It saves none {saved}" in standing(rows, "random").words


def test_lost_runs_count_as_the_worst(rows):
    lost = [{**row, "regret": ""} if row["file"] == "club" and row["environment"] == "b" else row for row in rows]
    found = standing(lost, "club")
    assert found.own.lost
    assert found.advice == WEAK
    assert found.words.startswith("Some of its runs failed; its average rank is 1.0")
    assert standing(lost, "locb").arena.best.title == "LOCB"


def test_without_random_nothing_is_to_avoid_but_what_lost_runs(rows):
    alone = [row for row in rows if row["file"] != "random"]
    assert standing(alone, "kl_ucb").advice == OTHERS
