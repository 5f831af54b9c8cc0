"""Statistics, figures and tables, from run tables that are made here."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from manybandits.base import statistics
from manybandits.base.artifacts import Provenance, load_facts, load_table, save_table
from manybandits.base.exceptions import InputError
from manybandits.figures import clusters, runtime
from manybandits.figures import regret as figure
from manybandits.results.run_table import COLUMNS, save_run
from manybandits.results.runs import load_run, load_runs
from manybandits.tables import convergence
from manybandits.tables import regret as table

TITLES = {"club": "CLUB", "locb": "LOCB", "mine": "Mine & <yours>"}


def make_run(folder, algorithm: str, slope: float, seeds: int = 6, environment: str = "game", stand_in: bool = False):
    rounds = np.arange(1, 21) * 50
    random = np.random.default_rng(len(algorithm))
    rows = []
    for seed in range(seeds):
        curve = slope * rounds * (1 + 0.02 * random.normal())
        for t, value in zip(rounds, curve, strict=True):
            found = (3.0, 40.0 - t / 50, 0.2 + t / 2000, np.nan) if algorithm == "club" else (np.nan,) * 4
            rows.append((algorithm, "paper", "evaluation", "alpha=1", True, seed, t, value, t - value, *found))
    path = folder / f"{environment}-{algorithm}.parquet"
    game = {
        "name": environment,
        "stand_in": stand_in,
        "data_note": "generated ratings" if stand_in else "real ratings",
    }
    settings = {"title": TITLES[algorithm], "variant": "paper", "tuning": "tuning-seeds", "grid": {"alpha": [1]}}
    facts = {"chosen": "alpha=1", "replicas": seeds}
    save_run(path, pd.DataFrame(rows, columns=COLUMNS), {**settings, "environment": game}, facts)
    stages = {"evaluation": {"replicas": seeds, "rounds": 1000, "seconds": 1.5 * seeds}}
    costs = {"device": "cpu", "threads": 2, "play_seconds": 1.5, "rounds_per_second": 1000, "stages": stages}
    Provenance({}).save(path, costs=costs)
    return path


@pytest.fixture
def runs(tmp_path):
    return [
        make_run(tmp_path, name, slope, environment=environment, stand_in=environment == "b")
        for environment in ("a", "b")
        for name, slope in (("club", 0.5), ("locb", 0.501), ("mine", 0.8))
    ]


def test_the_figure_draws_what_its_csv_says(runs, tmp_path):
    for place in ("one", "two"):
        figure.main(["--title", "T", "--band", "std", "--runs", *map(str, runs), "--out", str(tmp_path / place / "f")])
    drawn = pd.read_csv(tmp_path / "one/f.csv")
    run = load_run(runs[0])
    line = drawn[(drawn["panel"] == "a") & (drawn["algorithm"] == "CLUB")]
    assert np.allclose(line["mean"], run.regret.mean(axis=0))
    assert np.allclose(line["high"] - line["mean"], run.regret.std(axis=0, ddof=1))
    assert (line["n"] == 6).all()
    for ending in ("png", "svg", "csv"):
        one, two = (tmp_path / place / f"f.{ending}" for place in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert "STAND-IN" in _texts(runs)
    assert "STAND-IN" not in _texts(runs[:3])


def test_running_times_are_those_of_one_run_on_one_core(runs, tmp_path):
    for place in ("one", "two"):
        runtime.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / place / "f")])
    drawn = pd.read_csv(tmp_path / "one/f.csv")
    assert len(drawn) == 6
    assert np.allclose(drawn["seconds"], 3.0)  # 1.5 seconds a replica, on two threads
    run = load_run(runs[0])
    assert np.isclose(drawn["mean"][0], run.regret[:, -1].mean())
    for ending in ("png", "svg", "csv"):
        assert (tmp_path / f"one/f.{ending}").read_bytes() == (tmp_path / f"two/f.{ending}").read_bytes()


def test_clusters_are_drawn_where_there_are_any(runs, tmp_path):
    for place in ("one", "two"):
        clusters.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / place / "f")])
    drawn = pd.read_csv(tmp_path / "one/f.csv")
    assert set(drawn["algorithm"]) == {"CLUB"}
    run = load_run(runs[0])
    for measure, values in (("size", run.size), ("purity", run.purity)):
        line = drawn[(drawn["panel"] == "a") & (drawn["measure"] == measure)]
        assert np.allclose(line["mean"], values.mean(axis=0))
    for ending in ("png", "svg", "csv"):
        assert (tmp_path / f"one/f.{ending}").read_bytes() == (tmp_path / f"two/f.{ending}").read_bytes()
    with pytest.raises(InputError, match="no run has clusters"):
        clusters.panels_of(load_runs(runs[1:3]))


def _texts(paths) -> str:
    """All words that a figure of some runs shows."""
    from manybandits.figures import regret

    shown = []
    original = regret.save_figure
    regret.save_figure = lambda drawn, stem: shown.extend(
        t.get_text() for t in drawn.findobj() if hasattr(t, "get_text")
    )
    try:
        regret.draw(load_runs(paths), "T", "std", None)
    finally:
        regret.save_figure = original
    return " ".join(shown)


def test_convergence_is_the_average_regret_after_every_fifth(runs, tmp_path):
    convergence.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / "t")])
    rows = pd.read_csv(tmp_path / "t.csv")
    run = load_run(runs[0])
    first = rows[(rows["environment"] == "a") & (rows["algorithm"] == "CLUB")]
    assert first["round"].tolist() == [200, 400, 600, 800, 1000]
    for t, mean in zip(first["round"], first["mean"], strict=True):
        assert np.isclose(mean, run.regret[:, run.rounds == t].mean() / t, atol=1e-6)
    assert "| rounds | 200 |" in (tmp_path / "t.md").read_text()
    assert r"Mine \& <yours>" in (tmp_path / "t.tex").read_text()


def test_the_table_marks_the_best_and_what_is_not_told_apart(runs, tmp_path):
    table.main(["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / "t")])
    rows = pd.read_csv(tmp_path / "t.csv", keep_default_na=False)
    first = rows[rows["environment"] == "a"].set_index("algorithm")
    assert first.loc["CLUB", "mark"] == "best" or first.loc["LOCB", "mark"] == "best"
    assert not (first["mark"] == "=").any()  # 6 pairs cannot give p < 5 % after Holm's correction: nothing is said
    assert "**" in (tmp_path / "t.md").read_text()
    assert r"Mine \& <yours>" in (tmp_path / "t.tex").read_text()


def test_the_table_names_the_options_that_were_tuned(runs):
    run = load_run(runs[0])
    assert table.tuned_options(run) == "not tuned"
    run.settings["grid"] = {"alpha": [0.1, 1], "lambda": [1]}
    run.facts["chosen"] = "alpha=0.1 graph=complete lambda=1"
    assert table.tuned_options(run) == "alpha=0.1"


def test_ten_equal_pairs_are_not_told_apart(tmp_path):
    paths = [make_run(tmp_path, name, slope, seeds=10) for name, slope in (("club", 0.5), ("locb", 0.5))]
    table.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / "t")])
    assert pd.read_csv(tmp_path / "t.csv", keep_default_na=False)["mark"].tolist() == ["best", "="]


def test_ten_clear_pairs_are_told_apart(tmp_path):
    paths = [make_run(tmp_path, name, slope, seeds=10) for name, slope in (("club", 0.5), ("mine", 0.9))]
    table.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / "t")])
    assert pd.read_csv(tmp_path / "t.csv", keep_default_na=False)["mark"].tolist() == ["best", ""]


def test_runs_of_few_seeds_stand_beside_those_of_many_and_are_not_tested(tmp_path):
    plays = [make_run(tmp_path, "club", 0.5, seeds=12), make_run(tmp_path, "locb", 0.5, seeds=12)]
    plays.append(make_run(tmp_path, "mine", 0.501, seeds=3))
    table.main(["--title", "T", "--runs", *map(str, plays), "--out", str(tmp_path / "t")])
    rows = pd.read_csv(tmp_path / "t.csv", keep_default_na=False).set_index("algorithm")
    assert rows["n"].to_dict() == {"CLUB": 12, "LOCB": 12, "Mine & <yours>": 3}
    assert sorted(rows["mark"]) == ["", "=", "best"]
    assert rows.loc["Mine & <yours>", "mark"] in {"", "best"}


def test_a_run_with_nan_or_without_a_column_is_named(tmp_path):
    path = make_run(tmp_path, "club", 0.5)
    whole, facts = load_table(path), load_facts(path)
    save_table(path, whole.drop(columns="reward"), facts)
    with pytest.raises(InputError, match=r"game-club\.parquet has no column 'reward'"):
        load_run(path)
    broken = whole.copy()
    broken.loc[3, "regret"] = np.nan
    save_table(path, broken, facts)
    with pytest.raises(InputError, match=r"game-club\.parquet holds NaN"):
        load_run(path)
    save_table(path, whole.assign(chosen=False), facts)
    with pytest.raises(InputError, match="no evaluation of the chosen grid point"):
        load_run(path)


def test_lost_replicas_end_their_line_and_leave_no_numbers(tmp_path):
    paths = [make_run(tmp_path, name, slope) for name, slope in (("club", 0.5), ("locb", 0.6))]
    whole, facts = load_table(paths[0]), load_facts(paths[0])
    late = (whole["seed"] == 1) & (whole["round"] > 500)
    broken = whole.assign(**{name: whole[name].mask(late) for name in ("regret", "reward")})
    save_table(paths[0], broken, facts)
    with pytest.raises(InputError, match="holds NaN where no replica was lost"):
        load_run(paths[0])  # nothing in the table says that one was
    save_table(paths[0], broken, {**facts, "diverged": ["seed 1"]})
    for module in (figure, runtime):
        module.main(["--title", "T", "--runs", *map(str, paths), "--out", str(tmp_path / module.__name__)])
    drawn = pd.read_csv(tmp_path / f"{figure.__name__}.csv")
    line = drawn[drawn["algorithm"] == "CLUB"]
    assert line.loc[line["round"] <= 500, "mean"].notna().all()
    assert line.loc[line["round"] > 500, "mean"].isna().all()
    assert drawn.loc[drawn["algorithm"] == "LOCB", "mean"].notna().all()
    told = json.loads((tmp_path / f"{figure.__name__}.csv.json").read_text())["facts"]["caption"]
    assert "1 of 6 runs of CLUB on game" in told
    summary = table.summarise(load_runs(paths)).set_index("algorithm")
    assert summary.loc["CLUB", "lost"] == 1
    assert np.isnan(summary.loc["CLUB", "regret"])
    assert summary.loc["LOCB", "mark"] == "best"
    for form in (table.markdown, table.latex):
        assert "lost 1 of 6" in form(summary.reset_index(), "T")
        assert "nan" not in form(summary.reset_index(), "T")


@pytest.mark.slow
def test_the_bootstrap_interval_covers_the_mean_about_as_often_as_it_says():
    random = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        low, high = statistics.bootstrap_interval(random.normal(size=30))
        hits += low <= 0 <= high
    assert 0.88 <= hits / 200 <= 0.99


def test_bootstrap_agrees_with_scipy_and_repeats_itself():
    values = np.random.default_rng(1).exponential(size=25)
    low, high = statistics.bootstrap_interval(values)
    other = stats.bootstrap((values,), np.mean, method="percentile", random_state=0, n_resamples=100_000)
    # A 2.5 % quantile of 10,000 draws from a bell of width s has the standard error 0.027 s; four of them.
    tolerance = 4 * 0.027 * other.standard_error
    assert abs(low - other.confidence_interval.low) < tolerance
    assert abs(high - other.confidence_interval.high) < tolerance
    assert statistics.bootstrap_interval(values) == (low, high)


def test_paired_tests_see_what_unpaired_ones_would_miss():
    random = np.random.default_rng(0)
    rounds = 100 * random.normal(size=12)
    first, second = rounds + 1 + 0.1 * random.normal(size=12), rounds
    mean, low, high = statistics.paired_difference(first, second)
    assert low <= mean <= high
    assert low > 0
    assert statistics.wilcoxon(first, second) < 0.001
    assert stats.mannwhitneyu(first, second).pvalue > 0.5
    assert statistics.wilcoxon(first, first) == 1.0


def test_holm_is_the_textbook_example():
    assert np.allclose(statistics.holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: statistics.deviation(np.array([1.0, np.nan])), "holds NaN"),
        (lambda: statistics.wilcoxon(np.ones(1), np.zeros(1)), "at least 2"),
        (lambda: statistics.wilcoxon(np.ones(3), np.ones(4)), "cannot be paired"),
        (lambda: statistics.bootstrap_interval(np.array([])), "at least 1"),
    ],
)
def test_runs_that_cannot_be_compared_say_why(call, words):
    with pytest.raises(InputError, match=words):
        call()
