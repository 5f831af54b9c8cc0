"""The figure of regrets: what is drawn is what its CSV says."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import load_facts, load_table, save_table
from manybandits.base.exceptions import InputError
from manybandits.figures import regret as figure
from manybandits.figures import runtime
from manybandits.figures.canvas import Words
from manybandits.figures.kind import facts_of
from manybandits.figures.published import Published
from manybandits.results.runs import load_run, load_runs
from manybandits.results.summaries import thinned
from manybandits.tables import regret as table
from tests.planted.claims import plant
from tests.planted.runs import plant_agents, plant_line, restamp


def test_the_figure_draws_what_its_csv_says(runs, tmp_path):
    for place in ("one", "two"):
        figure.main(["--title", "T", "--band", "std", "--runs", *map(str, runs), "--out", str(tmp_path / place / "f")])
    drawn = pd.read_csv(tmp_path / "one/f.csv")
    run = load_run(runs[0])
    line = drawn[(drawn["panel"] == "a") & (drawn["algorithm"] == "CLUB")]
    assert np.allclose(line["mean"], run.regret.mean(axis=0))
    assert np.allclose(line["high"] - line["mean"], run.regret.std(axis=0, ddof=1))
    assert (line["n"] == 6).all()
    for ending in ("svg", "csv"):
        one, two = (tmp_path / place / f"f.{ending}" for place in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert "STAND-IN" in _texts(runs)
    assert "STAND-IN" not in _texts(runs[:3])


def figure_of(panels, marks=(), band="std"):
    """The figure of some runs."""
    facts = {**facts_of(panels, marks), "notes": {}}
    return figure.figure_of(thinned(figure.summarise(panels, band, None, "regret")), Words("T"), {}, facts)


def _texts(paths) -> str:
    """All words that a figure of some runs shows."""
    return " ".join(t.get_text() for t in figure_of(load_runs(paths)).findobj() if hasattr(t, "get_text"))


def test_lost_replicas_end_their_line_and_leave_no_numbers(tmp_path):
    paths = [plant_line(tmp_path, name, slope) for name, slope in (("club", 0.5), ("locb", 0.6))]
    whole, facts = load_table(paths[0]), load_facts(paths[0])
    late = (whole["seed"] == 1) & (whole["round"] > 500)
    broken = whole.assign(**{name: whole[name].mask(late) for name in ("regret", "reward")})
    save_table(paths[0], broken, facts)
    restamp(paths[0])
    with pytest.raises(InputError, match="holds NaN where no replica was lost"):
        load_run(paths[0])  # nothing in the table says that one was
    save_table(paths[0], broken, {**facts, "diverged": ["seed 1"]})
    restamp(paths[0])
    for module in (figure, runtime):
        module.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / module.__name__)])
    drawn = pd.read_csv(tmp_path / f"{figure.__name__}.csv")
    line = drawn[drawn["algorithm"] == "CLUB"]
    assert line.loc[line["round"] <= 500, "mean"].notna().all()
    assert line.loc[line["round"] > 500, "mean"].isna().all()
    assert drawn.loc[drawn["algorithm"] == "LOCB", "mean"].notna().all()
    told = json.loads((tmp_path / f"{figure.__name__}.csv.json").read_text())["facts"]["caption"]
    assert "; 1 of 6 runs of CLUB diverged." in told
    summary = table.summarise(load_runs(paths)).set_index("algorithm")
    assert summary.loc["CLUB", "lost"] == 1
    assert np.isnan(summary.loc["CLUB", "regret"])
    assert summary.loc["LOCB", "mark"] == "best"
    for form in (table.TABLE.markdown, table.TABLE.latex):
        assert "1 of 6 failed" in form(summary.reset_index(), "T")
        assert "nan" not in form(summary.reset_index(), "T")


def test_a_relative_curve_is_one_for_the_reference_itself(tmp_path):
    heights = {"CMLB": 50 / np.sqrt(10), "LinUCB-Ind": 50.0}
    mine, reference = (plant_agents(tmp_path, title, 10, height) for title, height in heights.items())
    panels, total = load_runs([mine, reference]), figure.values_of("regret")
    drawn = figure.curves(panels, "std", figure.relative_to(panels, "LinUCB-Ind", total))
    reference = drawn[drawn["algorithm"] == "LinUCB-Ind"]
    assert (reference["mean"] == 1.0).all()
    assert drawn[drawn["algorithm"] == "CMLB"]["mean"].iloc[0] == pytest.approx(1 / np.sqrt(10))
    with pytest.raises(InputError, match="did you mean 'CMLB'"):
        figure.relative_to(load_runs([mine]), "CMLBs", total)


def test_the_forest_has_the_ratio_of_paired_runs_to_the_papers_own_method(tmp_path):
    own = plant(tmp_path, "M-CNB", np.array([10.0, 20.0, 30.0, 40.0]))
    rival = plant(tmp_path, "CLUB", np.array([12.0, 24.0, 36.0, 48.0]))
    drawn = figure.summarise(load_runs([rival, own]), "std", None, "regret")
    ends = drawn.dropna(subset="ratio").set_index("algorithm")
    assert set(ends["ratio_to"]) == {"M-CNB"}
    assert ends.loc["CLUB", ["ratio", "ratio_low", "ratio_high"]].tolist() == pytest.approx([1.2] * 3)
    assert len(ends) == 2


def test_curves_that_end_close_together_are_shares_of_randoms_and_others_are_not(tmp_path):
    heights = {"M-CNB": 80.0, "CLUB": 82.0, "LOCB": 90.0, "Random": 100.0}
    close = load_runs([plant(tmp_path / "close", title, np.full(4, height)) for title, height in heights.items()])
    drawn = figure.summarise(close, "std", None, "regret")
    assert set(drawn["share_of"]) == {"Random"}
    ends = drawn.groupby("algorithm").last()
    assert ends["share"].to_dict() == pytest.approx({title: height / 100 for title, height in heights.items()})
    alone = [[run for run in panel if run.title != "Random"] for panel in close]
    assert set(figure.summarise(alone, "std", None, "regret")["share_of"]) == {"M-CNB"}
    behind = [[run for run in panel if run.title in ("CLUB", "LOCB")] for panel in close]
    assert set(figure.summarise(behind, "std", None, "regret")["share_of"]) == {"CLUB"}
    apart = heights | {"LOCB": 200.0}
    wide = load_runs([plant(tmp_path / "wide", title, np.full(4, height)) for title, height in apart.items()])
    assert set(figure.summarise(wide, "std", None, "regret")["share_of"]) == {""}


def test_the_caption_names_who_did_not_play_a_game_and_whose_curves_are_identical(tmp_path):
    first = [plant(tmp_path, title, np.full(4, 80.0), name="g1", data_note="Yelp") for title in ("CLUB", "COFIBA")]
    first.append(plant(tmp_path, "M-CNB", np.full(4, 50.0), name="g1", data_note="Yelp"))
    second = [plant(tmp_path, "CLUB", np.full(4, 80.0), name="g2", data_note="MNIST")]
    panels = load_runs([*first, *second])
    assert figure.absent_words(panels) == "Not played: COFIBA and M-CNB on MNIST."
    assert figure.identical_words(panels) == "Identical curves: CLUB and COFIBA on Yelp."
    assert figure.absent_words(panels[:1]) == ""
    assert figure.identical_words(panels[1:]) == ""


def test_of_many_games_one_is_drawn_and_a_heat_map_has_the_ratios_of_all(tmp_path):
    heights = {"M-CNB": 50.0, "CLUB": 80.0}
    paths = [
        plant(tmp_path / game, title, np.full(4, height), name=game, data_note=f"Game {game}")
        for game in [f"g{number}" for number in range(figure.MOST + 1)]
        for title, height in heights.items()
        if (game, title) != ("g6", "CLUB")
    ]
    drawn = figure_of(load_runs(paths))
    titles = [axes.get_title(loc="left") for axes in drawn.axes]
    assert titles == ["Game g0", "", "All games: final regret relative to M-CNB (red: worse)"]
    below = drawn.axes[-1]
    assert [label.get_text() for label in below.get_yticklabels()] == ["M-CNB", "CLUB"]
    assert [label.get_text() for label in below.get_xticklabels()] == [f"Game g{number}" for number in range(7)]
    assert [text.get_text() for text in below.texts] == ["1.00"] * 7 + ["1.60"] * 6  # CLUB does not play one of them


def test_a_heat_map_tells_runs_that_failed_from_games_that_were_not_played(tmp_path):
    games = [f"g{number}" for number in range(figure.MOST + 2)]
    paths = {
        (game, title): plant(tmp_path / game, title, np.full(6, 50.0), name=game, data_note=f"Game {game}")
        for game in games
        for title in ("M-CNB", "CLUB")
        if (game, title) != ("g6", "CLUB")
    }
    broken = paths["g5", "CLUB"]
    whole, facts = load_table(broken), load_facts(broken)
    first = whole["seed"] == whole["seed"].min()
    save_table(
        broken,
        whole.assign(**{name: whole[name].mask(first) for name in ("regret", "reward")}),
        {**facts, "diverged": [f"seed {whole['seed'].min()}"]},
    )
    restamp(broken)
    below = figure_of(load_runs([*paths.values()])).axes[-1]
    failed = [text for text in below.texts if text.get_text() == "failed"]
    assert [text.get_position() for text in failed] == [(5.5, 1.5)]


@pytest.mark.parametrize(
    ("ratio", "words"), [(1.0, "1.00"), (0.0034, "0.003"), (104.2, "104"), (0.17, "0.17"), (np.nan, "")]
)
def test_ratios_of_a_heat_map_have_the_digits_that_tell_them_apart(ratio, words):
    assert figure._ratio_words(ratio) == words


def test_curves_are_shares_of_a_run_with_more_seeds_on_the_seeds_that_both_have(tmp_path):
    own, whole = np.arange(1.0, 7.0), np.arange(2.0, 42.0, 2.0)
    runs = [load_run(plant(tmp_path, "CLUB", own)), load_run(plant(tmp_path, "Random", whole))]
    shares = figure.relative_to([runs], "Random", figure.values_of("regret"))
    assert shares(runs[0]).shape == runs[0].regret.shape
    assert np.allclose(shares(runs[0])[:, -1], 0.5)


@pytest.mark.parametrize("share", [0.01, 3.0])
def test_a_published_number_lies_inside_its_panel(runs, share):
    """Outside, it would be taken for one of the panel below or above."""
    panels = load_runs(runs)
    one = panels[0][0]
    stated = share * float(one.regret[:, -1].mean())
    mark = Published(one.environment["name"], one.title, "", int(one.rounds[-1]), stated)
    drawn = figure_of(panels, [mark])
    left = drawn.axes[0]
    diamonds = [line for line in left.get_lines() if line.get_marker() == "D" and not line.get_clip_on()]
    assert len(diamonds) == 1
    low, high = left.get_ylim()
    assert low < float(diamonds[0].get_ydata()[0]) < high


def test_a_figure_of_one_run_has_its_name_and_no_right_side(tmp_path):
    panels = [[load_run(plant(tmp_path, "CLUB", np.arange(1.0, 7.0)))]]
    drawn = figure_of(panels)
    assert len(drawn.axes) == 1
    assert [text.get_text() for text in drawn.axes[0].get_legend().get_texts()] == ["CLUB"]
    assert figure.how_words(panels) == ""
    assert figure.how_words([panels[0] * 2]) == figure.HOW


def test_a_figure_relative_to_a_run_still_names_the_final_values(tmp_path):
    panels = load_runs([plant(tmp_path, title, np.full(4, end)) for title, end in (("CLUB", 150.0), ("LOCB", 300.0))])
    facts = {**facts_of(panels), "finals": figure.finals_of(panels, "regret")}
    drawn = figure.summarise(panels, "std", "LOCB", "regret")
    _, forest = figure.panels_of(drawn, {"relative": "LOCB"}, facts)
    assert list(forest.beside.values()) == ["150", "300"]
