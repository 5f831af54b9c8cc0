"""How often RMBandit updates its estimates in T rounds, counted in its own state: section 5 of its paper.

    python -m manybandits.measurements.rmbandit_updates [--out STEM]

The paper says that batches need "only a logarithmic number" of updates. The OLS bandit updates in every round.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from manybandits.algorithms import contract
from manybandits.algorithms.multitask import rmbandit
from manybandits.base import seeds as streams
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Markdown
from manybandits.measurements.command_line import parser_of, write

HORIZONS = (10_000, 100_000, 1_000_000, 10_000_000)
SIZES = contract.Problem(users=20, items=2, arms=2, dimension=20, horizon=HORIZONS[0])
PARTS = ("RMBandit", "OLS bandit", "log2 of the rounds")
NOTE = "Number of rounds after which estimates change; N = 20, d = 20, K = 2, default options."


def updates(horizon: int) -> int:
    """Return after how many of `horizon` rounds RMBandit fits its estimates: at the ends of its batches."""
    options = contract.complete(rmbandit, {}, "the measurement")
    words = streams.words(np.array([0]), "policy")[0]
    state = rmbandit.start(SIZES._replace(horizon=horizon), options, words)
    count = 0
    while state.batch[1] <= horizon:
        rmbandit.end_batch(state)
        count += 1
    return count


def main(argv: list[str] | None = None) -> None:
    parser = parser_of("Count updates of estimates.", "RMBandit, section 5: updates of estimates", repeated=False)
    args = parser.parse_args(argv)
    columns = {horizon: (updates(horizon), horizon, float(np.log2(horizon))) for horizon in HORIZONS}
    rows = [(part, horizon, float(columns[horizon][place])) for place, part in enumerate(PARTS) for horizon in HORIZONS]
    table = pd.DataFrame(rows, columns=["part", "rounds", "updates"])
    cells = [[part, *(f"{columns[horizon][place]:,.0f}" for horizon in HORIZONS)] for place, part in enumerate(PARTS)]
    heads = ["part", *(f"T = {horizon:,}" for horizon in HORIZONS)]
    write(args, table, [("", Markdown.table(heads, "l" + "r" * len(HORIZONS), cells))], NOTE)


if __name__ == "__main__":
    run_script(main)
