"""The league: its ranks, and Friedman's and Nemenyi's numbers beside other people's."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats

from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError
from manybandits.figures import league as figure
from manybandits.results import ranks as ranks_of
from manybandits.tables import league as table
from tests.planted.site import FILES, GAMES, LEVELS, plant_play


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("league")
    return [plant_play(folder, game, title, paper="league-users") for game in GAMES for title in FILES]


def test_friedman_and_nemenyi_agree_with_what_others_compute():
    regret = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 5)) + np.arange(5), columns=list("abcde"))
    friedman_p, difference = ranks_of.tests_of(regret.rank(axis=1))
    assert friedman_p == pytest.approx(stats.friedmanchisquare(*regret.to_numpy().T).pvalue)
    ranks = regret.rank(axis=1).mean().to_numpy()
    p = scikit_posthocs.posthoc_nemenyi_friedman(regret).to_numpy()
    for i, j in zip(*np.triu_indices(5, 1), strict=True):
        assert (abs(ranks[i] - ranks[j]) > difference) == (p[i, j] < 0.05)


def test_ranks_of_a_game_are_by_mean_regret_and_who_lost_runs_comes_last(runs, tmp_path):
    rows = table.summarise(table.load(runs))
    first = rows[rows["environment"] == "game-one"]
    assert first["rank"].tolist() == [1, 2, 3, 4]
    assert first["regret"].is_monotonic_increasing
    assert first["algorithm"].iloc[-1] == "Random"
    assert set(rows["arena"]) == {"users"}
    games = rows.pivot(index="environment", columns="algorithm", values="regret").rank(axis=1).mean()
    assert rows.drop_duplicates("algorithm").set_index("algorithm")["average_rank"].to_dict() == games.to_dict()


def test_an_algorithm_that_lost_runs_comes_last_in_that_game(runs, tmp_path):
    loaded = table.load(runs)
    loaded[0].regret[0, -1] = np.nan
    rows = table.summarise(loaded)
    lost = rows[(rows["algorithm"] == loaded[0].title) & (rows["environment"] == loaded[0].environment["name"])]
    assert (lost["rank"].item(), lost["lost"].item()) == (4, 1)
    assert np.isnan(lost["regret"].item())


def test_a_game_that_an_algorithm_of_its_arena_did_not_play_is_named(runs):
    with pytest.raises(InputError, match="Random did not play game-four, a game of the arena 'users'"):
        table.summarise(table.load([path for path in runs if path.parts[-2:] != runs[-1].parts[-2:]]))


@pytest.mark.parametrize(("level", "told"), [(0.4, False), (0.9, True), (1.5, True)])
def test_an_algorithm_is_at_chance_on_a_game_if_it_is_no_better_than_random_there(tmp_path, monkeypatch, level, told):
    monkeypatch.setitem(LEVELS, "CLUB", level)
    plays = [plant_play(tmp_path, GAMES[0], title) for title in ("Random", "CLUB")]
    rows = table.summarise(table.load(plays)).set_index("algorithm")["at_chance"]
    assert rows.to_dict() == {"Random": False, "CLUB": told}
    assert not table.summarise(table.load(plays[1:]))["at_chance"].any()  # without Random nothing is said of chance


def test_arenas_are_ranked_apart(runs, tmp_path):
    other = [plant_play(tmp_path, game, "CLUB", paper="league-log") for game in GAMES]
    rows = table.summarise(table.load([*runs, *other]))
    assert rows[rows["arena"] == "log"]["average_rank"].tolist() == [1.0] * len(GAMES)
    alone = table.summarise(table.load(runs))
    assert rows[rows["arena"] == "users"].reset_index(drop=True).equals(alone)


def test_an_arena_of_three_games_is_ranked_and_not_tested(tmp_path):
    paths = [plant_play(tmp_path, game, title) for game in GAMES[:3] for title in FILES]
    rows = table.summarise(table.load(paths))
    assert rows["average_rank"].notna().all()
    assert rows["critical_difference"].isna().all()
    assert (rows["friedman_p"] == "").all()
    assert "too few to test" in table.TABLE.markdown(rows, "T")


def test_the_diagram_and_the_table_say_the_same_twice(runs, tmp_path):
    for place in ("one", "two"):
        for module, kind in ((table, "tables"), (figure, "figures")):
            arguments = ["--title", "T", "--runs", *map(str, runs), "--out", str(tmp_path / place / kind / "league")]
            module.main(arguments)
    drawings = [f"figures/{stem}{ending}" for stem in ("league", "league_ranks") for ending in (".svg", ".csv")]
    for name in (*drawings, "tables/league.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    told = pd.read_csv(tmp_path / "one/tables/league.csv").drop_duplicates("algorithm").set_index("algorithm")
    for name in ("league", "league_ranks"):
        drawn = pd.read_csv(tmp_path / f"one/figures/{name}.csv").set_index("algorithm")["average_rank"]
        assert drawn.to_dict() == told["average_rank"].to_dict()
    seen = load_provenance(tmp_path / "one/figures/league_ranks.csv")["facts"]["seen"]
    assert seen == f"{told['average_rank'].idxmin()} has the best average rank"
    assert 0 < told["friedman_p"].iloc[0] < 0.05
    assert "critical difference" in json.loads((tmp_path / "one/tables/league.csv.json").read_text())["facts"]["note"]


def test_an_interval_over_so_few_games_says_nothing(runs):
    league = table.summarise(table.load(runs))
    near = figure.nearness(league)
    assert near["games"].max() < figure.FEWEST
    assert near[["low", "high"]].isna().all(axis=None)
    assert "geometric mean" not in figure.caption_of(league)
    more = league.assign(environment=league["environment"] + "-2")
    assert "the geometric mean over the games" in figure.caption_of(pd.concat([league, more]))


def test_the_forest_is_relative_to_the_best_of_each_game_with_its_interval_over_games(runs, monkeypatch):
    monkeypatch.setattr(figure, "FEWEST", 2)
    near = figure.nearness(table.summarise(table.load(runs))).set_index("algorithm")
    rows = table.summarise(table.load(runs)).pivot(index="environment", columns="algorithm", values="regret")
    ratios = rows.div(rows.min(axis=1), axis=0)
    for title in FILES:
        assert near.loc[title, "relative"] == pytest.approx(np.exp(np.log(ratios[title]).mean()))
        assert near.loc[title, "low"] <= near.loc[title, "relative"] <= near.loc[title, "high"]
    league = table.summarise(table.load(runs))
    assert figure.message(league) == "No proposed method wins an arena"
    assert figure.best_of(league) == "The best by relative regret: CLUB in users."
    # As if one of them had the regret of CLUB.
    ours = league.replace({"algorithm": {"CLUB": "M-CNB"}})
    assert figure.message(ours) == "A proposed method wins: M-CNB in users"
    both = pd.concat([ours, league.assign(arena="items")])
    assert figure.message(both) == "A proposed method wins 1 of 2 arenas: M-CNB in users"
    assert figure.best_of(both) == "The best by relative regret: M-CNB in users and CLUB in items."
    # As if one of them had that of another.
    theirs = league.replace({"algorithm": {"SCLUB": "M-CNB"}})
    place = f"{figure.ordinal(list(near.index).index('SCLUB') + 1)} of {len(FILES)}"
    assert figure.best_of(theirs) == f"The best by relative regret: CLUB in users (M-CNB {place})."
    assert figure.message(league, ["SCLUB"]) == f"SCLUB is {place} in users"


def test_two_games_of_the_same_data_do_not_look_like_one(tmp_path):
    from manybandits.base.artifacts import load_facts, load_table, save_table
    from tests.planted.runs import restamp

    paths = [plant_play(tmp_path, game, title, paper="league-users") for game in GAMES for title in FILES]
    for path in paths:
        facts = load_facts(path)
        facts["settings"]["environment"]["data_note"] = "MovieLens 1M"
        save_table(path, load_table(path), facts)
        restamp(path)
    rows = table.summarise(table.load(paths))
    assert rows["data"].nunique() == len(GAMES)
    assert "MovieLens 1M (game-one)" in set(rows["data"])
