"""Every policy of the catalogue on games that are as small, as flat or as large as a game may be."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_arrays, load_facts, save_arrays
from manybandits.base.exceptions import InputError, Uncomputable
from manybandits.environments import agents, synthetic
from manybandits.environments.game_file import load_game
from manybandits.environments.layout import LARGEST
from manybandits.harness.replicas import play_replicas
from manybandits.results.runs import load_run
from tests.faults.conftest import LONG
from tests.faults.sentences import told
from tests.harness.one_block import play, start, synthetic_game

ORACLES = ("cluster_oracle", "mean_oracle")
NAMES = [name for name in catalogue.names() if name not in ORACLES]
COMPILED = [name for name in NAMES if hasattr(catalogue.load(name), "choose")]
AT_ONCE = [name for name in NAMES if hasattr(catalogue.load(name), "choose_all")]
DIVERGING = [name for name in COMPILED if hasattr(catalogue.load(name).State, "diverged")]
NEURAL = [name for name in NAMES if hasattr(catalogue.load(name), "Policy")]
HORIZON = 60
CROWD = 100_000
LIMIT = 8 * 2**20
"""KiB of address space of a play, far less than the 9 GiB that a graph of 100,000 users takes."""
NEEDS_MORE = (
    r"leaves none to play: lower the option q, or play more rounds of \d+ instances, \d+ arms and \d+ dimensions\."
)
"""The end of the sentence of a policy that plays every arm a number of times before it learns anything."""
ONCE_SEEN = {"table_mean"}
"""Arrays of states that hold NaN until something is seen."""


def with_features(change, **settings):
    """Return a synthetic game with other features of its items."""
    game = synthetic_game(**settings)
    return replace(game, arrays={**game.arrays, "item_table": change(game.arrays["item_table"])})


def with_rewards(change):
    """Return a synthetic game with other rewards."""
    game = synthetic_game()

    def draw(*given):
        rounds = game.draw_block(*given)
        return rounds._replace(rewards=change(rounds.rewards))

    return replace(game, draw_block=draw)


GAMES = {
    "one arm": lambda: synthetic_game(arms=1),
    "one user": lambda: synthetic_game(users=1, clusters=1),
    "equal arms": lambda: with_features(np.ones_like),
    "zero vectors": lambda: with_features(np.zeros_like),
    "one feature": lambda: synthetic_game(dimension=1),
    "tiny features": lambda: with_features(lambda table: table * 1e-200),
    "huge features": lambda: with_features(lambda table: table * LARGEST / 10),
    "no rewards": lambda: with_rewards(np.zeros_like),
    "huge rewards": lambda: with_rewards(lambda rewards: np.full_like(rewards, LARGEST)),
    "huge losses": lambda: with_rewards(lambda rewards: np.full_like(rewards, -LARGEST)),
}


def nan_in(state, name: str = "") -> list[str]:
    """Return the names of the arrays of a state that hold NaN."""
    if not isinstance(state, tuple):
        return [name] if state.dtype.kind == "f" and np.isnan(state).any() and name not in ONCE_SEEN else []
    return [found for field, part in zip(state._fields, state, strict=True) for found in nan_in(part, field)]


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_policy_chooses_arms_and_keeps_numbers(name):
    for case, make in GAMES.items():
        game = make()
        state = start(game, name, [{}, {}], [0, 1])
        try:
            arms = play(game, name, state, [0, 1], HORIZON)
        except Uncomputable:
            assert case == "huge features"  # of few arms, beside which lambda is lost in rounding
            continue
        assert ((arms >= 0) & (arms < game.arms)).all(), case
        assert nan_in(state) == [] or name in DIVERGING, case


def played(game, name: str, horizon: int):
    algorithm = catalogue.load(name)
    setting = {option.name: option.default for option in algorithm.OPTIONS}
    table = play_replicas(game, algorithm, [setting], [0], horizon=horizon, progress=False)
    assert table["round"].max() == horizon
    return table


def extreme(case: str, name: str):
    """Return one of `GAMES`, with features of its users for the policy that needs them."""
    game = GAMES[case]()
    if name != "neu_a_u":
        return game
    served = np.random.default_rng(5).normal(size=(game.users, 3))
    return replace(game, arrays={**game.arrays, "served_table": served}, groups=None)


@pytest.mark.parametrize("name", [*COMPILED, *NEURAL] if LONG else ["ucb", "club", "lnucb_ta", "neu_a_u"])
def test_a_policy_plays_a_single_round_or_says_that_it_needs_more(name):
    regret = []
    sentence = told(lambda: regret.extend(played(extreme("one user", name), name, 1)["regret"]))
    assert re.search(NEEDS_MORE, sentence) if sentence else min(regret) >= 0


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_policy_of_many_agents_plays_with_one_agent_and_a_single_round(name, tmp_path):
    for case in ({"agents": 1, "clusters": 1, "arms": 2}, {"agents": 3, "clusters": 3, "dimension": 3, "noise": 0.0}):
        agents.freeze(tmp_path / "game.npz", **{**agents.SETTINGS, **case})
        for horizon in (1, 30):
            assert np.isfinite(played(load_game(tmp_path / "game.npz"), name, horizon)["regret"]).all()


@pytest.mark.parametrize("name", [*NEURAL, *DIVERGING] if LONG else [*NEURAL[:3], *DIVERGING[:1]])
@pytest.mark.parametrize("case", GAMES if LONG else ["one arm", "zero vectors", "huge rewards"])
def test_a_neural_policy_plays_or_is_said_to_have_diverged(name, case):
    regret = played(extreme(case, name), name, 20)["regret"]
    assert (regret.isna() | np.isfinite(regret)).all()


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """A game of 100,000 users with features, and one of as many agents."""
    folder = tmp_path_factory.mktemp("crowd")
    synthetic.freeze(folder / "game.npz", users=CROWD, clusters=10, items=200, dimension=5)
    arrays, facts = load_arrays(folder / "game.npz"), load_facts(folder / "game.npz")
    arrays["served_table"] = np.random.default_rng(5).normal(size=(CROWD, 3))
    save_arrays(folder / "users.npz", arrays, facts)
    agents.freeze(folder / "agents.npz", **{**agents.SETTINGS, "agents": CROWD, "arms": 5})
    return folder


@pytest.mark.parametrize("name", NAMES if LONG else ["ucb", "club", "pmlb"])
def test_a_policy_of_100_000_users_plays_or_says_what_memory_it_takes(name, crowd, tmp_path):
    game, rounds = (crowd / "agents.npz", 2) if name in AT_ONCE else (crowd / "users.npz", 2 if name in NEURAL else 50)
    given = [
        "--environment",
        game,
        "--horizon",
        rounds,
        "--seeds",
        0,
        "--threads",
        1,
        "--out",
        tmp_path / "run.parquet",
    ]
    limited = ["bash", "-c", f'ulimit -v {LIMIT}; exec "$@"', "bash", sys.executable, "-m", "manybandits", "play", name]
    done = subprocess.run([*limited, *map(str, given)], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    if done.returncode:
        sentence = done.stderr.splitlines()[-1]
        assert re.fullmatch(rf"error: .*(GiB.*: play a smaller game.*|{NEEDS_MORE})", sentence), sentence
    else:
        assert load_run(tmp_path / "run.parquet").rounds[-1] == rounds


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200, -1e9])
def test_a_game_that_draws_a_reward_beyond_all_bounds_is_stopped_before_a_kernel_runs(value):
    game = with_rewards(lambda rewards: np.where(rewards == rewards.max(), value, rewards))
    with pytest.raises(InputError, match=r"among its rewards, which must be numbers from -1e\+08 to 1e\+08"):
        game.rounds(np.array([0]), 0)


@pytest.mark.parametrize(
    ("value", "words"), [(1e200, r"the game has 1e\+200 among its features"), (np.nan, "array 'item_table' holds NaN")]
)
def test_a_game_with_features_beyond_all_bounds_is_refused_when_it_is_loaded(value, words, tmp_path):
    path = tmp_path / "game.npz"
    synthetic.freeze(path, users=10, clusters=2, items=30, dimension=4)
    arrays, facts = load_arrays(path), load_facts(path)
    arrays["item_table"] = arrays["item_table"] * 1.0
    arrays["item_table"][0, 0] = value
    save_arrays(tmp_path / "other.npz", arrays, facts)
    with pytest.raises(InputError, match=rf"other\.npz: .*{words}"):
        load_game(tmp_path / "other.npz")
