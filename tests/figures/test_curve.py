"""The specification curve: what it shows, and that it is the same twice."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import save_csv
from manybandits.figures import curve
from manybandits.figures.canvas import Words
from manybandits.figures.curve import main
from manybandits.results.readings_table import FIXED

LEFT = "\N{LEFTWARDS ARROW} -725"


def plant(path, count: int = 24) -> pd.DataFrame:
    """Write a table of readings in which one choice decides."""
    rng = np.random.default_rng(0)
    served = rng.integers(2, size=count) == 1
    served[0] = False
    effect = np.where(served, 0.2, -0.1) + 0.02 * rng.normal(size=count)
    table = pd.DataFrame(
        {
            "reading": ["as written", *(f"reading {k}" for k in range(1, count))],
            "answer": np.where(served, "holds", "fails"),
            "effect": effect,
            "low": effect - 0.03,
            "high": effect + 0.03,
            "quantity": "lead in regret of M-CNB over CLUB, in % of the rival",
            "against": 0.0,
            "limits": "2,000 of 10,000 rounds",
            "chance": "",
            "learners": np.where(served, "served", "cluster"),
            "context": rng.choice(["item", "both"], count),
        }
    )
    save_csv(path, table)
    return table


def test_a_curve_is_sorted_and_the_same_twice(tmp_path):
    planted = plant(tmp_path / "r.csv")
    for name in ("a", "b"):
        main(["--title", "M-CNB", "--readings", str(tmp_path / "r.csv"), "--out", str(tmp_path / name)])
    drawn = pd.read_csv(tmp_path / "a.csv")
    assert drawn["effect"].is_monotonic_increasing
    assert set(drawn["reading"]) == set(planted["reading"])
    for ending in ("svg", "csv"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    words = (tmp_path / "a.svg").read_text()
    assert words.count("<use") > 2 * len(planted)  # a mark and a dot for each reading


def test_readings_without_an_effect_are_counted_beneath(tmp_path):
    table = plant(tmp_path / "r.csv")
    for lost, words in (
        ([], "one interval is not."),
        ([3], "1 set-up has no effect and is not drawn; the table of readings says why."),
        ([3, 8], "2 set-ups have no effect and are not drawn; the table of readings says why."),
    ):
        table.loc[lost, ["effect", "low", "high"]] = np.nan
        save_csv(tmp_path / "r.csv", table)
        main(["--title", "M-CNB", "--readings", str(tmp_path / "r.csv"), "--out", str(tmp_path / "a")])
        assert load_provenance(tmp_path / "a.csv")["facts"]["caption"].endswith(words)


def test_an_effect_far_from_all_others_is_written_and_leaves_them_their_scale(tmp_path):
    drawn = []
    for effect in (0.3, 7.25, -7.25):
        table = plant(tmp_path / "r.csv")
        table.loc[5, ["effect", "low", "high"]] = [effect, effect - 0.1, effect + 0.1]
        drawn.append(curve.figure_of(table, Words("T")))
    axes = [figure.axes[0] for figure in drawn]
    assert [[text.get_text() for text in one.texts] for one in axes] == [[], ["725 \N{RIGHTWARDS ARROW}"], [LEFT]]
    assert all(-50 < low < high < 50 for low, high in (one.get_ylim() for one in axes))
    counts = [[text.get_text() for text in one.get_legend().get_texts()] for one in axes]
    assert counts[0] == counts[1] == counts[2]


def test_an_effect_where_intervals_of_others_are_is_drawn(tmp_path):
    """Most effects are 0, so that all others are far from the middle half; one of these has a wide interval."""
    drawn = plant(tmp_path / "r.csv").assign(effect=0.0, low=0.0, high=0.0)
    drawn.loc[:7, "effect"] = [-0.085, -0.06, 0.07, *[0.004] * 5]
    drawn.loc[7, ["low", "high"]] = [-0.1, 0.055]
    low, high = curve.reach(drawn)
    assert low <= -0.085
    assert 0.07 <= high < 1.0
    assert curve.reach(drawn.assign(against=2.0))[1] > 2.0  # what effects are compared with is on the axis, too


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda table: table.drop(columns="effect"), "has no column 'effect'"),
        (lambda table: table.assign(effect="many"), "effect is not a number"),
        (lambda table: table.assign(effect=""), "no reading has an effect"),
    ],
)
def test_a_table_without_effects_stops_with_the_file_and_the_column(tmp_path, change, words):
    save_csv(tmp_path / "r.csv", change(plant(tmp_path / "r.csv")))
    with pytest.raises(InputError, match=words):
        main(["--title", "M-CNB", "--readings", str(tmp_path / "r.csv"), "--out", str(tmp_path / "a")])
    assert not (tmp_path / "a.svg").exists()
    assert set(FIXED) <= set(plant(tmp_path / "r.csv").columns)


@pytest.mark.parametrize(
    ("quantities", "words"),
    [
        (["lead in regret of M-CNB over CLUB, in % of the rival, worst of 7 comparisons",
          "lead in regret of M-CNB over SCLUB, in % of the rival"], "lead in regret, in % of the rival"),
        (["difference in regret of M-CNB and CLUB, in %"], "difference in regret, in %"),
        (["regret of M-CNB over that of SCLUB, the best of 7", "regret of M-CNB over that of COFIBA"],
         "regret over that of the rival"),
        (["slope of regret in agents, SCLB relative to LinUCB-Ind", "slope of regret in agents, SCLB"],
         "slope of regret in agents"),
        (["slope of regret in horizon, RMBandit", "slope of regret in arms, RMBandit, h 1"],
         "slope of regret in arms or horizon"),
        (["slope of regret in agents, SCLB", "lead in regret of SCLB over CLUB"], "of the claim that decides"),
    ],
)  # fmt: skip
def test_the_axis_says_what_all_readings_measure(quantities, words):
    assert curve.common_quantity(pd.Series(quantities)) == words


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["fails", "holds", "cannot differ"], "The headline holds in 1 of 2 set-ups; as written it fails"),
        (["inconclusive", "fails"], "The headline holds in none of 2 set-ups; as written it is inconclusive"),
        (["holds", "holds"], "The headline holds in all 2 set-ups; as written it holds"),
        (["not testable", "holds"], "The headline holds in the only set-up"),
        (["not testable"], "The headline cannot be judged in any set-up"),
    ],
)
def test_the_title_says_in_how_many_set_ups_the_headline_holds(answers, words):
    readings = ["as written", *map(str, range(1, len(answers)))]
    assert curve.seen(pd.DataFrame({"reading": readings, "answer": answers})) == words


def test_set_ups_with_a_smaller_run_are_hollow_and_named(tmp_path):
    table = plant(tmp_path / "r.csv").assign(answer="holds")
    table.loc[:9, "limits"] = ""
    figure = curve.figure_of(table, Words("T"))
    words = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert words == ["holds (10)", "holds, smaller run (14)"]
