"""Public pairs of a game and an algorithm of one version of the authors' code: their regret beside what is stated.

One row per game and algorithm. The numbers that are stated are those of the claims of kind ``value`` about the figure:
a claim that is ``quoted`` has a number that the authors measured themselves and that their paper does not print, any
other one a published number. Whether ours agrees is the answer on that claim. The probe is the lowest regret that a
model reached which was told all rewards (`manybandits.measurements.probe`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Form
from manybandits.claims.plays import is_in
from manybandits.claims.verdict import Verdict
from manybandits.claims.verdict_files import load_verdicts
from manybandits.papers.claim import REGRET
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import final_regret
from manybandits.results.runs import Run
from manybandits.results.summaries import flat, names_of, summary_columns
from manybandits.tables.layout import INTERVAL, Block, Layout, by_game, lost_words

SOURCES = {"published": "published", "authors": "the authors' own run"}
"""Column -> who states a number."""
PER_ROUND = "regret_per_round"
PROBED = 10_000
"""The rounds of which a probe states the regret."""
NOTE = (
    "Regret after all rounds: mean with its 95 % bootstrap interval over seeds. Beside a stated number, how much ours "
    "differs, and the answer by the rule of values; nothing is judged on data that replace the paper's. Probe: the "
    "regret of the best model that was trained on the rewards of all arms; other models may have less."
)


def summarise(panels: Sequence[Sequence[Run]], verdicts: Sequence[Verdict], probe: Mapping[str, float]) -> pd.DataFrame:
    """Return one row per environment and algorithm. verdicts: on the figure; probe: environment -> its regret."""
    rows = []
    for run in flat(panels):
        ours = summary_columns(final_regret(run), mean="regret")
        row = {**names_of(run), **ours, "lost": run.lost}
        for source in SOURCES:
            one = stated(run, verdicts, quoted=source == "authors")
            number = regret_of(one, run) if one else np.nan
            row |= {source: number, f"{source}_gap": ours["regret"] / number - 1}
            row[f"{source}_answer"] = one.answer.value if one else ""
        rows.append({**row, "probe": probe.get(run.environment["name"], np.nan) * run.rounds[-1] / PROBED})
    return pd.DataFrame(rows)


def stated(run: Run, verdicts: Sequence[Verdict], quoted: bool) -> Verdict | None:
    """Return the verdict on the number that is stated of a run's regret; None if none is."""
    for one in verdicts:
        of = one.claim.selection
        final = (
            of.measure in (REGRET, PER_ROUND) and of.at in (None, run.rounds[-1]) and not (of.options or of.relative)
        )
        meant = one.claim.kind == "value" and of.of == run.title and is_in(run.environment, of.where)
        if meant and final and bool(one.claim.quoted) == quoted:
            return one
    return None


def regret_of(verdict: Verdict, run: Run) -> float:
    """Return the regret of all rounds that a claim states, whether it states that or the regret per round."""
    number = verdict.claim.published
    times = int(run.rounds[-1]) if verdict.claim.selection.measure == PER_ROUND else 1
    return times * float(np.nan if number is None else number)


def lowest(path: Path) -> dict[str, float]:
    """Return the lowest regret of a probe after its longest training, by environment. path: its table."""
    table = pd.read_csv(path)
    longest = table[table["rounds"] == table.groupby(["game", "model"])["rounds"].transform("max")]
    return {str(game): float(regret) for game, regret in longest.groupby("game")["regret"].min().items()}


def blocks(table: pd.DataFrame, form: Form) -> Iterator[Block]:
    """Yield one block per game."""
    head = ["algorithm", "regret", INTERVAL[form], "n", *SOURCES.values(), "probe"]
    for heading, shared, game in by_game(table, form):
        yield Block(heading, shared, head, [_cells(row, form) for row in game.to_dict("records")])


def _cells(row: dict, form: Form) -> list[str]:
    """Return algorithm, regret, interval, runs, what is stated with the difference and the answer, and the probe."""
    ours = (
        [lost_words(row), ""]
        if row["lost"]
        else [f"{row['regret']:,.0f}", form.interval(row["low"], row["high"], ",.0f")]
    )
    said = [
        ""
        if np.isnan(row[source])
        else form.text(f"{row[source]:,.0f} ({100 * row[f'{source}_gap']:+.1f} %, {row[f'{source}_answer']})")
        for source in SOURCES
    ]
    probe = "" if np.isnan(row["probe"]) else f"{row['probe']:,.0f}"
    return [form.text(algorithm_name(row["algorithm"])), *ours, str(row["n"]), *said, probe]


TABLE = Layout("Tabulate public pairs beside what is stated of them.", summarise, blocks, lambda *_: NOTE)


def main(argv: list[str] | None = None) -> None:
    """Write the table of public pairs."""
    parser = TABLE.parser()
    parser.add_argument("--verdicts", type=Path, help="verdicts on the claims about the figure")
    parser.add_argument("--probes", type=Path, help="the table of the probe of the paper")
    args = parser.parse_args(argv)
    verdicts = load_verdicts(args.verdicts) if args.verdicts else []
    probe = lowest(args.probes) if args.probes else {}
    beside = [path for path in (args.verdicts, args.probes) if path]
    TABLE.save(args, beside, verdicts=verdicts, probe=probe)


if __name__ == "__main__":
    run_script(main)
