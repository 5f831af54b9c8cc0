"""Verdicts: of every kind a true claim and a false one, what is too little for a verdict, and what caps it."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.claims.verdicts import judge_figure
from tests.planted.claims import paper, plant, scale_of

NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
"""Of ten seeds, with mean 0."""


def verdict_of(folder, claim: dict, tables: list, kind: str = "plays", **more) -> dict:
    path = paper(folder, {"it": claim}, **more)
    return judge_figure(path, "fig2", "paper", scale_of(tables, kind), tables).iloc[0].to_dict()


@pytest.fixture
def tables(tmp_path):
    """M-CNB at 100, Equal beside it, CLUB at 200 and Worse at 400; ten seeds."""
    heights = {"M-CNB": 100.0, "Equal": 100.1, "CLUB": 200.0, "Worse": 400.0}
    return [
        plant(tmp_path, title, height + np.roll(NOISE, place)) for place, (title, height) in enumerate(heights.items())
    ]


PLANTED = [
    ("value", {"of": "M-CNB", "published": 101.0}, {"published": 180.0}, {"published": 115.0}),
    (
        "order",
        {"of": "M-CNB", "than": ["CLUB", "Worse"]},
        {"of": "CLUB", "than": ["M-CNB"]},
        {"than": ["Equal", "CLUB"]},
    ),
    ("ratio", {"of": "M-CNB", "than": ["CLUB", "Worse"], "published": 0.5}, {"published": 1.5}, {"published": 0.8}),
    ("equality", {"of": "M-CNB", "than": ["Equal"]}, {"than": ["CLUB"]}, None),
]


@pytest.mark.parametrize(("kind", "true", "false", "between"), PLANTED, ids=[case[0] for case in PLANTED])
def test_a_true_claim_is_reproduced_and_a_false_one_is_not(tmp_path, tables, kind, true, false, between):
    assert verdict_of(tmp_path, {"kind": kind, **true}, tables)["verdict"] == "reproduced"
    assert verdict_of(tmp_path, {"kind": kind, **true, **false}, tables)["verdict"] == "not reproduced"
    if between:
        assert verdict_of(tmp_path, {"kind": kind, **true, **between}, tables)["verdict"] == "partly"


@pytest.mark.parametrize(
    ("published", "bound", "verdict"),
    [
        (0.5, None, "reproduced"),
        (0.7, None, "partly"),
        (1.0, None, "not reproduced"),
        (1.0, "at-most", "reproduced"),
        (1.0, "at-least", "not reproduced"),
        (0.0, "at-most", "not reproduced"),
    ],
)
def test_a_slope_is_judged_by_its_interval_or_its_bound(tmp_path, published, bound, verdict):
    runs = [
        plant(tmp_path, "M-CNB", 50 * np.sqrt(n) + NOISE, name=f"agents-agents-{n}", settings={"agents": n})
        for n in (10, 40, 160)
    ]
    claim = {"kind": "slope", "of": "M-CNB", "against": "agents", "published": published}
    found = verdict_of(tmp_path, claim | ({"bound": bound} if bound else {}), runs)
    assert (found["verdict"], float(found["measured"])) == (verdict, pytest.approx(0.5, abs=0.02))


def test_no_worse_allows_the_same_and_not_more(tmp_path, tables):
    claim = {"kind": "order", "strictly": False, "of": "Equal"}
    assert verdict_of(tmp_path, {**claim, "than": ["M-CNB", "CLUB"]}, tables)["verdict"] == "reproduced"
    assert verdict_of(tmp_path, {**claim, "of": "CLUB", "than": ["M-CNB"]}, tables)["verdict"] == "not reproduced"


def test_an_order_must_hold_on_every_game_that_is_meant(tmp_path, tables):
    elsewhere = [
        plant(tmp_path, title, height + NOISE, name="other", role="yelp")
        for title, height in (("M-CNB", 9), ("CLUB", 8))
    ]
    claim = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}
    everywhere = verdict_of(tmp_path, claim, [*tables, *elsewhere])
    assert (everywhere["verdict"], "CLUB" in everywhere["reason"]) == ("not reproduced", True)
    assert (
        verdict_of(tmp_path, {**claim, "where": {"data": "facebook"}}, [*tables, *elsewhere])["verdict"] == "reproduced"
    )


def test_few_runs_are_no_test(tmp_path):
    three = [plant(tmp_path, title, height + NOISE[:3]) for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))]
    ahead = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, three)
    assert (ahead["verdict"], ahead["p"]) == ("partly", "")
    assert "3 runs are too few" in ahead["reason"]
    assert ahead["limits"] == "3 of 10 runs"
    assert (
        verdict_of(tmp_path, {"kind": "order", "of": "CLUB", "than": ["M-CNB"]}, three)["verdict"] == "not reproduced"
    )


def test_p_values_are_corrected_over_the_comparisons_of_a_figure(tmp_path, tables):
    lead = {"kind": "order", "of": "M-CNB", "than": ["Equal"]}
    alone = judge_figure(paper(tmp_path, {"a": lead}), "fig2", "paper", scale_of(tables), tables)
    twice = judge_figure(paper(tmp_path, {"a": lead, "b": lead}), "fig2", "paper", scale_of(tables), tables)
    more = {**lead, "than": ["Equal", "CLUB", "Worse"]}
    among = judge_figure(paper(tmp_path, {"a": lead, "b": more}), "fig2", "paper", scale_of(tables), tables)
    assert alone["p"].tolist() == twice["p"].tolist()[:1]
    assert float(among["p"][0]) >= float(alone["p"][0])


@pytest.mark.parametrize(
    ("game", "limit"),
    [
        ({"dataset": {"name": "facebook-ego", "completeness": "subset"}}, "part of facebook-ego"),
        ({"dataset": {"name": "other", "completeness": "complete"}}, "other in place of facebook-ego"),
    ],
)
def test_other_data_than_the_paper_s_reproduce_nothing_wholly(tmp_path, game, limit):
    runs = [plant(tmp_path, title, height + NOISE, **game) for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))]
    found = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, runs)
    assert (found["verdict"], found["limits"]) == ("partly", limit)


def test_fewer_rounds_cap_an_order_and_leave_no_number_to_judge(tmp_path):
    runs = [
        plant(tmp_path, title, height + NOISE, horizon=500) for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))
    ]
    found = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, runs)
    assert (found["verdict"], found["limits"]) == ("partly", "500 of 1,000 rounds")
    whole = verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": 100.0}, runs)
    assert whole["verdict"] == "not testable here"
    half = {"kind": "value", "of": "M-CNB", "published": 100.0, "at": 500}
    assert verdict_of(tmp_path, half, runs)["verdict"] == "partly"
    assert "speaks of 1,000" in verdict_of(tmp_path, {**half, "at": 1000}, runs)["reason"]


def test_a_run_on_a_game_that_the_experiment_does_not_play_is_named(tmp_path, tables):
    stray = plant(tmp_path, "M-CNB", 100 + NOISE, name="stray")
    path = paper(tmp_path, {"it": {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}})
    with pytest.raises(InputError, match=r"m-cnb\.parquet is of the game 'stray', which this experiment does not play"):
        judge_figure(path, "fig2", "paper", scale_of(tables), [*tables, stray])


@pytest.mark.parametrize("claim", [{"kind": "value", "published": 100.0}, {"kind": "order", "than": ["CLUB"]}])
def test_a_stand_in_never_satisfies_a_claim(tmp_path, claim):
    runs = [plant(tmp_path, title, h + NOISE, stand_in=True) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    found = verdict_of(tmp_path, {"of": "M-CNB", **claim}, runs)
    assert (found["verdict"], "stands in" in found["reason"]) == ("not testable here", True)


def test_a_lost_run_and_a_run_that_is_not_there_are_not_testable(tmp_path, tables):
    absent = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["LOCB"]}, tables)
    assert (absent["verdict"], absent["reason"]) == ("not testable here", "LOCB was not played")
    said = verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": 1.0, "untestable": "no log"}, tables)
    assert (said["verdict"], said["reason"], said["quantity"]) == ("not testable here", "no log", "")


def test_a_grid_point_is_judged_in_place_of_the_chosen_one(tmp_path):
    run = plant(tmp_path, "M-CNB", None, points={1: 100 + NOISE, 10: 300 + NOISE})
    claim = {"kind": "value", "of": "M-CNB", "published": 300.0}
    assert verdict_of(tmp_path, claim, [run])["verdict"] == "not reproduced"
    assert verdict_of(tmp_path, {**claim, "options": {"alpha": 10}}, [run])["verdict"] == "reproduced"
    with pytest.raises(InputError, match="reports 0 grid points with alpha=3"):
        verdict_of(tmp_path, {**claim, "options": {"alpha": 3}}, [run])


def test_a_spread_of_runs_is_judged_as_one_number(tmp_path):
    run = plant(tmp_path, "M-CNB", 100 + 10 * NOISE)
    claim = {"kind": "value", "of": "M-CNB", "measure": "std", "published": float(10 * NOISE.std(ddof=1))}
    assert verdict_of(tmp_path, claim, [run])["verdict"] == "reproduced"
    assert verdict_of(tmp_path, {**claim, "published": 0.4}, [run])["verdict"] == "not reproduced"


def test_settings_are_compared_with_each_other(tmp_path):
    runs = [
        plant(tmp_path, "M-CNB", height + NOISE, name=f"game-{n}", settings={"instances": n})
        for n, height in ((2, 80), (8, 40), (64, 90))
    ]
    inside = {"kind": "order", "of": "M-CNB", "where": {"instances": 8}}
    rivals = [{"where": {"instances": 2}}, {"where": {"instances": 64}}]
    assert verdict_of(tmp_path, {**inside, "than": rivals}, runs)["verdict"] == "reproduced"
    assert (
        verdict_of(tmp_path, {**inside, "where": {"instances": 2}, "than": rivals[1:]}, runs)["verdict"] == "reproduced"
    )
    assert (
        verdict_of(tmp_path, {**inside, "where": {"instances": 64}, "than": rivals[:1]}, runs)["verdict"]
        == "not reproduced"
    )


def test_a_slope_against_the_horizon_is_that_of_several_runs_on_one_game(tmp_path):
    runs = [
        plant(tmp_path / str(one), title, one**power * (1 + NOISE / 100), horizon=one)
        for title, power in (("M-CNB", 0.25), ("CLUB", 1.0))
        for one in (250, 500, 1000)
    ]
    claim = {"kind": "slope", "of": "M-CNB", "against": "horizon", "published": 0.25}
    assert verdict_of(tmp_path, claim, runs)["verdict"] == "reproduced"
    assert verdict_of(tmp_path, {**claim, "published": 1.0}, runs)["verdict"] == "not reproduced"
    order = {"kind": "order", "of": "M-CNB", "than": ["CLUB"], "where": {"horizon": 500}}
    assert verdict_of(tmp_path, order, runs)["verdict"] == "reproduced"  # the longest run is as long as the paper's
    shorter = verdict_of(tmp_path, order, [run for run in runs if "1000" not in str(run)])
    assert shorter["verdict"] == "partly"


def test_rows_of_a_table_are_judged_as_single_numbers(tmp_path):
    path = tmp_path / "seconds.csv"
    save_text(path, "part,users,seconds\nclustering,500,0.01\nclustering,5000,0.1\nmeta,500,0.02\nmeta,5000,0.021\n")
    save_text(tmp_path / "seconds.csv.json", '{"facts": {"note": "seconds"}}')
    timed = {"experiments": {"fig2": {"place": "Table 1", "title": "seconds", "measurement": "x"}}}

    def found(**claim):
        return verdict_of(tmp_path, {"measure": "seconds", **claim}, [path], "rows", **timed)

    linear = found(kind="slope", of="clustering", against="users", published=1.0)
    assert (linear["verdict"], linear["measured"], linear["low"]) == ("reproduced", "1", "")
    assert found(kind="slope", of="meta", against="users", published=1.0)["verdict"] == "not reproduced"
    assert found(kind="value", of="meta", where={"users": 500}, published=0.005)["verdict"] == "not reproduced"
    ratio = found(kind="ratio", of="meta", than=["clustering"], where={"users": 500}, published=2.0)
    assert (ratio["verdict"], ratio["measured"]) == ("reproduced", "2")
    assert found(kind="order", of="clustering", than=["meta"], where={"users": 500})["verdict"] == "partly"
    assert found(kind="order", of="clustering", than=["meta"], where={"users": 5000})["verdict"] == "not reproduced"
    assert found(kind="order", of="meta", than=["clustering"])["verdict"] == "not reproduced"


def test_rows_that_stand_in_for_others_satisfy_nothing(tmp_path):
    path = tmp_path / "seconds.csv"
    save_text(path, "part,users,seconds\nmeta,500,0.01\nmeta,5000,0.1\n")
    save_text(tmp_path / "seconds.csv.json", '{"facts": {"note": "seconds", "stand_in": true}}')
    timed = {"experiments": {"fig2": {"place": "Table 1", "title": "seconds", "measurement": "x"}}}
    claim = {"kind": "slope", "of": "meta", "measure": "seconds", "against": "users", "published": 1.0}
    found = verdict_of(tmp_path, claim, [path], "rows", **timed)
    assert (found["verdict"], "made data" in found["reason"]) == ("not testable here", True)


def test_what_varies_across_an_option_needs_values_of_it(tmp_path):
    run = plant(tmp_path, "M-CNB", None, points={1: 100 + NOISE, 10: 300 + NOISE})
    claim = {"kind": "value", "of": "M-CNB", "measure": "across", "published": float(np.std([0.9, 0.7], ddof=1))}
    found = verdict_of(tmp_path, {**claim, "options": {"alpha": [1, 10]}}, [run])
    assert (found["verdict"], float(found["n"])) == ("reproduced", len(NOISE))  # of every run alone
    with pytest.raises(InputError, match="list its values under options"):
        verdict_of(tmp_path, {**claim, "options": {"alpha": 1}}, [run])


def test_a_claim_about_two_games_stops_where_one_is_meant(tmp_path, tables):
    other = plant(tmp_path, "M-CNB", 100 + NOISE, name="other")
    with pytest.raises(InputError, match=r"planted\.it is about one game, but M-CNB was played on"):
        verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": 100.0}, [*tables, other])


def test_released_runs_are_judged_by_the_text_alone(tmp_path, tables):
    claim = {
        "kind": "order",
        "of": "M-CNB",
        "than": ["CLUB"],
        "also": [{"reading": "hidden", "of": "Worse", "than": ["CLUB"]}],
    }
    path = paper(tmp_path, {"it": claim})
    assert judge_figure(path, "fig2", "paper", scale_of(tables), tables)["reading"].tolist() == ["paper", "hidden"]
    released = judge_figure(path, "fig2", "released", scale_of(tables), tables)
    assert released[["reading", "figure"]].to_numpy().tolist() == [["released", "planted_fig2_released"]]


def test_estimators_are_judged_on_their_errors(tmp_path):
    from manybandits.estimators.comparison import main

    path = tmp_path / "errors.parquet"
    design = ["design=worst", "others=200", "instances=20", "noise=0.5", "constant=2"]
    seeds = ["--seeds", *map(str, range(8)), "--tuning-seeds", "100"]
    main(["--set", *design, "--sweep", "rows=200,400,800", *seeds, "--out", str(path)])
    measured = {
        "experiments": {"fig2": {"place": "Table 1", "title": "errors", "regression": {"rows": [200, 400, 800]}}}
    }

    def found(**claim):
        return verdict_of(tmp_path, {"where": {"regime": "standard"}, **claim}, [path], "errors", **measured)

    slope = {"kind": "slope", "of": "Independent", "against": "rows"}
    stated = found(**slope, published="table1")
    assert (stated["verdict"], float(stated["published"])) == ("partly", pytest.approx(-0.5))
    assert stated["limits"] == "8 of 10 draws"
    assert found(**slope, published=1.0)["verdict"] == "not reproduced"
    best = {"kind": "order", "of": "Robust multitask", "than": ["Independent"]}
    assert found(**best, where={"regime": "standard", "rows": 400})["verdict"] == "partly"
    assert found(**{**best, "of": "Independent", "than": ["Robust multitask"]})["verdict"] == "not reproduced"
    assert "no errors of" in found(**best, where={"rows": 999})["reason"]
