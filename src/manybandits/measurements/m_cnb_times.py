"""Run times of M-CNB and of NeuUCB-ONE: the ratios that the paper states of its Figure 5.

    python -m manybandits.measurements.m_cnb_times --games GAME.npz ... [--rounds 2000] [--repeats 6] [--out STEM]

One replica at a time on one core, with the default of every option; a repeat has its own seed. Networks are trained
every 10 rounds up to round 1,000 and every 100 afterwards, so that a round has one cost before and another one after
it. The seconds of the paper's 10,000 rounds are those of the first 1,000, and the later ones in proportion.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from manybandits.algorithms import contract
from manybandits.algorithms.neural import m_cnb, neuucb_one
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.table_files import Markdown
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.neural import play_batched, start
from manybandits.measurements.command_line import parser_of, user_games, write

HORIZON = 10_000
"""The rounds of Figure 5."""
EARLY = 1_000
"""The rounds with training every 10 rounds (Configurations)."""
POLICIES: tuple[ModuleType, ...] = (m_cnb, neuucb_one)
PAPER = {"movielens": 1.6, "mnist": 2.9}
"""Data -> how many times the seconds of NeuUCB-ONE M-CNB takes in the paper."""
NOTE = (
    "CPU seconds of 10,000 rounds of one replica on one core, mean over repeats, from the seconds of the first 1,000 "
    "rounds and of the later rounds that were played. The paper states the ratios."
)


def seconds(game: UserGame, algorithm: ModuleType, rounds: int, seed: int) -> float:
    """Return the CPU seconds of `HORIZON` rounds, from those of the first `EARLY` and of the others up to `rounds`."""
    options = contract.stack([contract.complete(algorithm, {}, "the measurement")])
    player = start(game, algorithm, HORIZON, options, streams.words(np.array([seed]), "policy"), "cpu")
    choose, ends = player.select, []

    def select(view: Any) -> Any:
        if view.t == EARLY + 1:
            ends.append(time.process_time())
        return choose(view)

    player.select = select
    began = time.process_time()
    play_batched(game, player, Batch(np.array([seed]), np.array([rounds])))
    early, late = ends[0] - began, time.process_time() - ends[0]
    return early + late * (HORIZON - EARLY) / (rounds - EARLY)


def measure(games: Sequence[UserGame], rounds: int, repeats: int) -> pd.DataFrame:
    """Return the seconds, one row per game, algorithm and repeat; raise InputError if there are too few rounds."""
    if not EARLY < rounds <= HORIZON:
        raise InputError(f"{rounds:,} rounds: give more than {EARLY:,}, and at most {HORIZON:,}.")
    rows = []
    for game in games:
        for algorithm in POLICIES:
            seconds(game, algorithm, EARLY + 1, 0)  # compile everything first
            for repeat in range(repeats):
                spent = round(seconds(game, algorithm, rounds, repeat), 3)
                rows.append((game.facts["role"], algorithm.TITLE, repeat, spent))
    return pd.DataFrame(rows, columns=["data", "algorithm", "repeat", "seconds"])


def markdown(table: pd.DataFrame) -> str:
    """Return the table as Markdown: mean seconds, and their ratio beside the paper's."""
    cells = []
    for data, rows in table.groupby("data", sort=False):
        mean = rows.groupby("algorithm", sort=False)["seconds"].mean()
        own, other = (float(mean[algorithm.TITLE]) for algorithm in POLICIES)
        cells.append([str(data), f"{own:.2f}", f"{other:.2f}", f"{own / other:.2f}", f"{PAPER.get(str(data), '')}"])
    columns = ["data", *(algorithm.TITLE for algorithm in POLICIES), "ratio", "in the paper"]
    return Markdown.table(columns, "lrrrr", cells)


def main(argv: list[str] | None = None) -> None:
    parser = parser_of("Time M-CNB and NeuUCB-ONE.", "M-CNB, Figure 5: seconds of M-CNB and of NeuUCB-ONE")
    parser.add_argument("--rounds", type=int, default=2 * EARLY)
    args = parser.parse_args(argv)
    games = user_games(args)
    table = measure(games, args.rounds, args.repeats)
    limits = [f"timed for {args.rounds:,} of {HORIZON:,} rounds"] if args.rounds < HORIZON else []
    data, text = [game.facts for game in games], markdown(table)
    write(args, table, [("", text)], NOTE, data, limits, rounds=args.rounds, repeats=args.repeats)


if __name__ == "__main__":
    run_script(main)
