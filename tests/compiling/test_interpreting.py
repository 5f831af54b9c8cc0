"""Interpreted mode plays what is compiled, as plain Python: same arms, and a debugger sees every statement."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from numba import njit

import manybandits as mb
from manybandits.algorithms import catalogue
from manybandits.base.exceptions import InputError
from manybandits.compiling import lanes
from manybandits.compiling.interpreting import interpreted, interpreting
from manybandits.environments import synthetic
from manybandits.harness.command_line import main
from tests.algorithms.test_invariance import GAME, NAMES
from tests.harness.one_block import play, start

ROUNDS = 40


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_plays_the_same_arms_interpreted(name):
    known = {option.name for option in catalogue.load(name).OPTIONS}
    options = {"steps": 5} if "steps" in known else {}

    def arms() -> np.ndarray:
        return play(GAME, name, start(GAME, name, [options] * 2, [0, 1]), [0, 1], ROUNDS)

    compiled = arms()
    with interpreted():
        assert np.array_equal(arms(), compiled)


def log_of(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    features = {f"x{i}": rng.normal(size=rows) for i in range(3)}
    return pd.DataFrame({"arm": rng.integers(3, size=rows), "reward": rng.integers(2, size=rows), **features})


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("cmlb", mb.games.agents(agents=6, clusters=2, arms=5, dimension=4)),
        ("linucb_alone", mb.games.agents(agents=6, clusters=2, arms=5, dimension=4)),
        ("rmbandit", mb.games.instances(instances=4, dimension=6, sparsity=2)),
        ("linucb", mb.games.from_log(log_of(300), propensity="uniform")),
    ],
)
def test_every_kind_of_game_is_played_interpreted(name, game):
    how = {"horizon": ROUNDS, "seeds": "0-1"}
    compiled = mb.play(name, game=game, **how).table
    pd.testing.assert_frame_equal(mb.play(name, game=game, interpret=True, **how).table, compiled)
    assert not interpreting()


@pytest.mark.parametrize("length", range(1, 10))
def test_lanes_do_in_python_what_they_are_compiled_to(length):
    @njit
    def compiled(row, out):
        total = lanes.zeros()
        for first in range(0, len(row), lanes.LANES):
            part = lanes.load(row, first)
            total = lanes.add_scaled(lanes.add_product(total, part, lanes.twice(part)), 3.0, part)
            lanes.store(out, first, total)
        return lanes.sum_lanes(total)

    row = np.arange(1.0, length + 1)
    made, plain = np.zeros(length), np.zeros(length)
    assert compiled(row, made) == compiled.py_func(row, plain)
    assert np.array_equal(made, plain)


def test_a_trace_sees_the_statements_of_a_policy_and_of_its_parts():
    seen = set()

    def trace(frame, event, argument):
        seen.add(frame.f_code.co_filename.rpartition("/")[2])
        return trace

    with interpreted():
        state = start(GAME, "linucb_ind", [{}], [0])
        sys.settrace(trace)
        try:
            catalogue.load("linucb_ind").choose.py_func(*first_round(state))
        finally:
            sys.settrace(None)
    assert {"linucb_ind.py", "ridge.py"} <= seen


def first_round(state):
    from manybandits.compiling.replicas import row

    return row(state, 0), 1, 0, np.arange(5), np.eye(5, GAME.dimension)


@pytest.mark.parametrize("variable", ["MANYBANDITS_INTERPRET", "NUMBA_DISABLE_JIT"])
def test_a_variable_turns_it_on_for_a_process(variable):
    code = (
        "import manybandits as mb\n"
        "from manybandits.compiling.interpreting import interpreting\n"
        "runs = mb.play('linucb_ind', game=mb.games.synthetic(users=5), horizon=20, seeds='0')\n"
        "print(interpreting(), runs.table['regret'].iloc[-1])"
    )
    said = [
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout.split()
        for env in ({**os.environ, variable: "1"}, {**os.environ, variable: "0"})
    ]
    assert [one[0] for one in said] == ["True", "False"]
    assert said[0][1] == said[1][1]


def test_what_would_take_hours_is_refused_with_the_time(tmp_path):
    game = mb.games.synthetic(users=5)
    with pytest.raises(InputError, match=r"would take about [\d,]+ hours when it is interpreted: give fewer rounds"):
        mb.play("linucb_ind", game=game, interpret=True, horizon=10_000_000, seeds="0-99", alpha=[0.1, 1.0])
    path = tmp_path / "game.npz"
    synthetic.main(["--users", "5", "--out", str(path)])
    given = [
        "--environment",
        str(path),
        "--out",
        str(tmp_path / "run.parquet"),
        "--interpret",
        "--horizon",
        "100000000",
    ]
    with pytest.raises(InputError, match="hours when it is interpreted"):
        main("linucb_ind", given)


def test_a_gpu_is_not_interpreted():
    with pytest.raises(InputError, match="leave out --device cuda"):
        mb.play("linucb_ind", game=mb.games.synthetic(users=5), interpret=True, horizon=20, device="cuda")


def test_a_policy_of_ones_own_that_numba_compiles_itself_is_named(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(OWN, encoding="utf-8")
    game = mb.games.synthetic(users=5)
    with pytest.raises(InputError, match="numba compiles best itself, so that it cannot be interpreted: decorate it"):
        mb.play(str(mine), game=game, interpret=True, horizon=20, seeds="0")
    mine.write_text(OWN.replace("@njit", "@part"), encoding="utf-8")
    assert mb.play(str(mine), game=game, interpret=True, horizon=20, seeds="0").table["regret"].iloc[-1] >= 0


OWN = """
from typing import NamedTuple

import numpy as np
from numba import njit

from manybandits.compiling.parts import part

TITLE, REFERENCE, OPTIONS, MODEL_PER_USER = "Mine", "mine", (), False


class State(NamedTuple):
    mean: np.ndarray


def start(problem, options, random):
    return State(np.zeros(1))


@njit
def best(contexts):
    return int(np.argmax(contexts[:, 0]))


@part
def choose(state, t, user, items, contexts):
    return best(contexts)


@part
def learn(state, t, user, item, context, reward):
    state.mean[0] += (reward - state.mean[0]) / t
"""
