"""Charts hold what the CSV of their figure holds, in the looks of the figure, and Vega-Lite can draw them."""

from __future__ import annotations

import csv
import json
import re

import pytest
import vl_convert

from manybandits.figures.palette import LOOKS, Look, colors
from manybandits.report.charts import CHARTS, WIDTH, chart_of, look_of, marker_path
from manybandits.report.inputs import ReportedFigure, read_figure
from manybandits.report.pages import vega
from manybandits.results.summaries import POINTS
from tests.planted.site import EXPERIMENTS, ROUNDS

KINDS = {kind: key for key, (_, kind, _) in EXPERIMENTS.items()} | {"estimation_errors": "fig7"}


def figure(site, kind: str) -> ReportedFigure:
    return read_figure(site / "figures" / f"first_{KINDS[kind]}", kind)


@pytest.mark.parametrize("kind", sorted(CHARTS))
def test_every_number_of_the_csv_is_in_the_chart_but_the_first_rounds_of_shares(site, kind):
    with (site / "figures" / f"first_{KINDS[kind]}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    means = [float(row.get("share") or row.get("mean") or row["reward"]) for row in rows]
    drawn = [columns for panel in chart_of(figure(site, kind))["panels"] for columns in panel["series"].values()]
    sent = [mean for columns in drawn for mean in columns["mean"]]
    if len(means) == len(sent):
        assert sorted(sent) == pytest.approx(sorted(means), rel=1e-5)
    else:
        ends = [mean for row, mean in zip(rows, means, strict=True) if int(row["round"]) == ROUNDS[-1]]
        assert sorted(columns["mean"][-1] for columns in drawn) == pytest.approx(sorted(ends), rel=1e-5)
        assert all(POINTS / 2 < len(columns["x"]) <= POINTS for columns in drawn)


@pytest.mark.parametrize("kind", sorted(CHARTS))
def test_vega_lite_can_draw_every_specification(site, kind):
    for panel in chart_of(figure(site, kind))["panels"]:
        assert vl_convert.vegalite_to_vega(json.dumps(panel["spec"]))["marks"]


def test_a_figure_of_a_kind_without_an_interactive_form_has_no_chart(site):
    made = figure(site, "regret")
    assert chart_of(ReportedFigure(made.stem, made.made, made.rows, "alignment")) is None


def test_lost_runs_leave_no_numbers_and_axes_say_what_they_show(site):
    made = figure(site, "regret")
    lost = dict.fromkeys(("mean", "low", "high", "share", "share_low", "share_high"), "")
    rows = [{**row, **lost} if row["algorithm"] == "SCLUB" else row for row in made.rows]
    panel = chart_of(ReportedFigure(made.stem, made.made, rows, "regret"))["panels"][0]
    assert set(panel["series"]["SCLUB"]["mean"]) == {None}
    line = panel["spec"]["layer"][1]["encoding"]
    assert (line["x"]["title"], line["y"]["title"]) == ("round", "cumulative regret, as a share of Random's")


def test_where_all_agents_act_the_random_reference_does_not_set_the_axis(site):
    made = figure(site, "regret")
    games = {name: {**game, "all_act": True} for name, game in made.games.items()}
    told = {**made.made, "facts": {**made.made["facts"], "games": games}}
    rows = [{**row, "share_of": ""} for row in made.rows]
    line = chart_of(ReportedFigure(made.stem, told, rows, "regret"))["panels"][0]["spec"]["layer"][1]["encoding"]
    others = [float(row["high"]) for row in made.rows if row["panel"] == "game-one" and row["algorithm"] != "Random"]
    assert line["y"]["scale"]["domainMax"] == pytest.approx(1.2 * max(others))
    assert line["y"]["title"] == "regret per agent"


def test_a_bundle_is_drawn_as_shares_without_the_first_rounds(site):
    made = figure(site, "regret")
    rows = [row for row in made.rows if row["panel"] == "game-one"]
    assert {row["share_of"] for row in rows} == {"Random"}
    columns = chart_of(made)["panels"][0]["series"]["Random"]
    assert set(columns["mean"]) == {1.0}
    assert min(columns["x"]) >= ROUNDS[-1] / 10


def test_own_methods_come_first_in_the_legend(site):
    made = figure(site, "regret")
    rows = [{**row, "algorithm": "M-CNB"} if row["algorithm"] == "SCLUB" else row for row in made.rows]
    looks = chart_of(ReportedFigure(made.stem, made.made, rows, "regret"))["looks"]
    assert (next(iter(looks)), list(looks)[-1]) == ("M-CNB", "Random")


def test_looks_are_those_of_the_figure_and_all_markers_have_a_path(site):
    look = chart_of(figure(site, "regret"))["looks"]["CLUB"]
    color, _, marker = LOOKS["CLUB"]
    assert look == {**look_of(Look(colors()[color], (), marker), "CLUB"), "width": WIDTH}
    assert look_of(Look("#000000", own=True), "M-CNB")["width"] > WIDTH
    markers = {marker for _, _, marker in LOOKS.values()} | set("<>hXdp_|+")
    paths = {marker: marker_path(marker) for marker in markers}
    assert len(set(paths.values())) >= len(paths) - 2  # "x" and "+" are drawn as "X" and "P"
    for path in paths.values():
        numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-\d+)?", path)]
        assert max(map(abs, numbers)) <= 1.0


def test_people_read_display_names_and_series_keep_the_titles_of_the_csv(site):
    made = figure(site, "regret")
    rows = [{**row, "algorithm": "k-NN UCB, phi 1"} if row["algorithm"] == "SCLUB" else row for row in made.rows]
    chart = chart_of(ReportedFigure(made.stem, made.made, rows, "regret"))
    assert chart["looks"]["k-NN UCB, phi 1"]["label"] == "k-NN UCB (distance counted)"
    assert "k-NN UCB, phi 1" in chart["panels"][0]["series"]


def test_published_numbers_are_hollow_marks_that_are_hidden_with_their_series(site):
    made = figure(site, "regret")
    facts = {**made.made["facts"], "published": [published("CLUB", 300.0), published("SCLUB", 200.0, "another paper")]}
    panel = chart_of(ReportedFigure(made.stem, {**made.made, "facts": facts}, made.rows, "regret"))["panels"][0]
    marks = panel["spec"]["layer"][-1]
    assert [(row["series"], row["shape"]) for row in marks["data"]["values"]] == [
        ("CLUB", "diamond"),
        ("SCLUB", "square"),
    ]
    assert marks["transform"] == [{"filter": "indexof(hidden, datum.series) < 0"}]
    assert marks["encoding"]["stroke"]["scale"]["domain"][0] == "CLUB"
    assert vl_convert.vegalite_to_vega(json.dumps(panel["spec"]))["marks"]


def test_the_script_of_charts_is_bundled_once_and_again_if_what_was_kept_is_damaged(tmp_path, monkeypatch):
    made = iter(("first", "second", "third"))
    monkeypatch.setenv("MANYBANDITS_CACHE", str(tmp_path))
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda snippet: next(made))
    assert [vega(), vega()] == ["first", "first"]
    (kept,) = tmp_path.glob("*.js")
    kept.write_text("firs")  # what a checksum alone finds
    assert [vega(), vega()] == ["second", "second"]
    kept.write_bytes(b"\xff")
    assert [vega(), vega()] == ["third", "third"]


def published(title: str, value: float, source: str = "") -> dict:
    """A number that is published of a run of the first game."""
    return {"game": "game-one", "title": title, "point": "", "round": 2000, "value": value, "source": source}
