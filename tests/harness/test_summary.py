"""The line in which a play tells its result."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from manybandits.harness.summary import summary_line

POINTS = [{"alpha": alpha, "lambda": 1.0} for alpha in (0.01, 0.1)]
OUT = Path("club.parquet")


def table(*regrets: float) -> pd.DataFrame:
    """A run table of a tuning seed, and of one evaluation seed for each regret after 2,000 rounds."""
    rows = [{"stage": "tuning", "chosen": True, "seed": 100, "round": 2000, "regret": 9.0}]
    for seed, regret in enumerate(regrets):
        for rounds, total in ((1000, 1.0), (2000, regret)):
            rows.append({"stage": "evaluation", "chosen": True, "seed": seed, "round": rounds, "regret": total})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("regrets", "points", "words"),
    [
        (
            (1000, 1002),
            POINTS,
            "regret 1,001.0 ± 1.4 after 2,000 rounds (mean and standard deviation of 2 runs; alpha 0.1 chosen of 2)",
        ),
        ((12.34,), POINTS[1:], "regret 12.3 after 2,000 rounds (1 run)"),
        ((5.0, float("nan"), 6.0), POINTS[1:], "1 of 3 runs diverged before round 2,000"),
    ],
)
def test_the_line_tells_regret_runs_choice_and_place(regrets, points, words):
    assert (
        summary_line("CLUB", table(*regrets), points, POINTS[1], "diverged", OUT) == f"CLUB: {words}; written to {OUT}"
    )
