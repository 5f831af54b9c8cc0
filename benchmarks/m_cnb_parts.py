"""Seconds of a round of M-CNB by its parts, for growing numbers of users: Table 1 of the paper.

    python benchmarks/m_cnb_parts.py [--rounds 30] [--out STEM]

One replica on one core, d = 20, K = 10, width 100, after a few rounds of warming up. By the letter of Algorithm 1 all
users' networks are the same (see `manybandits.algorithms.neural.m_cnb`); here every user begins with weights of its
own, so that there is something to cluster. Those of a cluster learn, and are drawn from when the meta-learner adapts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from manybandits.algorithms import contract
from manybandits.algorithms.neural import m_cnb
from manybandits.base import seeds as streams
from manybandits.base.artifacts import Provenance, save_text
from manybandits.environments import synthetic
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.networks import play_batched, start

SIZES = (500, 5_000, 10_000, 20_000)
PAPER = {
    "clustering": (0.006, 0.057, 0.113, 0.228),
    "meta adaptation": (0.003, 0.002, 0.003, 0.003),
    "user-learner training": (0.067, 0.068, 0.096, 0.078),
}
NOTE = (
    "Seconds a round on one core; the paper's are those of a V100. A synthetic game with d = 20 and K = 10; every user "
    "begins with weights of its own."
)
WARM = 5


class Timed:
    """A function that adds up its own seconds, but for the first `WARM` calls."""

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
    """Return the seconds a round of the three parts."""
    arrays = synthetic.build(users=users, clusters=50, items=2_000, dimension=20, noise=0.1)
    game = UserGame(f"parts-{users}", {}, arrays, users, 10, synthetic.draw_block)
    options = contract.stack([contract.complete(m_cnb, {"first": "own"}, "benchmark")])
    random = streams.words(np.array([0]), "policy")
    player = start(game, m_cnb, rounds + WARM, options, False, random, "cpu")
    player.adapt = adapting = Timed(player.adapt)
    originals = m_cnb.outputs_of_all, m_cnb.adam_step
    m_cnb.outputs_of_all, m_cnb.adam_step = clustering, training = Timed(originals[0]), Timed(originals[1])
    try:
        play_batched(game, player, Batch(np.array([0]), np.array([rounds + WARM])))
    finally:
        m_cnb.outputs_of_all, m_cnb.adam_step = originals
    return [timed.seconds / rounds for timed in (clustering, adapting, training)]


def main() -> None:
    """Print the table, and write it to <out>.csv and <out>.md if --out is given."""
    parser = argparse.ArgumentParser(description="Time the parts of a round of M-CNB.")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--title", default="M-CNB, Table 1: seconds of a round by its parts")
    parser.add_argument("--out", type=Path, help="stem of the files to write")
    given = parser.parse_args()
    measured = [parts(users, given.rounds) for users in SIZES]
    rows = [
        (part, users, round(seconds[place], 5), value)
        for place, (part, stated) in enumerate(PAPER.items())
        for users, seconds, value in zip(SIZES, measured, stated, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["part", "users", "seconds", "seconds_in_the_paper"])
    text = f"# {given.title}\n\n{NOTE}\n\n| part | users | seconds | in the paper |\n|---|---:|---:|---:|\n"
    text += "".join(f"| {part} | {users:,} | {seconds:.4f} | {stated:.3f} |\n" for part, users, seconds, stated in rows)
    sys.stdout.write(text)
    if given.out is not None:
        csv = given.out.with_name(given.out.name + ".csv")
        save_text(csv, table.to_csv(index=False, lineterminator="\n"))
        save_text(csv.with_suffix(".md"), text)
        Provenance({"title": given.title, "rounds": given.rounds}).save(csv, {"note": NOTE, "stand_in": True})


if __name__ == "__main__":
    main()
