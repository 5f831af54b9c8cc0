"""How often successive halving would have chosen the point that tuning over all points chose.

    python benchmarks/halving.py artifacts/paper-scale/runs

Reads the run tables below a folder, which have the regret of every point at 200 rounds of its tuning; those of a packed
run have only the last, and tell nothing. A row is a paper and a kind of algorithm.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from manybandits.base.artifacts import load_facts, load_table
from manybandits.base.exceptions import run_script
from manybandits.harness.tuning import rungs_of


def chosen_by_halving(regret: pd.DataFrame) -> str:
    """Return the options that halving chooses. regret: mean over seeds, a row per round, a column per point."""
    left = regret.columns
    for rung in rungs_of(int(regret.index[-1])):
        at = regret.loc[:rung].iloc[-1] if rung >= regret.index[0] else regret.iloc[0]
        ranked = at[left].sort_values(kind="stable").index
        left = ranked[: -(-len(ranked) // 2)]
    return str(ranked[0])


def compare(path: Path) -> tuple[bool, float] | None:
    """Return whether halving chooses the same point, and how much more regret its own has; None without tuning."""
    tuning = load_table(path).query("stage == 'tuning'")
    regret = tuning.pivot_table(index="round", columns="options", values="regret", sort=False).sort_index()
    if len(regret) < 2:
        return None
    mine, theirs = chosen_by_halving(regret), str(load_facts(path)["chosen"])
    return mine == theirs, float(regret[mine].iloc[-1] / regret[theirs].iloc[-1] - 1.0)


def main(argv: list[str] | None = None) -> None:
    """Print how often halving agrees, by paper, and what it loses where it does not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, help="a folder of run tables")
    found = [
        (path.relative_to(given).parts[0], *compared)
        for given in [parser.parse_args(argv).runs]
        for path in sorted(given.rglob("*.parquet"))
        if (compared := compare(path))
    ]
    table = pd.DataFrame(found, columns=["paper", "same", "more regret"])
    shown = table.groupby("paper").agg(tunings=("same", "size"), same=("same", "sum"), largest=("more regret", "max"))
    print(shown.to_string(float_format="{:.4f}".format))


if __name__ == "__main__":
    run_script(main)
