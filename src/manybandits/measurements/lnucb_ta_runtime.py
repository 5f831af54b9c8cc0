"""Run time of LNUCB-TA, of its parts and of their plain combination, by steps and neighbours: Figure 8.

    python -m manybandits.measurements.lnucb_ta_runtime [--games LOG.npz] [--steps 2500 5000 7500] [--out STEM]

One replica on one core. A step is an event that counts in the replay of a log; the policy chooses about K times per
step, since one event in K counts. All algorithms search the list of an arm's observations exactly, from end to end, so
that they differ only in their use of the k neighbours. LinUCB is the linear part alone and k-NN UCB the search alone,
which shows how the time splits. LNUCB-TA uses fewer neighbours than its maximum, since the variance of a click is at
most 1/4; "always k" is LNUCB-TA with theta_min = theta_max, which uses as many as the others may.

The paper's article log is used where it was given, as a frozen replay. It has no public copy, and the news log is too
short; so without it a log is made: K = 10 arms; six features per user, the same for all arms, as in the article log;
and clicks whose probability is linear in them. A repeat has a log, or an order of the log, of its own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import ModuleType

import numpy as np
import pandas as pd

from manybandits.algorithms import contract
from manybandits.algorithms.linear import linucb
from manybandits.algorithms.nearest import knn_ucb, lin_knn_ucb, lnucb_ta
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.seeds import stream
from manybandits.base.table_files import Markdown
from manybandits.environments import replay
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from manybandits.measurements.command_line import made, parser_of, write

STEPS = (2_500, 5_000, 7_500)
NEIGHBOURS = (5, 20, 100)
"""The largest numbers of neighbours. Figure 8 has no scale in the text; Table 7 has 5."""
ARMS, FEATURES = 10, 6
MARGIN = 1.2
"""Events of the made log relative to the number that is needed on average."""
POLICIES: dict[str, tuple[ModuleType, str, tuple[str, ...]]] = {
    "LinUCB": (linucb, "alpha", ()),
    "k-NN UCB": (knn_ucb, "rho", ("most",)),
    "(Lin + k-NN)-UCB": (lin_knn_ucb, "alpha", ("most",)),
    "LNUCB-TA": (lnucb_ta, "alpha", ("theta_max",)),
    "LNUCB-TA, always k": (lnucb_ta, "alpha", ("theta_min", "theta_max")),
}
"""Title -> module, name of the exploration option, and names of the options that set the number of neighbours."""
PAPER = {  # Table 7, alpha = rho = 1, at most 5 neighbours
    "LinUCB": (5.80, 12.30, 19.02),
    "k-NN UCB": (15.98, 36.17, 62.03),
    "(Lin + k-NN)-UCB": (295.59, 1331.09, 3226.52),
    "LNUCB-TA": (24.08, 58.43, 98.57),
}
NOTE = (
    "CPU seconds of one core for one replica, exploration 1 and the other options at their defaults, mean over "
    "repeats. The paper's seconds are those of its Table 7, at most 5 neighbours, on the article log. LinUCB has no "
    "neighbours; LNUCB-TA takes fewer than k where rewards vary little, and as many in the last lines."
)


def made_log(steps: int, repeat: int = 0) -> ReplayGame:
    """Return the replay of a made log that is long enough for a number of steps; every repeat has its own."""
    events = int(MARGIN * steps * ARMS)
    random = stream("runtime", steps, repeat)
    users = random.dirichlet(np.ones(FEATURES - 1), size=events)
    users = np.concatenate([users, np.ones((events, 1))], axis=1)
    shown = random.integers(ARMS, size=events)
    weights = random.uniform(0.0, 0.5, size=(ARMS, FEATURES))
    click = random.random(events) < np.einsum("nd,nd->n", users, weights[shown])
    contexts = np.repeat(users[:, None], ARMS, axis=1)
    arrays = replay.build({"arm": shown, "click": click.astype(np.int64), "contexts": contexts}, "logged", "matched")
    return ReplayGame(replay.digest(arrays), {"name": "made"}, arrays, ARMS, FEATURES, replay.draw_order)


def seconds(
    game: Game, algorithm: ModuleType, setting: dict[str, float | int | str], steps: int, seed: int = 0
) -> float:
    """Return the CPU seconds of a play, which do not depend on other work on the machine."""
    began = time.process_time()
    table = play_replicas(game, algorithm, [setting], [seed], horizon=steps)
    spent = time.process_time() - began
    if table["reward"].isna().any():
        raise InputError(
            f"the log ended before {algorithm.TITLE} had {steps:,} steps: give a longer one or fewer steps."
        )
    return spent


def measure(steps: Sequence[int], repeats: int = 1, log: Game | None = None) -> pd.DataFrame:
    """Return the seconds, one row per policy, number of steps, number of neighbours and repeat.

    log: the replay that is timed; None for one that is made for every number of steps and repeat.
    """
    rows = []
    for count in steps:
        games = [log or made_log(count, repeat) for repeat in range(repeats)]
        for title, (algorithm, exploration, numbers) in POLICIES.items():
            stated = dict(zip(STEPS, PAPER.get(title, ()), strict=False)).get(count, np.nan)
            for neighbours in NEIGHBOURS if numbers else (0,):
                given = {exploration: 1.0, **dict.fromkeys(numbers, neighbours)}
                setting = contract.complete(algorithm, given, "the measurement")
                play_replicas(games[0], algorithm, [setting], [0], horizon=10)  # compile everything first
                in_paper = stated if neighbours in (0, 5) else np.nan
                for repeat, game in enumerate(games):
                    spent = round(seconds(game, algorithm, setting, count, repeat), 3)
                    rows.append((title, count, neighbours, repeat, spent, in_paper))
    return pd.DataFrame(rows, columns=["algorithm", "steps", "neighbours", "repeat", "seconds", "seconds_in_the_paper"])


def markdown(table: pd.DataFrame) -> str:
    """Return the means over repeats as Markdown, one column per number of neighbours."""
    columns = ["algorithm", "steps", *(f"k <= {k}" for k in NEIGHBOURS), "in the paper"]
    cells = []
    for (name, steps), rows in table.groupby(["algorithm", "steps"], sort=False):
        means = rows.groupby("neighbours", sort=False)["seconds"].mean()
        seconds = [f"{value:.2f}" for value in means] + [""] * (len(NEIGHBOURS) - len(means))
        stated = rows["seconds_in_the_paper"].iloc[0]
        cells.append([str(name), f"{steps:,}", *seconds, "" if np.isnan(stated) else f"{stated:,.2f}"])
    return Markdown.table(columns, "l" + "r" * (len(columns) - 1), cells)


def main(argv: list[str] | None = None) -> None:
    parser = parser_of("Time LNUCB-TA and what it combines.", "LNUCB-TA, Figure 8: run time by steps and neighbours")
    parser.add_argument("--steps", type=int, nargs="+", default=STEPS, help="numbers of steps")
    args = parser.parse_args(argv)
    log = load_game(args.games[0]) if args.games else None
    table = measure(args.steps, args.repeats, log)
    data = log.facts if log else made("article", "a made log")
    write(args, table, [("", markdown(table))], NOTE, [data], steps=args.steps, repeats=args.repeats)


if __name__ == "__main__":
    run_script(main)
