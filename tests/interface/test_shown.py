"""What a user sees of games, runs and committed results: short, tidy, and without what is imported."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import manybandits as mb


@pytest.fixture(scope="module")
def runs() -> mb.Runs:
    game = mb.games.synthetic(users=4, clusters=2, items=30, dimension=3, arms=3)
    return mb.play("linucb_one", game=game, horizon=200, seeds=[3, 5, 8], alpha=[0.1, 1], tuning_seeds=[100])


@pytest.mark.parametrize(
    "game",
    [
        lambda: mb.games.synthetic(users=4, clusters=2, items=30, dimension=3, arms=3),
        lambda: mb.games.agents(agents=4, clusters=2, dimension=3, arms=3),
        lambda: mb.games.instances(instances=3, dimension=5),
    ],
)
def test_a_game_is_shown_in_a_line(game):
    made = game()
    assert len(repr(made)) < 120
    assert made.facts["name"] in repr(made)
    assert "array(" not in repr(made)
    assert made._repr_html_().startswith("<table>")


def test_a_frame_has_a_row_per_seed_and_checkpoint(runs):
    frame = runs.frame
    assert list(frame.columns[:5]) == ["algorithm", "game", "seed", "round", "regret"]
    assert not frame.duplicated(["seed", "round"]).any()
    last = frame[frame["round"] == 200]
    pd.testing.assert_series_equal(last["regret"].reset_index(drop=True), runs.final["regret"])
    assert "<table" in runs._repr_html_()


def test_runs_have_a_length_are_iterated_and_sliced_by_seed(runs):
    assert len(runs) == 3
    assert [one.final["seed"].tolist() for one in runs] == [[3], [5], [8]]
    part = runs[1:]
    assert part.final["seed"].tolist() == part.settings["seeds"] == [5, 8]
    assert part.chosen == runs.chosen
    assert np.array_equal(part.frame["regret"], runs.frame.query("seed > 3")["regret"])
    with pytest.raises(IndexError):
        runs[3]
    with pytest.raises(IndexError, match="leaves none of 3 seeds"):
        runs[3:]


def test_completion_offers_what_is_public_alone():
    assert {"np", "pd", "tempfile", "Path"}.isdisjoint({*dir(mb), *dir(mb.games), *dir(mb.adapters)})
    assert {"play", "evaluate", "games", "read_results"} <= set(dir(mb))
    for module in (mb, mb.games, mb.adapters):
        for name in dir(module):
            assert getattr(module, name) is not None


def test_the_runs_of_a_committed_figure_are_returned(root, monkeypatch):
    monkeypatch.chdir(root)
    found = mb.read_results("m_cnb_fig2")
    titles = {one.title for one in found}
    assert {"M-CNB", "CLUB"} <= titles
    assert all(len(one) >= 2 and one.curve["mean"].notna().all() for one in found)
    with pytest.raises(mb.InputError, match=r"no runs of a figure 'm_cnb_fig22'.*m_cnb_fig2"):
        mb.read_results("m_cnb_fig22")
