"""The figure of a sweep over a setting of the game: slopes, and the rates that are stated beside them."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import load_facts, load_table, save_table
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.figures import sweep
from manybandits.figures.kind import facts_of
from manybandits.figures.panel import Mark
from manybandits.figures.published import Published
from manybandits.results.agent_rates import theorem1
from manybandits.results.runs import load_run, load_runs
from tests.planted.claims import plant
from tests.planted.runs import plant_agents, restamp

CLUSTERED = {"dimension": 15, "clusters": 2, "z": 0, "exponent": 0.2, "delta": 0.4}


@pytest.fixture
def runs(tmp_path):
    """Plant a rate of -1/2, and one of 0."""
    sizes = (10, 40, 160)
    falling = [plant_agents(tmp_path, "CMLB", n, 50 / np.sqrt(n), agreement=1.0) for n in sizes]
    level = [plant_agents(tmp_path, "LinUCB-Ind", n, 50, agreement=0.4) for n in sizes]
    return falling + level


def test_a_planted_slope_is_found_with_an_interval_that_covers_it(runs):
    drawn = sweep.summarise(load_runs(runs), "agents", "regret", "interval")
    for title, planted in (("CMLB", -0.5), ("LinUCB-Ind", 0.0)):
        line = drawn[drawn["algorithm"] == title]
        assert line["x"].tolist() == [10, 40, 160]
        assert (line["slope_low"] < planted + 0.02).all()
        assert (line["slope_high"] > planted - 0.02).all()
        assert abs(line["slope"].iloc[0] - planted) < 0.05


def test_late_regret_and_recovery_are_what_they_say(runs):
    late = sweep.summarise(load_runs(runs[:3]), "agents", "late", "std")
    run = load_run(runs[0])
    assert late["mean"].iloc[0] == pytest.approx((run.regret[:, 9] - run.regret[:, 4]).mean())
    share = sweep.summarise(load_runs(runs), "agents", "recovered", "std")
    assert share[share["algorithm"] == "CMLB"]["mean"].tolist() == [1.0] * 3
    assert share[share["algorithm"] == "LinUCB-Ind"]["mean"].tolist() == [1 / 8] * 3


def test_rounds_are_swept_within_a_run(runs):
    """The planted curves grow as the root of the rounds."""
    drawn = sweep.summarise(load_runs(runs[:1]), "rounds", "regret", "std")
    assert drawn["x"].tolist() == [100, 200, 300, 500, 1000]  # of ten checkpoints, the first at or after each part
    assert drawn["slope"].iloc[0] == pytest.approx(0.5, abs=1e-6)
    run = load_run(runs[0])
    assert drawn["mean"].tolist() == pytest.approx(run.regret.mean(axis=0)[[0, 1, 2, 4, 9]])


def panels_of(panels, x: str, each: str = "", stated: str | None = None, marks=()):
    """The table of a sweep with the rate that is stated, and the panels that it is drawn of."""
    rates = sweep.rates_of(panels, x, stated, each)
    drawn = sweep.with_rate(sweep.summarise(panels, x, "regret", "interval", each), rates, each)
    places = {run.environment["name"]: sweep.AXES[x][1](run) for runs in panels for run in runs}
    facts = {**facts_of(panels, marks), "places": places, "rates": rates}
    return drawn, list(sweep.panels_of(drawn, {"x": x, "y": "regret", "each": each, "stated": stated}, facts))


def test_a_number_that_is_stated_of_a_game_is_a_mark_at_its_setting(runs):
    marks = [Published("n40", "CMLB", "", 1000, 7.5), Published("n160", "CMLB", "", 1000, 8.0, "another paper")]
    _, (panel,) = panels_of(load_runs(runs), "agents", marks=marks)
    assert panel.marks == [Mark("CMLB", 40, 7.5), Mark("CMLB", 160, 8.0, quoted=True)]


def test_a_game_of_instances_is_swept_by_its_settings_and_says_whose_regret_it_is(tmp_path):
    paths = []
    for instances in (5, 20):
        path = plant_agents(tmp_path, "RMBandit", instances, 10.0 * instances)
        facts = load_facts(path)
        facts["settings"]["environment"] |= {"all_act": False, "counts_first": True}
        facts["settings"]["environment"]["settings"] |= {"instances": instances, "sparsity": 2}
        save_table(path, load_table(path), facts)
        paths.append(restamp(path))
    panels = load_runs(paths)
    assert sweep.summarise(panels, "instances", "regret", "std")["slope"].iloc[0] == pytest.approx(1.0, abs=0.05)
    assert sweep.summarise(panels, "instances", "each", "std")["slope"].iloc[0] == pytest.approx(0.0, abs=0.05)
    assert sweep.whose(panels[0][0].environment) == " of the first instance"


def test_a_game_without_the_setting_that_is_swept_is_named(runs):
    with pytest.raises(InputError, match=r"without 'sparsity': it has no 'sparsity' to sweep; choose another --x"):
        sweep.collect(load_runs(runs), "sparsity", "regret")


def test_two_games_of_an_algorithm_at_one_point_of_a_sweep_are_refused(runs):
    with pytest.raises(InputError, match=r"which are one point of a sweep over 'separation': give each of these games"):
        sweep.collect(load_runs(runs), "separation", "regret")


def test_points_at_zero_are_left_out_of_the_fit():
    points = {0.0: np.ones(3), 1.0: np.ones(3), 10.0: np.full(3, 10.0)}
    assert sweep.slope(points)[0] == pytest.approx(1.0)
    assert np.isnan(sweep.slope({0.0: np.ones(3), 1.0: np.ones(3)})[0])


def test_a_sweep_is_drawn_the_same_twice(runs, tmp_path):
    for place in ("one", "two"):
        given = ["--title", "T", "--x", "agents", "--out", str(tmp_path / place / "f")]
        sweep.main([*given, "--runs", *map(str, runs)])
    for ending in ("svg", "csv"):
        assert (tmp_path / "one" / f"f.{ending}").read_bytes() == (tmp_path / "two" / f"f.{ending}").read_bytes()


def test_each_value_of_a_second_setting_is_a_sweep_of_its_own(tmp_path):
    """The regret falls with the agents where clusters are apart, and not where they are close."""
    runs = [
        plant_agents(tmp_path / str(apart), "CMLB", n, 50 / n**power, **CLUSTERED, separation=apart)
        for n in (10, 40)
        for apart, power in ((0.1, 0.0), (1.2, 0.5))
    ]
    panels = load_runs(runs)
    drawn, shown = panels_of(panels, "agents", "separation", "sclb_theorem1")
    assert [len(panel.rows) for panel in shown] == [2, 2]
    assert len({panel.title for panel in shown}) == 2
    assert list(drawn)[:2] == ["separation", "algorithm"]
    assert len(drawn) == 4
    for apart, power in ((0.1, 0.0), (1.2, 0.5)):
        part = drawn[drawn["separation"] == apart]
        assert part["slope"].iloc[0] == pytest.approx(-power, abs=0.05)
        few, many = (theorem1({**CLUSTERED, "agents": n}, 1000) for n in (10, 40))
        assert part["stated_slope"].iloc[0] == pytest.approx(np.log(many / few) / np.log(4))
    with pytest.raises(InputError, match=r"without 'sparsity': choose another --each"):
        sweep.summarise(panels, "agents", "regret", "interval", "sparsity")


def test_a_stated_rate_is_drawn_with_the_slope_of_its_formula(tmp_path):
    sizes = (50, 150, 450)
    paths = [plant_agents(tmp_path, "RMBandit", d, 10.0, instances=50, sparsity=3, dimension=d, arms=2) for d in sizes]
    logs = np.log(50) * np.log(load_runs(paths)[0][0].rounds[-1] / 50) ** 2
    at = {d: 2 * d * (3 * 50 + d) * logs for d in sizes}
    assert sweep.collect_rate(load_runs(paths), "dimension", "theorem2") == pytest.approx(at)
    drawn, (panel,) = panels_of(load_runs(paths), "dimension", stated="theorem2")
    assert panel.lines[0].x == list(sizes)
    assert panel.lines[0].y[2] / panel.lines[0].y[0] == pytest.approx(at[450] / at[50])
    assert drawn["stated_slope"].iloc[0] == pytest.approx(np.log(at[450] / at[50]) / np.log(9), rel=0.02)


def test_the_rates_of_agents_are_those_of_the_theorems(tmp_path):
    paths = [plant_agents(tmp_path, "SCLB", n, 10.0, **CLUSTERED) for n in (10, 160)]
    at = sweep.collect_rate(load_runs(paths), "agents", "sclb_theorem1")
    assert at == pytest.approx({n: theorem1({**CLUSTERED, "agents": n}, 1000) for n in (10, 160)})
    paths = [plant_agents(tmp_path / f"{sigma}", "PMLB", 60, 10.0, sigma=sigma) for sigma in (0.0, 4.0)]
    at = sweep.collect_rate([[run] for panel in load_runs(paths) for run in panel], "epsilon", "pmlb_theorem3")
    common = 15 * np.sqrt(15 / 60) * 1000**0.25
    assert list(at.values()) == pytest.approx([common, common + 2 * np.sqrt(15 * 59 / 60) * np.sqrt(15 * 1000)])


def test_a_rate_over_rounds_has_a_point_for_each_halving_of_a_run(tmp_path):
    at = sweep.collect_rate(load_runs([plant_agents(tmp_path, "SCLB", 10, 10.0)]), "rounds", "meta_ban_theorem5_3")
    assert len(at) > 1
    assert list(at.values()) == pytest.approx([np.sqrt(rounds * np.log(rounds)) for rounds in at])


@pytest.mark.parametrize("paper", ["rmbandit", "sclb_pmlb"])
def test_a_paper_states_rates_that_there_are(root, paper):
    experiments = read_yaml(root / f"workflow/papers/{paper}/experiments.yaml")["experiments"].values()
    stated = {one["figure"]["stated"] for one in experiments if "stated" in one.get("figure", {})}
    assert stated
    assert stated <= set(sweep.RATES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--x", "agent"], "did you mean 'agents'"),
        (["--x", "agents", "--y", "regrets"], "did you mean 'regret'"),
        (["--x", "agents", "--band", "sd"], "did you mean 'std'"),
        (["--x", "agents", "--stated", "theorem2_prof"], "did you mean 'theorem2_proof'"),
    ],
)
def test_bad_input_stops_with_one_sentence(runs, tmp_path, arguments, words):
    with pytest.raises(InputError, match=words):
        sweep.main(["--title", "T", *arguments, "--runs", str(runs[0]), "--out", str(tmp_path / "f")])


def test_a_sweep_over_the_horizon_takes_whole_runs(tmp_path):
    runs = [plant(tmp_path / str(one), "CMLB", np.full(4, one**0.25), horizon=one) for one in (100, 400)]
    drawn = sweep.summarise(load_runs(runs), "horizon", "regret", "std")
    assert drawn["x"].tolist() == [100, 400]
    assert drawn["slope"].iloc[0] == pytest.approx(0.25, rel=1e-5)  # measures are read to six digits
