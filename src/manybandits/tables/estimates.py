"""What the estimates of a replay say of the same policies: reward a round, and how far each is from plain replay."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.statistics import paired_difference, summary
from manybandits.results.runs import Run
from manybandits.tables.command import escape, write_table

BASE = "replay"
NOTE = (
    "Estimated reward a round: mean ± standard deviation over runs. Beside it the mean difference from plain replay of "
    "the same rounds and its 95 % bootstrap interval. Runs are orders of one log: what the log itself left to chance, "
    "such as how often it showed each arm, is in none of the intervals."
)


def summarise(panels: Sequence[Sequence[Run]]) -> pd.DataFrame:
    """Return a row an algorithm and way to play it, and an estimate."""
    runs = {_key(run): run for panel in panels for run in panel}
    rows = []
    for (learn, title, estimate), run in runs.items():
        if (learn, title, BASE) not in runs:
            raise InputError(f"{run.path} has no {BASE} beside it: give the run of {title} under that estimate, too.")
        final, base = (r.reward[:, -1] / r.rounds[-1] for r in (run, runs[learn, title, BASE]))
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
            }
        )
    return pd.DataFrame(rows)


def _key(run: Run) -> tuple[str, str, str]:
    """Return from which events a run learns, its title and its estimate."""
    settings = run.environment.get("settings", {})
    if "estimate" not in settings:
        raise InputError(f"{run.path} is not the replay of a log: it has no estimate to compare.")
    return settings["learn"], run.title, settings["estimate"]


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the table as Markdown, one block for what policies learn from."""
    lines = [f"# {title}", "", NOTE]
    estimates = list(table["estimate"].unique())
    for learn, rows in table.groupby("learn", sort=False):
        lines += ["", f"**learn = {learn}**", "", f"| algorithm | {' | '.join(estimates)} | n |"]
        lines += ["|---|" + "---:|" * (len(estimates) + 1)]
        for name, line in rows.groupby("algorithm", sort=False):
            lines.append(" | ".join([f"| {name}", *_cells(line, "±"), f"{line['n'].iloc[0]} |"]))
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the table as a LaTeX ``tabular`` (package booktabs)."""
    estimates = list(table["estimate"].unique())
    lines = [f"% {title}", rf"\begin{{tabular}}{{ll{'r' * len(estimates)}}}", r"\toprule"]
    lines += [" & ".join(["learn", "algorithm", *estimates]) + r" \\"]
    for learn, rows in table.groupby("learn", sort=False):
        lines.append(r"\midrule")
        for name, line in rows.groupby("algorithm", sort=False):
            cells = [f"${cell}$" for cell in _cells(line, r"\pm")]
            lines.append(" & ".join([str(learn), escape(str(name)), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {escape(NOTE)}"]) + "\n"


def _cells(line: pd.DataFrame, sign: str) -> list[str]:
    """Return the rewards, with the differences from replay of all estimates but replay itself."""
    return [
        f"{row['reward_per_round']:.3f} {sign} {row['std']:.3f}"
        + (f" ({row['difference']:+.3f}; {row['low']:+.3f}, {row['high']:+.3f})" if row["estimate"] != BASE else "")
        for row in line.to_dict("records")
    ]


def main(argv: list[str] | None = None) -> None:
    """Write the table of the estimates of some run tables."""
    meaning = "Tabulate what the estimates of a replay say of the same policies."
    write_table(argv, meaning, summarise, markdown, latex, lambda table: NOTE)


if __name__ == "__main__":
    run_script(main)
