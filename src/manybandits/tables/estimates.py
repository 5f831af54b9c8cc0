"""Estimates of a replay: the reward per round of the same policies, and its difference from plain replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import paired_difference, summary
from manybandits.base.table_files import Form, Markdown
from manybandits.environments.offpolicy import too_few
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.tables.layout import Block, Layout

BASES = ("replay", "self-normalised")
"""Estimates to compare others with: the first one that is given. In a uniform log the two are the same."""
EFFECTIVE = " n_eff: effective sample size of an estimate that weighs events by their propensities, the mean over runs."
NOTE = (
    "Estimated reward per round: mean ± standard deviation over runs, with the mean difference from plain replay of "
    "the same rounds and its 95 % bootstrap interval. Runs are orders of one log: the intervals do not cover the "
    "chance in the log itself, such as how often it showed each arm."
)


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return one row per algorithm, set of events that it learns from, and estimate.

    There is a column ``effective`` if the log was not uniform; it is NaN for plain replay, which weighs no event.
    """
    runs = {_key(run): run for panel in panels for run in panel}
    rows = []
    for (learn, title, estimate), run in runs.items():
        given = [runs[learn, title, base] for base in BASES if (learn, title, base) in runs]
        if not given:
            raise InputError(
                f"{run.path} has no {BASES[0]} beside it: give the run of {title} under that estimate, too."
            )
        for one in (run, given[0]):
            if one.lost:
                lost = f"{one.lost} of {len(one.seeds)} runs"
                raise InputError(
                    f"{one.path}: {lost} came to the end of their log; play fewer rounds, or leave it out."
                )
        final, base = (r.reward[:, -1] / r.rounds[-1] for r in (run, given[0]))
        mean, spread, _, _ = map(float, summary(final))
        gap, low, high = paired_difference(final, base)
        rows.append(
            {
                "learn": learn,
                "algorithm": title,
                "estimate": estimate,
                "reward_per_round": mean,
                "std": spread,
                "difference": gap,
                "low": low,
                "high": high,
                "n": len(run.seeds),
                "effective": np.mean(run.facts.get("effective") or [np.nan]),
            }
        )
    table = pd.DataFrame(rows)
    return table if table["effective"].notna().any() else table.drop(columns="effective")


def _key(run: Run) -> tuple[str, str, str]:
    """Return the events that a run learns from, its title and its estimate."""
    settings = run.environment.get("settings", {})
    if "estimate" not in settings:
        raise InputError(f"{run.path} is not the replay of a log: it has no estimate to compare; leave it out.")
    return settings["learn"], run.title, settings["estimate"]


def note(table: pd.DataFrame, form: Form = Markdown) -> str:
    """Return the note of a table, with a sentence for every estimate whose effective sample size is too small."""
    if "effective" not in table:
        return NOTE
    said = NOTE if _base(table) == BASES[0] else NOTE.replace("plain replay", "the self-normalised estimate")
    weighted = table.dropna(subset="effective").to_dict("records")
    few = (
        too_few(row["effective"], f"{algorithm_name(row['algorithm'])} ({row['estimate']}, learn = {row['learn']})")
        for row in weighted
    )
    return " ".join([said + EFFECTIVE, *filter(None, few)])


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per set of events that policies learn from."""
    counted = ["n"] if form is Markdown else []
    for learn, block in table.groupby("learn", sort=False):
        rows = [
            [form.text(algorithm_name(name)), *_cells(line, form), *(str(line[one].iloc[0]) for one in counted)]
            for name, line in block.groupby("algorithm", sort=False)
        ]
        head = ["algorithm", *block["estimate"].unique(), *counted]
        yield Block(f"**learn = {learn}**", [str(learn)], head, rows)


def _base(table: pd.DataFrame) -> str:
    """Return the estimate with which the others in a table are compared."""
    return next(base for base in BASES if base in set(table["estimate"]))


def _cells(line: pd.DataFrame, form: Form) -> list[str]:
    """Return the reward under every estimate, with its difference from the base where it is another estimate."""
    cells = []
    for row in line.to_dict("records"):
        reward = f"{row['reward_per_round']:.3f} {form.plus_minus} {row['std']:.3f}"
        gap = f" ({row['difference']:+z.3f}; {row['low']:+z.3f}, {row['high']:+z.3f})"
        effective = row.get("effective", np.nan)
        size = form.text(f"; n_eff {effective:,.0f}") if effective == effective else ""
        cells.append(form.math(reward + (gap if row["estimate"] != _base(line) else "")) + size)
    return cells


MEANING = "Tabulate the estimates of a replay of the same policies."
main = Layout(MEANING, summarise, blocks, note, shared=("learn",)).main

if __name__ == "__main__":
    run_script(main)
