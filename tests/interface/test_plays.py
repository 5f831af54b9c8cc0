"""Playing, comparing and drawing from Python: the same as on the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import same_color

import manybandits as mb
from manybandits.base.artifacts import load_table
from manybandits.environments.catalogue import freeze_without_data
from manybandits.figures.palette import RED, look
from manybandits.harness.command_line import main
from manybandits.results.run_table import COLUMNS, kept
from manybandits.results.runs import load_runs
from manybandits.tables.regret import summarise

SMALL = {"users": 12, "clusters": 3, "items": 40, "dimension": 5}


@pytest.fixture(scope="module")
def game():
    return mb.games.synthetic(**SMALL)


@pytest.fixture(scope="module")
def runs(game):
    how = {"game": game, "horizon": 300, "seeds": range(6)}
    return mb.play("linucb_ind", alpha=[0.01, 1], **how), mb.play("random", **how)


def test_a_play_is_that_of_the_command_line(runs, tmp_path):
    path = freeze_without_data("synthetic", SMALL, tmp_path)
    words = "--seeds 0-5 --set alpha=0.01,1 --horizon 300".split()
    main("linucb_ind", ["--environment", str(path), "--out", str(tmp_path / "x.parquet"), *words])
    pd.testing.assert_frame_equal(kept(runs[0].table).reset_index(drop=True), load_table(tmp_path / "x.parquet"))
    assert tuple(runs[0].table) == COLUMNS
    assert mb.read_runs(tmp_path / "x.parquet").facts == runs[0].facts


def test_seeds_may_be_a_text_as_on_the_command_line(runs, game):
    again = mb.play("random", game=game, horizon=300, seeds="0-5", tuning_seeds="100-102")
    pd.testing.assert_frame_equal(runs[1].table, again.table)


def test_runs_hold_frames_with_a_row_per_seed_and_per_checkpoint(runs):
    tuned = runs[0]
    assert tuned.final["seed"].tolist() == list(range(6))
    assert (tuned.final["round"] == 300).all()
    last = tuned.table[(tuned.table["stage"] == "evaluation") & (tuned.table["round"] == 300)]
    assert np.allclose(tuned.final["regret"], last["regret"], rtol=1e-6)
    assert np.isclose(tuned.curve["mean"].iloc[-1], tuned.final["regret"].mean())
    assert "alpha" in tuned.chosen
    assert "LinUCB-IND on synthetic" in repr(tuned)


def test_a_comparison_is_that_of_the_saved_run_tables(runs, tmp_path):
    paths = [tmp_path / f"{one.title}.parquet" for one in runs]
    for one, path in zip(runs, paths, strict=True):
        one.save(path)
    compared = mb.compare(*runs)
    pd.testing.assert_frame_equal(compared.table, summarise(load_runs(paths)))
    pd.testing.assert_frame_equal(compared.table, mb.compare(*map(mb.read_runs, paths)).table)
    assert compared.table["mark"].iloc[0] == "best"
    assert "LinUCB-IND" in repr(compared)
    assert "Wilcoxon" in compared._repr_html_()


def test_a_figure_has_a_line_per_algorithm_and_changes_no_setting_of_matplotlib(runs):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    figure = mb.plot(*runs)
    assert dict(mpl.rcParams) == before
    assert figure._repr_png_().startswith(b"\x89PNG")
    curves, forest = figure.axes
    assert sorted(line.get_label() for line in curves.get_lines()) == ["LinUCB-IND", "Random"]
    assert sorted(text.get_text() for text in forest.get_yticklabels()) == ["LinUCB-IND", "Random"]
    assert "LinUCB-IND and Random" in figure.get_suptitle()
    numbers = []
    for size in (9, 30):  # of the caller, when the figure is drawn
        with mpl.rc_context({"font.size": size}):
            assert figure._repr_png_()
            numbers.append(len(curves.get_yticks()))
    assert numbers[0] == numbers[1] > 2


def test_lambda_is_given_with_a_trailing_underscore(game):
    runs = mb.play("linucb_ind", game=game, horizon=20, seeds=[0], lambda_=np.float64(2.0))
    assert "lambda=2" in runs.chosen


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"algorithm": "clubb"}, "unknown algorithm 'clubb': did you mean 'club'?"),
        ({"alfa": 1}, "did you mean 'alpha'?"),
        ({"alpha": []}, "the list of values of 'alpha' is empty"),
        ({"alpha": "wide"}, "alpha is 'wide', which is not a number"),
        ({"seeds": [100]}, "seeds [100] are both tuning seeds and evaluation seeds"),
        ({"seeds": "0-x"}, "seeds '0-x' is not a list of seeds"),
        ({"seeds": 7}, "seeds is 7: give whole numbers"),
        ({"seeds": [0.5, 1.5]}, "seeds is [0.5, 1.5]: give whole numbers"),
        ({"seeds": [True]}, "seeds is [True]: give whole numbers"),
        ({"horizon": "many"}, "horizon is 'many': give a whole number of rounds"),
        ({"tuning_rounds": 2.5}, "tuning_rounds is 2.5: give a whole number"),
        ({"horizon": 0}, "give at least one seed and one round"),
        ({"game": "nowhere.npz"}, "nowhere.npz does not exist"),
    ],
)
def test_a_wrong_argument_is_named(game, given, words):
    with pytest.raises(mb.InputError) as error:
        mb.play(**{"algorithm": "linucb_ind", "game": game, "horizon": 10, "alpha": [0.1, 1], **given})
    assert words in str(error.value)


def test_runs_that_cannot_be_told_apart_are_not_compared(runs, game):
    with pytest.raises(mb.InputError, match=r"two of the runs on .* are called 'Random'"):
        mb.compare(runs[1], runs[1])
    with pytest.raises(mb.InputError, match="there are no runs"):
        mb.plot()
    with pytest.raises(mb.InputError, match="unknown measure 'regrets'"):
        mb.plot(*runs, measure="regrets")
    with pytest.raises(mb.InputError, match="is not the result of `play`"):
        mb.compare("club")
    shorter = mb.play("club", game=game, horizon=20, seeds=range(2))
    with pytest.raises(mb.InputError, match=r"Random played \S+ rounds of synthetic\S+ and CLUB 20: regret grows with"):
        mb.compare(runs[1], shorter)


def test_a_file_that_is_no_run_table_is_named(tmp_path):
    freeze_without_data("synthetic", SMALL, tmp_path)
    with pytest.raises(mb.InputError, match=r"synthetic\.npz is not a run table"):
        mb.read_runs(tmp_path / "synthetic.npz")


class Greedy:
    """A policy of one's own: ridge regression without exploration."""

    def __init__(self, dimension: int) -> None:
        self.gram, self.seen = np.eye(dimension), np.zeros(dimension)

    def choose(self, user, contexts):
        return int(np.argmax(contexts @ np.linalg.solve(self.gram, self.seen)))

    def learn(self, user, context, reward):
        self.gram += np.outer(context, context)
        self.seen += reward * context


class Blind:
    """A policy that learns nothing."""

    def choose(self, user, contexts):
        return int(np.random.default_rng(int(1e6 * abs(contexts[0, 0]))).integers(len(contexts)))

    def learn(self, user, context, reward):
        pass


@pytest.fixture(scope="module")
def compared():
    """A game of one cluster, and its runs by a paper's method, Random, and two policies of one's own."""
    game = mb.games.synthetic(users=4, clusters=1, items=50, dimension=4, arms=4)
    how = {"game": game, "horizon": 300, "seeds": range(8)}
    return [mb.play(one, **how) for one in ("lnucb_ta", "random", Greedy, Blind)]


def test_the_own_policy_is_red_first_and_the_reference_of_ratios(compared):
    figure = mb.plot(*compared)
    red = {line.get_label() for line in figure.axes[0].get_lines() if same_color(line.get_color(), RED)}
    assert red == {"Greedy"}
    assert figure.axes[1].get_yticklabels()[0].get_text() == "Greedy"
    assert "relative to Greedy" in figure.axes[1].get_xlabel()
    assert look("LNUCB-TA", []).color == RED  # as before, outside the figure


def test_another_hero_is_named(compared):
    figure = mb.plot(*compared, hero="LNUCB-TA")
    red = {line.get_label() for line in figure.axes[0].get_lines() if same_color(line.get_color(), RED)}
    assert red == {"LNUCB-TA"}
    with pytest.raises(mb.InputError, match="LNUCB"):
        mb.plot(*compared, hero="LNUCB")


def test_a_method_of_which_runs_were_lost_is_not_called_chance():
    random = np.random.default_rng(0)
    log = pd.DataFrame({"arm": random.integers(3, size=900), "reward": random.integers(2, size=900)})
    game = mb.games.from_log(log.assign(x=random.random(900)), propensity="uniform")
    found = mb.compare(*(mb.play(name, game=game, horizon=290, seeds=range(6)) for name in ("random", "linucb")))
    assert found.table["lost"].between(1, 5).any()
    assert "chance" not in set(found.table["mark"])


def test_a_method_at_chance_is_labelled_and_not_crowned(compared):
    by_name = {one.title: one for one in compared}
    found = mb.compare(*compared)
    marks = dict(zip(found.table["algorithm"], found.table["mark"], strict=True))
    assert marks["Blind"] == "chance"
    assert marks["Greedy"] != "chance"
    assert "chance: not better than Random" in found.note
    alone = mb.compare(by_name["Blind"], by_name["Random"])
    assert set(alone.table["mark"]) == {"chance"}
    assert "chance" not in set(mb.compare(by_name["Greedy"], by_name["LNUCB-TA"]).table["mark"])
