"""How often successive halving would have chosen the point that tuning over all points chose.

    python benchmarks/halving.py reports/smoke/runs

Plays the tuning of the run tables below a folder again, on the games in ``artifacts/data/environments``, since tables
have the end of it alone. A row is a paper.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
import pandas as pd
from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_facts, load_provenance
from manybandits.base.exceptions import run_script
from manybandits.environments.game_file import load_game
from manybandits.harness.play import play_game
from manybandits.harness.spec import PlaySpec
from manybandits.harness.tuning import rungs_of

GAMES = Path("artifacts/data/environments")


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
    settings, (game,) = load_facts(path)["settings"], load_provenance(path)["inputs"]
    known = {name: settings[name] for name in PlaySpec.__struct_encode_fields__ if name in settings}
    spec = replace(msgspec.convert(known, PlaySpec), seeds=(0,))
    algorithm = catalogue.load(spec.algorithm)
    played = play_game(load_game(GAMES / game), algorithm, spec, game, sources="")
    tuning = played.table.query("stage == 'tuning'")
    regret = tuning.pivot_table(index="round", columns="options", values="regret", sort=False).sort_index()
    if len(regret) < 2:
        return None
    mine, theirs = chosen_by_halving(regret), str(played.facts["chosen"])
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
