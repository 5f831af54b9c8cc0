"""Verdicts: of every kind a true claim and a false one, what is too little for a verdict, and what limits it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.claims.sentences import label_words, name_of, quantity
from manybandits.claims.verdict import Flag, Verdict
from manybandits.claims.verdicts import judge_figure
from manybandits.papers.files import read_paper
from tests.planted.claims import (
    FAILS,
    HOLDS,
    LEAD,
    NEAR,
    OUTSIDE,
    UNCLEAR,
    UNTESTABLE,
    is_limited,
    paper,
    plant,
    scale_of,
)

NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
"""Of ten seeds, with mean 0."""
NUMBERS = ("measured", "low", "high", "p")


def verdict_of(folder, claim: dict, tables: list, kind: str = "plays", **more) -> Verdict:
    path = paper(folder, {"it": claim}, **more)
    return judge_figure(read_paper(path), "fig2", scale_of(tables, kind), tables)[0]


@pytest.fixture
def tables(tmp_path):
    """M-CNB at 100, Equal beside it, CLUB at 200 and Worse at 400; ten seeds."""
    heights = {"M-CNB": 100.0, "Equal": 100.1, "CLUB": 200.0, "Worse": 400.0}
    return [
        plant(tmp_path, title, height + np.roll(NOISE, place)) for place, (title, height) in enumerate(heights.items())
    ]


PLANTED = [
    ("value", {"of": "M-CNB", "published": 101.0}, {"published": 180.0}, {"published": 115.0}, NEAR),
    (
        "order",
        {"of": "M-CNB", "than": ["CLUB", "Worse"]},
        {"of": "CLUB", "than": ["M-CNB"]},
        {"than": ["Equal", "CLUB"]},
        UNCLEAR,
    ),
    (
        "ratio",
        {"of": "M-CNB", "than": ["CLUB", "Worse"], "published": 0.5},
        {"published": 1.5},
        {"published": 0.6},
        NEAR,
    ),
    ("equality", {"of": "M-CNB", "than": ["Equal"]}, {"than": ["CLUB"]}, None, None),
]


@pytest.mark.parametrize(("kind", "true", "false", "between", "word"), PLANTED, ids=[case[0] for case in PLANTED])
def test_a_true_claim_holds_and_a_false_one_fails(tmp_path, tables, kind, true, false, between, word):
    holds = verdict_of(tmp_path, {"kind": kind, **true}, tables)
    assert (holds.answer, holds.limits) == (HOLDS, ())
    assert verdict_of(tmp_path, {"kind": kind, **true, **false}, tables).answer is FAILS
    if between:
        assert verdict_of(tmp_path, {"kind": kind, **true, **between}, tables).answer == word


LIMITED = {
    "rounds": ({"horizon": 500}, "500 of 1,000 rounds"),
    "runs": ({"seeds": range(8)}, "8 of 10 runs"),
    "data": ({"dataset": {"name": "other", "completeness": "complete"}}, "other (paper: facebook-ego)"),
    "part": ({"dataset": {"name": "facebook-ego", "completeness": "subset"}}, "part of facebook-ego"),
}


@pytest.mark.parametrize(("how", "limit"), LIMITED.values(), ids=LIMITED)
def test_a_limit_stands_beside_good_news_and_bad_alike_and_changes_neither(tmp_path, how, limit):
    noise = NOISE[: len(how.get("seeds", NOISE))]
    runs = [plant(tmp_path, title, height + noise, **how) for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))]
    found = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, runs)
    assert (found.answer, found.limits) == (HOLDS, (limit,))
    lost = verdict_of(tmp_path, {"kind": "order", "of": "CLUB", "than": ["M-CNB"]}, runs)
    assert (lost.answer, lost.limits) == (FAILS, (limit,))


MIRROR = {
    HOLDS: FAILS,
    FAILS: HOLDS,
    UNCLEAR: UNCLEAR,
}


@settings(max_examples=25, deadline=None)
@given(
    gap=st.floats(-3, 3),
    width=st.floats(0.1, 3),
    runs=st.integers(2, 12),
    horizon=st.sampled_from([500, 1000]),
    seed=st.integers(0, 99),
)
def test_an_order_with_its_sides_swapped_has_the_mirrored_verdict(tmp_path_factory, gap, width, runs, horizon, seed):
    folder = tmp_path_factory.mktemp("mirror")
    noise = width * np.random.default_rng(seed).normal(size=(2, runs))
    planted = [
        plant(folder, title, 100 + height + each, horizon=horizon)
        for title, height, each in zip(("M-CNB", "CLUB"), (0.0, gap), noise, strict=True)
    ]
    there = verdict_of(folder, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, planted)
    back = verdict_of(folder, {"kind": "order", "of": "CLUB", "than": ["M-CNB"]}, planted)
    assert back.answer is MIRROR[there.answer]
    assert there.limits == back.limits
    assert (there.n, there.p) == (back.n, back.p)


def test_no_claim_is_judged_on_own_data(tmp_path):
    runs = [
        plant(tmp_path, title, height + NOISE, role="own", data_note="own data my.csv (licence unknown)")
        for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))
    ]
    found = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, runs)
    assert found.answer is UNTESTABLE
    assert "own data my.csv (licence unknown): it is not the data of the paper" in found.reason


def test_fewer_rounds_leave_open_what_their_second_half_speaks_against(tmp_path):
    late = [
        plant(tmp_path, title, last + NOISE, horizon=500, power=power)
        for title, last, power in (("M-CNB", 100.0, 2.0), ("CLUB", 101.0, 0.5))
    ]  # M-CNB is ahead by one, and CLUB has a third of its regret in the second half
    found = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, late)
    assert (found.answer, "second half" in found.reason) == (UNCLEAR, True)
    whole = [
        plant(tmp_path, title, last + NOISE, power=power)
        for title, last, power in (("M-CNB", 100.0, 2.0), ("CLUB", 101.0, 0.5))
    ]
    assert verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, whole).answer is HOLDS


@pytest.mark.parametrize(
    "claim",
    [LEAD, {"kind": "ratio", "of": "M-CNB", "than": ["CLUB"], "published": 0.5}, {"of": "M-CNB", "relative": "CLUB"}],
    ids=["order", "ratio", "relative"],
)
def test_runs_of_unequal_length_are_not_compared(tmp_path, claim):
    tables = [plant(tmp_path, "M-CNB", 25 + NOISE / 4, horizon=500), plant(tmp_path, "CLUB", 100 + NOISE)]
    found = verdict_of(tmp_path, {"kind": "value", "published": 0.5, **claim}, tables)
    assert found.answer is UNTESTABLE
    if "relative" not in claim:
        assert "M-CNB has 500 rounds and CLUB 1,000" in found.reason
        # A claim that names the round is about results that both have.
        assert is_limited(verdict_of(tmp_path, {**claim, "at": 500}, tables), HOLDS)


def test_being_behind_one_of_several_rivals_is_never_partly_true(tmp_path, tables):
    """VERDICTS 7.2: an order that one rival turned round was called partly reproduced, with the p of another."""
    found = verdict_of(tmp_path, {"kind": "order", "of": "CLUB", "than": ["Worse", "M-CNB"]}, tables)
    assert (found.answer, found.reason) == (FAILS, "ahead: M-CNB")
    assert "over M-CNB" in quantity(found)
    assert found.measured == pytest.approx(-1.0, rel=0.01)


def test_the_shown_p_and_interval_are_those_of_the_shown_rival(tmp_path, tables):
    among = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["Worse", "Equal"]}, tables)
    alone = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["Equal"]}, tables)
    assert [getattr(among, name) for name in NUMBERS] == [getattr(alone, name) for name in NUMBERS]


def test_the_opposite_by_one_of_many_rivals_needs_a_smaller_p(tmp_path):
    gaps = np.array([-0.1, 0.6, 0.9, -0.2, 0.5, 0.3, -0.1, 0.6, 0.4, -0.2])
    others = [plant(tmp_path, f"Same {k}", 100 + np.roll(NOISE, k)) for k in range(8)]
    runs = [plant(tmp_path, "M-CNB", 100 + gaps), plant(tmp_path, "CLUB", np.full(10, 100.0)), *others]
    one = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, runs)
    many = [f"Same {k}" for k in range(8)]
    several = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB", *many]}, runs)
    assert (one.answer, several.answer) == (FAILS, UNCLEAR)
    assert several.p == pytest.approx(9 * one.p, rel=1e-4)
    assert several.comparisons == 9


@pytest.mark.parametrize(
    ("published", "bound", "answer"),
    [
        (0.5, None, HOLDS),
        (0.7, None, NEAR),
        (1.0, None, FAILS),
        (1.0, "at-most", HOLDS),
        (1.0, "at-least", FAILS),
        (0.0, "at-most", FAILS),
        (0.45, "at-most", NEAR),
        (0.5, "at-most", HOLDS),
    ],
)
def test_a_slope_is_judged_by_its_interval_or_its_bound(tmp_path, published, bound, answer):
    runs = [
        plant(tmp_path, title, 50 * n**power * (1 + NOISE / 100), name=f"agents-agents-{n}", settings={"agents": n})
        for n in (10, 40, 160)
        for title, power in (("M-CNB", 0.5), ("Random", 2.0))
    ]
    claim = {"kind": "slope", "of": "M-CNB", "against": "agents", "published": published}
    found = verdict_of(tmp_path, claim | ({"bound": bound, "control": ["Random"]} if bound else {}), runs)
    assert (found.answer, found.measured) == (answer, pytest.approx(0.5, abs=0.02))


def test_a_bound_beyond_which_part_of_the_interval_lies_is_not_kept(tmp_path):
    ratio = {
        "kind": "ratio",
        "of": "M-CNB",
        "than": ["CLUB"],
        "published": 0.5,
        "bound": "at-most",
        "control": ["CLUB"],
    }
    wide = [
        plant(tmp_path, title, height + 60 * np.roll(NOISE, shift))
        for title, height, shift in (("M-CNB", 99.0, 0), ("CLUB", 200.0, 3))
    ]
    found = verdict_of(tmp_path, ratio, wide)
    assert found.measured < 0.5 < found.high
    assert found.answer is UNCLEAR


def test_a_bound_that_a_control_keeps_as_well_says_so(tmp_path):
    runs = [
        plant(tmp_path, title, 50 * n**power + NOISE, name=f"agents-agents-{n}", settings={"agents": n})
        for n in (10, 40, 160)
        for title, power in (("M-CNB", 0.2), ("Alone", 0.3), ("Random", 1.0))
    ]
    claim = {"kind": "slope", "of": "M-CNB", "against": "agents", "published": 0.5, "bound": "at-most"}
    kept = verdict_of(tmp_path, {**claim, "control": ["Random", "Alone"]}, runs)
    assert kept.answer is HOLDS
    assert Flag("not discriminating", "Alone") in kept.flags
    assert Flag("not discriminating", "Random") not in kept.flags
    assert "discriminating" not in label_words(verdict_of(tmp_path, {**claim, "control": ["Random"]}, runs).flags)
    unplayed = verdict_of(tmp_path, {**claim, "control": ["OLS"]}, runs)
    assert Flag("control not played", "OLS") in unplayed.flags


def test_a_theorem_is_judged_only_where_its_conditions_hold(tmp_path):
    claim = {"kind": "slope", "of": "M-CNB", "against": "agents", "published": 0.4, "theorem": "sclb_theorem1"}

    def found(ends):
        runs = [
            plant(tmp_path, "M-CNB", 50 * n**0.9 + NOISE, name=f"g-agents-{n}", settings={"agents": n}, theorems=ends)
            for n in (10, 160)
        ]
        return verdict_of(tmp_path, claim, runs)

    assert found({"sclb_theorem1": [500, None]}).answer is FAILS
    for ends in (None, [2000, None], [1, 500]):
        outside = found({"sclb_theorem1": ends})
        assert (outside.answer, "condition" in outside.reason) == (OUTSIDE, True)
        assert outside.measured == pytest.approx(0.9, abs=0.02)
    with pytest.raises(InputError, match="sclb_theorem1"):
        found({"sclb_theorem2": None})


def test_a_slope_of_which_one_game_is_outside_of_a_theorem_is_not_judged(tmp_path):
    runs = [
        plant(
            tmp_path, "M-CNB", 50 * n**0.9 + NOISE, name=f"g-agents-{n}", settings={"agents": n}, theorems={"it": ends}
        )
        for n, ends in ((10, [1, None]), (160, [2000, None]))
    ]
    claim = {"kind": "slope", "of": "M-CNB", "against": "agents", "published": 0.5, "theorem": "it"}
    assert verdict_of(tmp_path, claim, runs).answer is OUTSIDE


def test_a_theorem_whose_conditions_nothing_meets_is_measured_and_not_judged(tmp_path, tables):
    claim = {"kind": "order", "of": "CLUB", "than": ["M-CNB"], "outside": "it asks for an endless width"}
    found = verdict_of(tmp_path, claim, tables)
    assert (found.answer, found.reason) == (OUTSIDE, "it asks for an endless width")
    assert found.measured < 0


def test_replays_that_differ_by_ties_alone_are_one_run(tmp_path):
    logged = {"settings": {"order": "logged"}}
    runs = [
        plant(tmp_path, "M-CNB", 100 + NOISE / 10, algorithm="linucb", **logged),
        plant(tmp_path, "CLUB", 200 + NOISE / 10, algorithm="linucb", **logged),
        plant(tmp_path, "Draws", 200 + NOISE, algorithm="linthompson", **logged),
    ]
    order = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}
    found = verdict_of(tmp_path, order, runs)
    assert (found.answer, found.n, found.p) == (UNCLEAR, 1, None)
    value = verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": 100.0}, runs)
    assert (value.answer, value.n) == (HOLDS, 1)
    drawn = verdict_of(tmp_path, {"kind": "value", "of": "Draws", "published": 200.0}, runs)
    assert (drawn.answer, drawn.n) == (HOLDS, 10)


def test_an_order_shows_the_published_lead_and_is_not_judged_by_it(tmp_path, tables):
    found = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB"], "published": 0.9}, tables)
    assert (found.answer, found.published) == (HOLDS, 0.9)
    assert found.measured == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ({"copy_of": "other"}, "copy of other"),
        ({"quoted": "Zhang et al."}, "quoted from Zhang et al."),
        ({"by_construction": "it does not see it"}, "by construction: it does not see it"),
    ],
)
def test_copies_quotes_and_what_cannot_fail_stand_apart_and_are_not_counted(tmp_path, tables, mark, words):
    claims = {"it": {**LEAD, **mark}, "other": LEAD}
    found = judge_figure(read_paper(paper(tmp_path, claims)), "fig2", scale_of(tables), tables)
    assert [one.claim.stands for one in found] == [words, ""]
    assert [one.claim.id for one in found if one.counts] == ["planted.other"]


def test_no_worse_allows_the_same_and_not_more(tmp_path, tables):
    claim = {"kind": "order", "strictly": False, "of": "Equal"}
    assert verdict_of(tmp_path, {**claim, "than": ["M-CNB", "CLUB"]}, tables).answer is HOLDS
    assert verdict_of(tmp_path, {**claim, "of": "CLUB", "than": ["M-CNB"]}, tables).answer is FAILS


def test_an_order_must_hold_on_every_game_that_is_meant(tmp_path, tables):
    elsewhere = [
        plant(tmp_path, title, height + NOISE, name="other", role="yelp")
        for title, height in (("M-CNB", 9), ("CLUB", 8))
    ]
    claim = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}
    everywhere = verdict_of(tmp_path, claim, [*tables, *elsewhere])
    assert (everywhere.answer, "CLUB" in everywhere.reason) == (FAILS, True)
    assert verdict_of(tmp_path, {**claim, "where": {"data": "facebook"}}, [*tables, *elsewhere]).answer is HOLDS


@pytest.mark.parametrize("kind", ["order", "value", "ratio", "equality"])
def test_with_fewer_than_six_runs_nothing_is_certain_in_either_direction(tmp_path, kind):
    """VERDICTS 7.1: three runs could refute a claim and never confirm it."""
    few = [plant(tmp_path, title, height + NOISE[:5]) for title, height in (("M-CNB", 100.0), ("CLUB", 200.0))]
    published = {"value": 100.0, "ratio": 0.5}
    for of, than in (("M-CNB", "CLUB"), ("CLUB", "M-CNB")):
        claim = {"kind": kind, "of": of, **({"published": published[kind]} if kind in published else {})}
        found = verdict_of(tmp_path, claim if kind == "value" else {**claim, "than": [than]}, few)
        assert (found.answer, found.p, found.limits) == (UNCLEAR, None, ("5 of 10 runs",))
        assert "5 runs decide nothing" in found.reason


def test_cells_are_not_corrected_for_one_another(tmp_path, tables):
    lead = {"kind": "order", "of": "M-CNB", "than": ["Equal"]}
    alone = judge_figure(read_paper(paper(tmp_path, {"a": lead})), "fig2", scale_of(tables), tables)
    among = judge_figure(read_paper(paper(tmp_path, {"a": lead, "b": lead})), "fig2", scale_of(tables), tables)
    assert [one.p for one in among] == [one.p for one in alone] * 2


def test_a_number_after_all_rounds_is_not_decided_by_fewer(tmp_path):
    run = plant(tmp_path, "M-CNB", 100.0 + NOISE, horizon=500)
    for published in (100.0, 900.0):
        whole = verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": published}, [run])
        assert (whole.answer, "500 of 1,000 rounds" in whole.reason) == (UNCLEAR, True)
    half = {"kind": "value", "of": "M-CNB", "published": 100.0, "at": 500}
    assert is_limited(verdict_of(tmp_path, half, [run]), HOLDS)
    assert "speaks of 1,000" in verdict_of(tmp_path, {**half, "at": 1000}, [run]).reason


def test_the_size_of_a_ratio_is_not_refuted_by_fewer_rounds_and_its_side_is(tmp_path):
    runs = [plant(tmp_path, title, h + NOISE, horizon=500) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    ratio = {"kind": "ratio", "of": "M-CNB", "than": ["CLUB"]}
    assert verdict_of(tmp_path, {**ratio, "published": 0.1}, runs).answer is UNCLEAR
    assert is_limited(verdict_of(tmp_path, {**ratio, "published": 0.5}, runs), HOLDS)
    assert is_limited(verdict_of(tmp_path, {**ratio, "published": 1.5}, runs), FAILS)


def test_a_ratio_of_one_has_no_side(tmp_path, tables):
    claim = {"kind": "ratio", "of": "M-CNB", "than": ["Equal"], "published": 1}
    assert verdict_of(tmp_path, claim, tables).answer is HOLDS


def test_a_run_on_a_game_that_the_experiment_does_not_play_is_named(tmp_path, tables):
    stray = plant(tmp_path, "M-CNB", 100 + NOISE, name="stray")
    path = paper(tmp_path, {"it": {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}})
    with pytest.raises(InputError, match=r"m-cnb\.parquet is of the game 'stray', which this experiment does not play"):
        judge_figure(read_paper(path), "fig2", scale_of(tables), [*tables, stray])


@pytest.mark.parametrize("claim", [{"kind": "value", "published": 100.0}, {"kind": "order", "than": ["CLUB"]}])
def test_a_stand_in_never_satisfies_a_claim(tmp_path, claim):
    runs = [plant(tmp_path, title, h + NOISE, stand_in=True) for title, h in (("M-CNB", 100.0), ("CLUB", 200.0))]
    found = verdict_of(tmp_path, {"of": "M-CNB", **claim}, runs)
    assert (found.answer, "stands in" in found.reason) == (UNTESTABLE, True)


def test_a_lost_run_and_a_run_that_is_not_there_are_not_testable(tmp_path, tables):
    absent = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["LOCB"]}, tables)
    assert (absent.answer, absent.reason) == (UNTESTABLE, "LOCB was not played")
    said = verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": 1.0, "untestable": "no log"}, tables)
    assert (said.answer, said.reason, said.measure, said.measured) == (UNTESTABLE, "no log", "", None)


def test_a_grid_point_is_judged_in_place_of_the_chosen_one(tmp_path):
    run = plant(tmp_path, "M-CNB", None, points={1: 100 + NOISE, 10: 300 + NOISE})
    claim = {"kind": "value", "of": "M-CNB", "published": 300.0}
    assert verdict_of(tmp_path, claim, [run]).answer is FAILS
    assert verdict_of(tmp_path, {**claim, "options": {"alpha": 10}}, [run]).answer is HOLDS
    with pytest.raises(InputError, match="reports 0 grid points with alpha=3"):
        verdict_of(tmp_path, {**claim, "options": {"alpha": 3}}, [run])


def test_a_spread_of_runs_is_judged_as_one_number(tmp_path):
    run = plant(tmp_path, "M-CNB", 100 + 10 * NOISE)
    claim = {"kind": "value", "of": "M-CNB", "measure": "std", "published": float(10 * NOISE.std(ddof=1))}
    assert verdict_of(tmp_path, claim, [run]).answer is HOLDS
    assert verdict_of(tmp_path, {**claim, "published": 0.4}, [run]).answer is FAILS


def test_settings_are_compared_with_each_other(tmp_path):
    runs = [
        plant(tmp_path, "M-CNB", height + NOISE, name=f"game-{n}", settings={"instances": n})
        for n, height in ((2, 80), (8, 40), (64, 90))
    ]
    inside = {"kind": "order", "of": "M-CNB", "where": {"instances": 8}}
    rivals = [{"where": {"instances": 2}}, {"where": {"instances": 64}}]
    assert verdict_of(tmp_path, {**inside, "than": rivals}, runs).answer is HOLDS
    assert verdict_of(tmp_path, {**inside, "where": {"instances": 2}, "than": rivals[1:]}, runs).answer is HOLDS
    assert verdict_of(tmp_path, {**inside, "where": {"instances": 64}, "than": rivals[:1]}, runs).answer is FAILS


def test_a_slope_against_the_horizon_is_that_of_several_runs_on_one_game(tmp_path):
    runs = [
        plant(tmp_path / str(one), title, one**power * (1 + NOISE / 100), horizon=one)
        for title, power in (("M-CNB", 0.25), ("CLUB", 1.0))
        for one in (250, 500, 1000)
    ]
    claim = {"kind": "slope", "of": "M-CNB", "against": "horizon", "published": 0.25}
    assert verdict_of(tmp_path, claim, runs).answer is HOLDS
    assert verdict_of(tmp_path, {**claim, "published": 1.0}, runs).answer is FAILS
    order = {"kind": "order", "of": "M-CNB", "than": ["CLUB"], "where": {"horizon": 500}}
    assert verdict_of(tmp_path, order, runs).answer is HOLDS  # the longest run is as long as the paper's
    shorter = verdict_of(tmp_path, order, [run for run in runs if "1000" not in str(run)])
    assert is_limited(shorter, HOLDS)


def test_rows_of_a_table_are_judged_as_single_numbers(tmp_path):
    path = tmp_path / "seconds.csv"
    save_text(path, "part,users,seconds\nclustering,500,0.01\nclustering,5000,0.1\nmeta,500,0.02\nmeta,5000,0.021\n")
    save_text(tmp_path / "seconds.csv.json", '{"facts": {"note": "seconds"}}')
    timed = {"experiments": {"fig2": {"place": "Table 1", "title": "seconds", "measurement": "x"}}}

    def found(**claim):
        return verdict_of(tmp_path, {"measure": "seconds", **claim}, [path], "rows", **timed)

    linear = found(kind="slope", of="clustering", against="users", published=1.0)
    assert is_limited(linear, HOLDS)
    assert (linear.measured, linear.low) == (1.0, None)
    assert is_limited(found(kind="slope", of="meta", against="users", published=1.0), FAILS)
    assert is_limited(found(kind="value", of="meta", where={"users": 500}, published=0.005), FAILS)
    ratio = found(kind="ratio", of="meta", than=["clustering"], where={"users": 500}, published=2.0)
    assert is_limited(ratio, HOLDS)
    assert ratio.measured == 2.0
    assert found(kind="order", of="clustering", than=["meta"], where={"users": 500}).answer is UNCLEAR
    assert found(kind="order", of="clustering", than=["meta"], where={"users": 5000}).answer is FAILS
    assert is_limited(found(kind="order", of="meta", than=["clustering"]), FAILS)


def test_rows_that_stand_in_for_others_satisfy_nothing(tmp_path):
    path = tmp_path / "seconds.csv"
    save_text(path, "part,users,seconds\nmeta,500,0.01\nmeta,5000,0.1\n")
    save_text(tmp_path / "seconds.csv.json", '{"facts": {"note": "seconds", "stand_in": true}}')
    timed = {"experiments": {"fig2": {"place": "Table 1", "title": "seconds", "measurement": "x"}}}
    claim = {"kind": "slope", "of": "meta", "measure": "seconds", "against": "users", "published": 1.0}
    found = verdict_of(tmp_path, claim, [path], "rows", **timed)
    assert (found.answer, "made data" in found.reason) == (UNTESTABLE, True)


def test_what_varies_across_an_option_needs_values_of_it(tmp_path):
    run = plant(tmp_path, "M-CNB", None, points={1: 100 + NOISE, 10: 300 + NOISE})
    claim = {"kind": "value", "of": "M-CNB", "measure": "across", "published": float(np.std([0.9, 0.7], ddof=1))}
    found = verdict_of(tmp_path, {**claim, "options": {"alpha": [1, 10]}}, [run])
    assert (found.answer, found.n) == (HOLDS, len(NOISE))  # of every run alone
    with pytest.raises(InputError, match="list its values under options"):
        verdict_of(tmp_path, {**claim, "options": {"alpha": 1}}, [run])


def test_a_claim_about_two_games_stops_where_one_is_meant(tmp_path, tables):
    other = plant(tmp_path, "M-CNB", 100 + NOISE, name="other")
    with pytest.raises(InputError, match=r"planted\.it is about one game, but M-CNB was played on"):
        verdict_of(tmp_path, {"kind": "value", "of": "M-CNB", "published": 100.0}, [*tables, other])


def test_a_claim_is_judged_by_the_text_by_other_readings_and_on_public_pairs(tmp_path, tables):
    claim = {
        "kind": "order",
        "of": "M-CNB",
        "than": ["CLUB"],
        "also": [{"reading": "hidden", "of": "Worse", "than": ["CLUB"]}],
        "released": [{"code": "2024", "of": "CLUB", "than": ["M-CNB"]}],
    }
    it = read_paper(paper(tmp_path, {"it": claim}))
    found = judge_figure(it, "fig2", scale_of(tables), tables)
    assert [(one.claim.reading, one.claim.code) for one in found] == [
        ("paper", ""),
        ("hidden", ""),
        ("public code, 2024", "2024"),
    ]
    assert found[2].answer is not found[0].answer


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
    assert (stated.answer, stated.published) == (HOLDS, pytest.approx(-0.5))
    assert stated.limits == ("8 of 10 draws",)
    assert is_limited(found(**slope, published=1.0), FAILS)
    best = {"kind": "order", "of": "Robust multitask", "than": ["Independent"]}
    assert is_limited(found(**best, where={"regime": "standard", "rows": 400}), HOLDS)
    assert is_limited(found(**{**best, "of": "Independent", "than": ["Robust multitask"]}), FAILS)
    assert "no errors of" in found(**best, where={"rows": 999}).reason


def test_a_verdict_names_the_run_the_rival_and_the_game_that_decide(tmp_path, tables):
    order = verdict_of(tmp_path, {"kind": "order", "of": "M-CNB", "than": ["CLUB", "Equal"]}, tables)
    assert (order.claim.selection.of, order.rival.of, order.game) == ("M-CNB", "Equal", "m-cnb-paper-facebook-ego")
    ratio = verdict_of(tmp_path, {"kind": "ratio", "of": "M-CNB", "than": ["Worse", "CLUB"], "published": 0.5}, tables)
    assert (ratio.rival.of, ratio.measure) == ("CLUB", "regret")
    equal = verdict_of(tmp_path, {"kind": "equality", "of": "M-CNB", "than": ["Equal", "Worse"]}, tables)
    assert equal.rival.of == "Worse"
    value = verdict_of(
        tmp_path, {"kind": "value", "of": "M-CNB", "published": 50.0, "at": 500, "options": {"alpha": 1}}, tables
    )
    assert (name_of(value.claim.selection), value.rival) == ("M-CNB, alpha 1, after round 500", None)
