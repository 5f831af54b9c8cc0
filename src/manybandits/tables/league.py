"""The league: every algorithm on every game that it played, its rank there, and how far apart average ranks are.

Ranks are compared on a complete block, the same algorithms on the same games (Demsar 2006, *Statistical comparisons of
classifiers over multiple data sets*): Friedman's test says whether average ranks differ at all, and two that are
closer than Nemenyi's critical difference are not told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from manybandits.core.errors import run_script
from manybandits.runs import Run, load_run
from manybandits.tables.regret import LEVEL, ORACLES
from manybandits.tables.script import escape, write_table

LEAST_ALGORITHMS = 3
"""Of a block, if any game has as many: Friedman's test is for three or more."""
LEAST_GAMES = 4
"""Of a block that is tested."""
NOTE = (
    "Rank by mean final regret over seeds, 1 is best; algorithms with equal regret share a rank, and one that lost "
    "runs comes last. An algorithm enters as its paper defines it, without options fixed to other values, under the "
    "protocol of the text; oracles do not enter. Average ranks are of a complete block: of all sets of "
    f"{LEAST_ALGORITHMS} algorithms or more that some game of a paper was played by, the one with the most algorithms "
    "times games that all of them played. Friedman's test asks whether ranks differ; average ranks closer than "
    f"Nemenyi's critical difference ({100 * LEVEL:g} %) are not told apart. Blocks of fewer than {LEAST_GAMES} games "
    "are not tested. Games of a paper are not independent draws of anything: its data are its own choice."
)
COLUMNS = (
    *("paper", "environment", "data", "stand_in", "algorithm", "file", "regret", "std", "n", "lost", "rank"),
    *("in_block", "average_rank", "friedman_p", "critical_difference"),
)


@dataclass(frozen=True)
class Block:
    """The same algorithms on the same games. regret: a row a game, a column an algorithm."""

    regret: pd.DataFrame

    @property
    def ranks(self) -> pd.DataFrame:
        """The ranks of the algorithms in every game."""
        return self.regret.rank(axis=1, na_option="bottom")

    @property
    def tested(self) -> bool:
        """Whether it is large enough to be tested."""
        games, algorithms = self.regret.shape
        return games >= LEAST_GAMES and algorithms >= LEAST_ALGORITHMS

    @property
    def friedman_p(self) -> float:
        """The p of Friedman's test that all algorithms rank alike, NaN where the block is not tested."""
        if not self.tested:
            return float("nan")
        return float(stats.friedmanchisquare(*self.ranks.to_numpy().T).pvalue)

    @property
    def critical_difference(self) -> float:
        """Nemenyi's critical difference of average ranks, NaN where the block is not tested."""
        if not self.tested:
            return float("nan")
        games, algorithms = self.regret.shape
        quantile = stats.studentized_range.ppf(1 - LEVEL, algorithms, np.inf) / np.sqrt(2)
        return float(quantile * np.sqrt(algorithms * (algorithms + 1) / (6 * games)))


def enters(run: Run) -> bool:
    """Return whether a run enters the league: an algorithm by its own name, as the text has it, and no oracle."""
    released = run.environment.get("protocol") == "released" or run.settings["variant"] == "released"
    return "," not in run.title and not released and run.title not in ORACLES


def largest_block(regret: pd.DataFrame) -> Block:
    """Return the complete block with the most cells. regret: a row a game, a column an algorithm, NA where not played.

    Every set of algorithms that some game was played by is tried, small ones only where there are no others; of
    blocks of one size the one with more games is taken.
    """
    played = regret.notna()
    sets = list(dict.fromkeys(tuple(regret.columns[row]) for row in played.to_numpy()))
    blocks = []
    for algorithms in [one for one in sets if len(one) >= LEAST_ALGORITHMS] or sets:
        games = played[list(algorithms)].all(axis=1)
        blocks.append(regret.loc[games, list(algorithms)])
    return Block(max(blocks, key=lambda block: (block.size, len(block))).astype(float))


def summarise(runs: Sequence[Run]) -> pd.DataFrame:
    """Return a row a game and algorithm that enters, the best first, with what its paper's block says of it."""
    rows = [
        {
            "paper": run.paper,
            "environment": run.environment["name"],
            "data": run.environment["data_note"],
            "stand_in": run.environment["stand_in"],
            "algorithm": run.title,
            "file": run.settings["algorithm"],
            "regret": np.inf if run.lost else float(run.regret[:, -1].mean()),
            "std": float(np.std(run.regret[:, -1], ddof=min(1, len(run.seeds) - 1))),
            "n": len(run.seeds),
            "lost": run.lost,
        }
        for run in runs
        if enters(run)
    ]
    found = []
    for _, league in pd.DataFrame(rows, columns=COLUMNS[:10]).groupby("paper", sort=False):
        block = largest_block(league.pivot(index="environment", columns="algorithm", values="regret"))
        inside = league["algorithm"].isin(block.regret.columns) & league["environment"].isin(block.regret.index)
        league = league.assign(
            rank=league.groupby("environment")["regret"].rank(),
            in_block=inside,
            average_rank=league["algorithm"].map(block.ranks.mean()),
            # As text: numbers of a table are rounded, and a p of 0 says what no test can.
            friedman_p=f"{block.friedman_p:.3g}" if block.tested else "",
            critical_difference=block.critical_difference,
        )
        places = {name: place for place, name in enumerate(league["environment"].unique())}
        found.append(
            league.sort_values(["environment", "rank"], key=lambda c: c.map(places) if c.name != "rank" else c)
        )
    table = pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=COLUMNS)
    return table.replace({"regret": {np.inf: np.nan}})


def load(paths: Sequence[Path]) -> list[Run]:
    """Read run tables."""
    return [load_run(path) for path in paths]


def standings(league: pd.DataFrame) -> pd.DataFrame:
    """Return the average ranks of the algorithms of one paper's block, the best first."""
    known = league.dropna(subset="average_rank").drop_duplicates("algorithm")
    return known.sort_values("average_rank", kind="stable")


def block_words(league: pd.DataFrame) -> str:
    """Say how large the block of one paper is, and what the tests say of it."""
    inside = league[league["in_block"].astype(bool)]
    size = f"{inside['algorithm'].nunique()} algorithms on {inside['environment'].nunique()} games"
    first = league.iloc[0]
    if pd.isna(first["critical_difference"]):
        return f"{size}: too few to test"
    return f"{size}; Friedman p = {first['friedman_p']}, critical difference {first['critical_difference']:.2f}"


def markdown(table: pd.DataFrame, title: str) -> str:
    """Return the average ranks as Markdown, one block a paper."""
    lines = [f"# {title}", "", NOTE]
    for paper, league in table.groupby("paper", sort=False):
        lines += ["", f"**{paper}** ({block_words(league)})", "", "| algorithm | average rank |", "|---|---:|"]
        lines += [f"| {row.algorithm} | {row.average_rank:.2f} |" for row in standings(league).itertuples()]
    return "\n".join(lines) + "\n"


def latex(table: pd.DataFrame, title: str) -> str:
    """Return the average ranks as a LaTeX ``tabular`` (package booktabs)."""
    lines = [f"% {escape(title)}", r"\begin{tabular}{llr}", r"\toprule", r"paper & algorithm & average rank \\"]
    for paper, league in table.groupby("paper", sort=False):
        lines.append(r"\midrule")
        for row in standings(league).itertuples():
            lines.append(rf"{escape(str(paper))} & {escape(str(row.algorithm))} & {row.average_rank:.2f} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", f"% {escape(NOTE)}"]) + "\n"


def main(argv: list[str] | None = None) -> None:
    """Write the league of some run tables."""
    write_table(argv, "Rank algorithms over games.", summarise, markdown, latex, lambda table: NOTE, load)


if __name__ == "__main__":
    run_script(main)
