"""Run time of LNUCB-TA, of its parts and of their plain combination, by steps and neighbours: Figure 8.

    python -m manybandits.measurements.lnucb_ta_runtime [--steps 2500 5000 7500] [--out STEM]

One replica on one core. A step is an event that counts in the replay of a log; the policy chooses about K times per
step, since one event in K counts. All algorithms search the list of an arm's observations exactly, from end to end, so
that they differ only in their use of the k neighbours. LinUCB is the linear part alone and k-NN UCB the search alone,
which shows how the time splits. LNUCB-TA uses fewer neighbours than its maximum, since the variance of a click is at
most 1/4; "always k" is LNUCB-TA with theta_min = theta_max, which uses as many as the others may.

The article log of the paper has no public copy, and the news log is too short. A made log is used instead: K = 10 arms;
six features per user, the same for all arms, as in the article log; and clicks whose probability is linear in them.
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
from manybandits.base.exceptions import run_script
from manybandits.base.seeds import stream
from manybandits.base.table_files import Markdown
from manybandits.environments import replay
from manybandits.environments.kinds.replay import ReplayGame
from manybandits.harness.replicas import play_replicas
from manybandits.measurements.command_line import parser_of, write

STEPS = (2_500, 5_000, 7_500)
NEIGHBOURS = (5, 10, 20, 50, 100)
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
    "Seconds of one core for one replica, exploration 1 and the other options at their defaults. STAND-IN DATA: a made "
    "log of 10 arms and 6 features a user. The paper's seconds are those of its Table 7, at most 5 neighbours, on the "
    "article log, where the combination takes many times the two that it combines together. LinUCB has no neighbours; "
    "LNUCB-TA takes fewer than k where rewards vary little, and as many in the last lines."
)


def made_log(steps: int) -> ReplayGame:
    """Return the replay of a made log that is long enough for a number of steps."""
    events = int(MARGIN * steps * ARMS)
    random = stream("runtime", steps)
    users = random.dirichlet(np.ones(FEATURES - 1), size=events)
    users = np.concatenate([users, np.ones((events, 1))], axis=1)
    shown = random.integers(ARMS, size=events)
    weights = random.uniform(0.0, 0.5, size=(ARMS, FEATURES))
    click = random.random(events) < np.einsum("nd,nd->n", users, weights[shown])
    contexts = np.repeat(users[:, None], ARMS, axis=1)
    arrays = replay.build({"arm": shown, "click": click.astype(np.int64), "contexts": contexts}, "logged", "matched")
    return ReplayGame(replay.digest(arrays), {"name": "made"}, arrays, ARMS, FEATURES, replay.draw_order)


def seconds(game: ReplayGame, algorithm: ModuleType, setting: dict[str, float | int | str], steps: int) -> float:
    """Return the CPU seconds of a play, which do not depend on other work on the machine."""
    began = time.process_time()
    table = play_replicas(game, algorithm, [setting], [0], horizon=steps)
    spent = time.process_time() - began
    if table["reward"].isna().any():
        raise RuntimeError(f"the made log ended before {algorithm.TITLE} had {steps:,} steps: raise MARGIN.")
    return spent


def measure(steps: Sequence[int]) -> pd.DataFrame:
    """Return the seconds, one row per policy, number of steps and number of neighbours."""
    rows = []
    for count in steps:
        game = made_log(count)
        for title, (algorithm, exploration, numbers) in POLICIES.items():
            stated = dict(zip(STEPS, PAPER.get(title, ()), strict=False)).get(count, np.nan)
            for neighbours in NEIGHBOURS if numbers else (0,):
                given = {exploration: 1.0, **dict.fromkeys(numbers, neighbours)}
                setting = contract.complete(algorithm, given, "the measurement")
                play_replicas(game, algorithm, [setting], [0], horizon=10)  # compile everything first
                spent = seconds(game, algorithm, setting, count)
                in_paper = stated if neighbours in (0, 5) else np.nan
                rows.append((title, count, neighbours, round(spent, 3), in_paper))
    return pd.DataFrame(rows, columns=["algorithm", "steps", "neighbours", "seconds", "seconds_in_the_paper"])


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one column per number of neighbours."""
    columns = ["algorithm", "steps", *(f"k <= {k}" for k in NEIGHBOURS), "in the paper"]
    cells = []
    for (name, steps), rows in table.groupby(["algorithm", "steps"], sort=False):
        seconds = [f"{value:.2f}" for value in rows["seconds"]] + [""] * (len(NEIGHBOURS) - len(rows))
        stated = rows["seconds_in_the_paper"].iloc[0]
        cells.append([str(name), f"{steps:,}", *seconds, "" if np.isnan(stated) else f"{stated:,.2f}"])
    return Markdown.page(title, NOTE, [("", Markdown.table(columns, "l" + "r" * (len(columns) - 1), cells))])


def main(argv: list[str] | None = None) -> None:
    """Run as a script."""
    parser = parser_of("Time LNUCB-TA and what it combines.", "LNUCB-TA, Figure 8: run time by steps and neighbours")
    parser.add_argument("--steps", type=int, nargs="+", default=STEPS, help="numbers of steps")
    given = parser.parse_args(argv)
    table = measure(given.steps)
    settings = {"title": given.title, "steps": list(given.steps)}
    write(table, markdown(table, given.title), settings, NOTE, given.out)


if __name__ == "__main__":
    run_script(main)
