"""The league: which block is compared, its ranks, and Friedman's and Nemenyi's numbers beside other people's."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats

from manybandits.core.errors import InputError
from manybandits.figures import league as figure
from manybandits.tables import league as table
from tests.report.planted import FILES, GAMES, plant_run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("league")
    return [plant_run(folder, game, title) for game in GAMES for title in FILES]


def test_the_block_with_the_most_cells_is_compared():
    played = pd.DataFrame(np.arange(20.0).reshape(5, 4), columns=list("abcd"))
    played.loc[0, "d"] = np.nan  # a, b and c on five games: 15 cells; all four on four: 16
    assert table.largest_block(played).regret.shape == (4, 4)
    played.loc[1, "d"] = np.nan  # 15 against 12
    block = table.largest_block(played)
    assert (list(block.regret.columns), len(block.regret)) == (["a", "b", "c"], 5)


def test_a_block_of_two_algorithms_is_taken_only_where_no_game_has_three():
    played = pd.DataFrame(np.arange(24.0).reshape(8, 3), columns=list("abc"))
    played.loc[1:, "c"] = np.nan  # two on eight games, three on one
    assert table.largest_block(played).regret.shape == (1, 3)
    assert table.largest_block(played.loc[1:]).regret.shape == (7, 2)


def test_friedman_and_nemenyi_agree_with_what_others_compute():
    regret = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 5)) + np.arange(5), columns=list("abcde"))
    block = table.Block(regret)
    assert block.friedman_p == pytest.approx(stats.friedmanchisquare(*regret.to_numpy().T).pvalue)
    ranks = block.ranks.mean().to_numpy()
    p = scikit_posthocs.posthoc_nemenyi_friedman(regret).to_numpy()
    for i, j in zip(*np.triu_indices(5, 1), strict=True):
        assert (abs(ranks[i] - ranks[j]) > block.critical_difference) == (p[i, j] < 0.05)


def test_ranks_of_a_game_are_by_mean_regret_and_who_lost_runs_comes_last(runs, tmp_path):
    rows = table.summarise(table.load(runs))
    first = rows[rows["environment"] == "game-one"]
    assert first["rank"].tolist() == [1, 2, 3, 4]
    assert first["regret"].is_monotonic_increasing
    assert first["algorithm"].iloc[-1] == "Random"
    assert rows["in_block"].all()
    games = rows.pivot(index="environment", columns="algorithm", values="regret").rank(axis=1).mean()
    assert rows.drop_duplicates("algorithm").set_index("algorithm")["average_rank"].to_dict() == games.to_dict()


def test_variants_oracles_and_released_code_do_not_enter(tmp_path):
    run = table.load([plant_run(tmp_path, "one", "CLUB")])[0]
    assert table.enters(run)
    run.settings["title"] = "CLUB, alpha 3"
    assert not table.enters(run)
    run.settings["title"] = "Oracle"
    assert not table.enters(run)
    run.settings.update({"title": "CLUB", "variant": "released"})
    assert not table.enters(run)
    run.settings["variant"] = "paper"
    run.settings["environment"]["protocol"] = "released"
    assert not table.enters(run)


def test_a_block_of_three_games_is_ranked_and_not_tested(tmp_path):
    paths = [plant_run(tmp_path, game, title) for game in GAMES[:3] for title in FILES]
    rows = table.summarise(table.load(paths))
    assert rows["average_rank"].notna().all()
    assert rows["critical_difference"].isna().all()
    assert (rows["friedman_p"] == "").all()
    assert "too few to test" in table.markdown(rows, "T")


def test_the_diagram_and_the_table_say_the_same_twice(runs, tmp_path):
    for place in ("one", "two"):
        for module, kind in ((table, "tables"), (figure, "figures")):
            arguments = ["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / place / kind / "league")]
            module.main(arguments)
    for name in ("figures/league.png", "figures/league.svg", "figures/league.csv", "tables/league.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    drawn = pd.read_csv(tmp_path / "one/figures/league.csv").set_index("algorithm")["average_rank"]
    told = pd.read_csv(tmp_path / "one/tables/league.csv").drop_duplicates("algorithm").set_index("algorithm")
    assert drawn.to_dict() == told["average_rank"].to_dict()
    assert 0 < told["friedman_p"].iloc[0] < 0.05
    assert "critical difference" in json.loads((tmp_path / "one/tables/league.csv.json").read_text())["facts"]["note"]


def test_runs_of_which_none_enters_say_so(tmp_path):
    path = plant_run(tmp_path, "one", "CLUB, <i>wide</i>")
    with pytest.raises(InputError, match="no run enters the league"):
        figure.main(["--title", "T", "--runs", str(path), "--out", str(tmp_path / "f")])
