"""Readings of headlines with made-up effects, as the run of readings writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.table_files import save_csv
from manybandits.claims import readings as judge
from manybandits.figures import curve
from manybandits.results.readings_table import FIGURES, SUMMARIES, TABLES

QUESTIONS = {
    "learners": ("cluster", "served"),
    "first_data": ("one", "nothing"),
    "user_step": ("adam", "long", "plain"),
    "context": ("item", "both"),
}
"""Questions and their answers, the one as written first."""


def plant_readings(
    report: Path,
    headlines: Mapping[str, float],
    questions: Mapping[str, Sequence[str]] = QUESTIONS,
    count: int = 24,
    quantity: str = "lead in regret of CLUB over SCLUB, in % of the rival",
    limits: str = "2,000 of 10,000 rounds",
) -> None:
    """Write the readings of headlines, named paper.key, with all that the site shows of them.

    headlines: for each, by how much its first question decides; if it is 0, it holds whatever the reading.
    """
    made = []
    for headline, gap in headlines.items():
        name = headline.replace(".", "_")
        tables = report / TABLES / f"{name}.csv", report / TABLES / f"{name}.choices.csv"
        save_csv(tables[0], table_of(headline, gap, questions, count, quantity, limits))
        told = ["--headline", headline, "--readings", str(tables[0]), "--out", str(tables[1])]
        judge.main(["explain", *told])
        curve.main(["--title", headline, "--readings", str(tables[0]), "--out", str(report / f"{FIGURES}{name}")])
        made.append(str(tables[1]))
    judge.main(["gather", "--choices", *made, "--out", str(report / SUMMARIES)])


def table_of(
    headline: str, gap: float, questions: Mapping[str, Sequence[str]], count: int, quantity: str, limits: str
) -> pd.DataFrame:
    """Return readings of a headline: the one as written, and drawn ones."""
    random = np.random.default_rng(sum(map(ord, headline)))
    answers = {key: random.choice(values, count) for key, values in questions.items()}
    for key, values in questions.items():
        answers[key][0] = values[0]
        answers[key] = answers[key].astype(object)
    (first, (written, *_)), *_ = questions.items()
    effect = 0.1 + np.where(answers[first] == written, -gap, gap) + 0.03 * random.normal(size=count)
    low, high = effect - 0.05, effect + 0.05
    answers_to_it = np.select([low > 0, high < 0], ["holds", "fails"], "inconclusive")
    names = ["as written", *(f"reading {place}" for place in range(1, count))]
    fixed = {
        **{"reading": names, "answer": answers_to_it, "effect": effect, "low": low, "high": high},
        **{"quantity": quantity, "against": 0.0, "limits": limits},
        "chance": ["SCLUB" if place % 5 == 4 else "" for place in range(count)],
    }
    return pd.DataFrame({**fixed, **answers})
