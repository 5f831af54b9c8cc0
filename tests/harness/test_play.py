"""Playing: tuning, checkpoints, memory, and what is said when something is wrong."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import msgspec
import numpy as np
import pandas as pd
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import load_facts, load_table, save_arrays
from manybandits.base.exceptions import InputError
from manybandits.environments import synthetic
from manybandits.environments.game_file import load_game
from manybandits.harness.arguments import expand_grid, format_seeds
from manybandits.harness.command_line import main, parse_grid, parse_seeds
from manybandits.harness.play import play, play_game
from manybandits.harness.replicas import checkpoint_rounds, hides_progress, in_notebook, play_replicas
from manybandits.harness.spec import PlaySpec
from manybandits.results.run_table import COLUMNS, describe
from tests.harness.one_block import synthetic_game


@pytest.fixture(scope="module")
def frozen(tmp_path_factory):
    path = tmp_path_factory.mktemp("play") / "game.npz"
    synthetic.freeze(path, users=12, clusters=3, items=40, dimension=5)
    return path


def test_the_chosen_point_is_the_best_on_the_tuning_seeds_and_nothing_else(frozen, tmp_path):
    out = tmp_path / "run.parquet"
    grid = {"alpha": [0.01, 3.0], "lambda": [1.0]}
    spec = PlaySpec(algorithm="linucb_ind", grid=grid, seeds=(0, 1, 2, 3), tuning_seeds=(100, 101), horizon=1500)
    play(frozen, spec, out)
    table = load_table(out)
    assert tuple(table.columns) == COLUMNS
    tuning = table[table["stage"] == "tuning"]
    final = tuning[tuning["round"] == 1500].groupby("options")["regret"].mean()
    reported = table[table["stage"] == "evaluation"]
    assert reported["options"].unique().tolist() == [final.idxmin()]
    assert sorted(tuning["seed"].unique()) == [100, 101]
    assert sorted(reported["seed"].unique()) == [0, 1, 2, 3]
    assert reported["chosen"].all()
    assert load_facts(out)["chosen"] == final.idxmin()


def test_best_of_grid_chooses_on_the_reported_seeds(frozen, tmp_path):
    out = tmp_path / "run.parquet"
    grid = {"alpha": [0.01, 3.0]}
    spec = PlaySpec(algorithm="linucb_ind", grid=grid, seeds=(0, 1, 2), tuning="best-of-grid", horizon=500)
    play(frozen, spec, out)
    table = load_table(out)
    assert set(table["stage"]) == {"evaluation"}
    final = table[table["round"] == 500].groupby("options")["regret"].mean()
    assert table[table["chosen"]]["options"].unique().tolist() == [final.idxmin()]


def test_halving_gives_up_half_of_the_points_three_times_and_plays_the_rounds_of_all(frozen, tmp_path):
    grid = {"alpha": [0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]}
    spec = PlaySpec(algorithm="linucb_ind", grid=grid, seeds=(0,), tuning_seeds=(100, 101), horizon=1600)
    game, linucb = load_game(frozen), catalogue.load("linucb_ind")
    halving = msgspec.structs.replace(spec, tuning="halving")
    whole, halved = (play_game(game, linucb, one, "a test", sources="") for one in (spec, halving))
    rows, all_rows = (played.table.query("stage == 'tuning'") for played in (halved, whole))
    ended = rows.groupby("options")["round"].max()
    assert ended.value_counts().to_dict() == {200: 4, 400: 2, 800: 1, 1600: 1}
    found = rows.merge(all_rows, on=["options", "seed", "round"], suffixes=("", "_whole"))
    assert (found["regret"] == found["regret_whole"]).all()
    assert halved.facts["chosen"] == ended.idxmax()
    first = all_rows[all_rows["round"] == 200].groupby("options")["regret"].mean().sort_values()
    assert set(ended[ended == 200].index) == set(first.index[4:])


def test_a_batch_split_for_memory_gives_the_same_table(frozen):
    game = synthetic_game()
    algorithm = catalogue.load("club")
    settings = [contract.complete(algorithm, {"alpha": a}, "test") for a in (0.1, 1.0, 0.1, 0.5)]
    whole = play_replicas(game, algorithm, settings, [0, 1, 2, 0], horizon=1200)
    split = play_replicas(game, algorithm, settings, [0, 1, 2, 0], horizon=1200, memory=1, threads=2)
    assert whole.equals(split)


def test_the_curve_does_not_depend_on_the_horizon():
    game = synthetic_game()
    algorithm = catalogue.load("linucb_ind")
    setting = contract.complete(algorithm, {}, "test")
    short = play_replicas(game, algorithm, [setting], [0], horizon=1000).set_index("round")["regret"]
    long = play_replicas(game, algorithm, [setting], [0], horizon=2000).set_index("round")["regret"]
    common = short.index.intersection(long.index)
    assert len(common) > 50
    assert np.allclose(short[common], long[common])


@pytest.mark.parametrize("horizon", [1, 7, 200, 201, 10_000])
def test_checkpoints_are_increasing_and_end_at_the_horizon(horizon):
    rounds = checkpoint_rounds(horizon)
    assert rounds[-1] == horizon
    assert len(rounds) == min(200, horizon)
    assert (np.diff(rounds) > 0).all()


def test_random_pays_one_in_ten():
    game = synthetic_game(noise=0.0)
    algorithm = catalogue.load("random")
    table = play_replicas(game, algorithm, [{}] * 3, [0, 1, 2], horizon=2000)
    rounds = [game.rounds(np.array([seed]), block).expected for seed in range(3) for block in range(2)]
    mean_gap = np.mean([(r.max(axis=2) - r.mean(axis=2)).mean() for r in rounds])
    assert abs(table[table["round"] == 2000]["regret"].mean() / 2000 - mean_gap) < 0.03


def test_options_and_grids_read_as_they_are_written():
    assert describe({"lambda": 1.0, "alpha": 0.1, "graph": "complete"}) == "alpha=0.1 graph=complete lambda=1"
    assert parse_seeds("0-2,7") == [0, 1, 2, 7]
    assert format_seeds([0, 1, 2, 7]) == "0-2,7"
    assert parse_grid(["alpha=0.1,1", "graph=complete"]) == {"alpha": ["0.1", "1"], "graph": ["complete"]}
    assert len(expand_grid(catalogue.load("club"), {"alpha": ["0.1", 1], "lambda": [1, 2, 3]}, "test")) == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seeds", "a-b"], "--seeds 'a-b' is not a list of seeds"),
        (["--set", "alpha"], "--set 'alpha' is not an option"),
        (["--set", "alfa=1"], "did you mean 'alpha'?"),
        (["--set", "alpha=wide"], "alpha is 'wide', which is not a number"),
        (["--seeds", "0-9", "--tuning-seeds", "9-12"], "seeds [9] are both tuning seeds and evaluation seeds"),
        (["--tuning", "best"], "unknown tuning rule 'best'"),
        (["--horizon", "0"], "give at least one seed and one round"),
        (["--horizon", "5", "--tuning-rounds", "6"], "tuning on the first 6 rounds of 5: give from 1 to 5"),
        (["--spec", "{"], "--spec is not JSON"),
        (["--spec", '{"algorithm": "club", "horizn": 5}'], "--spec: unknown key 'horizn'; did you mean 'horizon'?"),
        (["--spec", '{"algorithm": "club", "seeds": []}'], "--spec: 0 seeds over 10000 rounds"),
        (["--spec", '{"algorithm": "random"}'], "--spec is a play of random, but this is the script of club"),
        (["--spec", '{"algorithm": "club", "game": "another"}'], "game.npz holds the game 'game', but 'another'"),
        (["--spec", '{"algorithm": "club"}', "--seeds", "0"], "leave out seeds, or --spec"),
    ],
)
def test_bad_arguments_stop_with_the_value_and_the_cure(frozen, tmp_path, arguments, words):
    with pytest.raises(InputError) as error:
        main("club", ["--environment", str(frozen), "--out", str(tmp_path / "x.parquet"), *arguments])
    assert words in str(error.value)
    assert not (tmp_path / "x.parquet").exists()


def test_a_play_is_the_same_from_arguments_and_from_one_json_text_and_its_run_table_stores_it(frozen, tmp_path):
    spec = PlaySpec(
        algorithm="club", title="CLUB", grid={"alpha": [0.1, 1], "graph": ["complete"]}, seeds=(0, 1), horizon=50
    )
    typed, carried = (tmp_path / f"{name}.parquet" for name in ("typed", "carried"))
    words = "--seeds 0-1 --set alpha=0.1,1 graph=complete --horizon 50".split()
    main("club", ["--environment", str(frozen), "--out", str(typed), *words])
    main("club", ["--environment", str(frozen), "--out", str(carried), "--spec", spec.to_json()])
    pd.testing.assert_frame_equal(load_table(typed), load_table(carried))
    stored = load_facts(carried)["settings"]
    given = {name: stored[name] for name in msgspec.to_builtins(spec)}
    assert msgspec.convert(given, PlaySpec) == msgspec.structs.replace(spec, game="game")


def test_a_file_that_is_no_game_is_named(tmp_path):
    path = tmp_path / "x.npz"
    save_arrays(path, {"a": np.ones(2)})
    with pytest.raises(InputError, match=r"x\.npz is neither a run table nor a game: give a file that"):
        main("club", ["--environment", str(path), "--out", str(tmp_path / "y.parquet")])


def test_block_contexts_are_written_out_for_linear_algorithms():
    from manybandits.environments import classification
    from manybandits.environments.kinds.users import Rounds, UserGame
    from tests.algorithms.test_neural import BLOCKS

    def written_out(arrays, arms, count, random):
        rounds = classification.draw_block(BLOCKS.arrays, arms, count, random)
        return Rounds(rounds.users, rounds.items * arms + np.arange(arms), *rounds[2:])

    table, arms = BLOCKS.arrays["item_table"], BLOCKS.arms
    dense = np.zeros((len(table), arms, arms, table.shape[1]))
    for k in range(arms):
        dense[:, k, k] = table
    arrays = {"item_table": dense.reshape(len(table) * arms, -1), "user_table": np.zeros((1, 0))}
    long = UserGame(BLOCKS.name, {"kind": "classification"}, arrays, BLOCKS.users, arms, written_out)
    algorithm = catalogue.load("linucb_ind")
    given = [contract.complete(algorithm, {}, "test")] * 3
    blocks, explicit = (play_replicas(game, algorithm, given, [0, 1, 2], horizon=300) for game in (BLOCKS, long))
    pd.testing.assert_frame_equal(blocks.drop(columns="untried"), explicit.drop(columns="untried"))
    assert blocks["regret"].max() < 300 * (1 - 1 / arms) * 0.8


def test_long_block_contexts_are_played_and_other_long_contexts_are_refused():
    from dataclasses import replace

    from manybandits.environments import classification
    from manybandits.environments.kinds.users import UserGame

    labels = np.arange(40) % 2
    arrays = classification.unpack(classification.build([(np.ones((40, 300)), labels)], "class", "instances"))
    game = UserGame("long", {"name": "long", "blocks": 2}, arrays, 2, 2, classification.draw_block)
    algorithm = catalogue.load("linucb_ind")
    given = algorithm, [contract.complete(algorithm, {}, "test")], [0]
    assert play_replicas(game, *given, horizon=10)["regret"].max() <= 10
    wide = replace(game, facts={"name": "wide"}, arrays={**arrays, "item_table": np.ones((40, 1100))})
    with pytest.raises(InputError, match="contexts of 1100 numbers need a matrix of 1100 x 1100"):
        play_replicas(wide, *given, horizon=10)


def test_progress_is_shown_in_a_notebook_unless_it_is_disabled(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    assert (in_notebook(), hides_progress(True), hides_progress(False)) == (False, None, True)
    shell = type("ZMQInteractiveShell", (), {})
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=shell))
    assert (in_notebook(), hides_progress(True), hides_progress(False)) == (True, False, True)
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert hides_progress(True) is True
