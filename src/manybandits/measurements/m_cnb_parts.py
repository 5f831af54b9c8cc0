"""Run time of the parts of a round of M-CNB, for growing numbers of users: Table 1 of the paper.

    python -m manybandits.measurements.m_cnb_parts [--rounds 30] [--out STEM]

One replica on one core, d = 20, K = 10, width 100, after line 3 and a few rounds of warm-up, with the default of every
option: all users of a cluster learn, and the meta-learner adapts to every arm on a draw of each of its members.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from manybandits.algorithms import contract
from manybandits.algorithms.neural import m_cnb
from manybandits.base import seeds as streams
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Markdown
from manybandits.environments import synthetic
from manybandits.environments.kinds.batch import Batch
from manybandits.harness.neural import play_batched, start
from manybandits.measurements.command_line import parser_of, write

SIZES = (500, 5_000, 10_000, 20_000)
PAPER = {
    "clustering": (0.006, 0.057, 0.113, 0.228),
    "meta adaptation": (0.003, 0.002, 0.003, 0.003),
    "user-learner training": (0.067, 0.068, 0.096, 0.078),
}
NOTE = "Seconds a round on one core; the paper's are those of a V100. A synthetic game with d = 20 and K = 10."
WARM = 5
"""Rounds of warm-up, which are not timed."""


class Timed:
    """A wrapper of a function that adds up the seconds of its calls, except the first `WARM`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.calls, self.seconds = function, 0, 0.0

    def __call__(self, *given: Any) -> Any:
        began = time.perf_counter()
        result = self.function(*given)
        self.calls += 1
        if self.calls > WARM:
            self.seconds += time.perf_counter() - began
        return result


def parts(users: int, rounds: int) -> list[float]:
    """Return the seconds per round of the three parts, in the order of `PAPER`."""
    arrays = synthetic.build(users=users, clusters=50, items=2_000, dimension=20, noise=0.1)
    game = synthetic.game(f"parts-{users}", {"users": users, "arms": 10}, arrays)
    options = contract.stack([contract.complete(m_cnb, {}, "the measurement")])
    random = streams.words(np.array([0]), "policy")
    player = start(game, m_cnb, rounds + WARM, options, False, random, "cpu")
    player.clusters = clustering = Timed(player.clusters)
    player.meta.adapt = adapting = Timed(player.meta.adapt)
    player.users.step = training = Timed(player.users.step)
    play_batched(game, player, Batch(np.array([0]), np.array([rounds + WARM])))
    return [timed.seconds / rounds for timed in (clustering, adapting, training)]


def main(argv: list[str] | None = None) -> None:
    """Run as a script."""
    parser = parser_of("Time the parts of a round of M-CNB.", "M-CNB, Table 1: seconds of a round by its parts")
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args(argv)
    measured = [parts(users, given.rounds) for users in SIZES]
    rows = [
        (part, users, round(seconds[place], 5), value)
        for place, (part, stated) in enumerate(PAPER.items())
        for users, seconds, value in zip(SIZES, measured, stated, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["part", "users", "seconds", "seconds_in_the_paper"])
    cells = [[part, f"{users:,}", f"{seconds:.4f}", f"{stated:.3f}"] for part, users, seconds, stated in rows]
    columns = ["part", "users", "seconds", "in the paper"]
    text = Markdown.page(given.title, NOTE, [("", Markdown.table(columns, "lrrr", cells))])
    write(table, text, {"title": given.title, "rounds": given.rounds}, NOTE, given.out)


if __name__ == "__main__":
    run_script(main)
