"""Carry committed run tables over an edit of the code that changes no value.

    python -m manybandits.planning.carrying paper-scale --cores 2

A run table stores the digest of all code that its play imports (`manybandits.base.sources`), so that after code was
merely moved it seems to be made by other code. This plays the first `ROUNDS` rounds of such tables again: of those that
the same code made, the cheapest of each algorithm, with each set of options that a paper fixes, on each kind of game
and of data and under each protocol, with its first seed and the options that tuning chose. Where regret and reward are
those of the table, all tables of that kind that were asked for as they are now get the digest of the code that is here.
The others keep theirs, and are named. A game whose file has the same bytes here is preferred to a cheaper one: on
another file values may be others, because features were computed on a processor of another kind, or the same, because
the file only says more of the game. Other games are not compared: a run that is resumed compares the bytes of
every one. A table of errors of estimators is a kind of its own, of which the errors for the first seed are measured
again.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from manybandits import datasets
from manybandits.algorithms import catalogue
from manybandits.base.artifacts import load_facts, load_provenance, load_table, provenance_path, save_json
from manybandits.base.exceptions import run_script
from manybandits.environments.game_file import load_game
from manybandits.estimators import comparison
from manybandits.harness.arguments import expand_grid
from manybandits.harness.play_options import all_cores
from manybandits.harness.replicas import play_replicas
from manybandits.planning.checkout import Checkout, checkout_of
from manybandits.planning.cost_model import CostModel
from manybandits.planning.current import asked, digest_of, made_alike, other_game
from manybandits.planning.figures import Regression
from manybandits.planning.jobs import Play
from manybandits.planning.progress import make_games
from manybandits.results.run_table import describe, kept

ROUNDS = 500
COMPARED = ["seed", "round", "regret", "reward"]
"""Other measures are means over the rounds since the row before, and so depend on how far apart rows are."""

Kind = tuple[str, str, str, str]


class Stale(NamedTuple):
    """A run table that other code made, although it was asked for alike."""

    path: Path
    table: str  # its path below the folder of the run: runs/<name>.parquet or regressions/<name>.parquet
    job: Any  # the play or the regression that makes it
    code: str  # the digest of the code that made it

    @property
    def kind(self) -> Kind:
        """What plays share whose values change together: the algorithm with its options, the protocol and the game
        with the kind of its data, and the code that made them.
        """
        if isinstance(self.job, Regression):
            return self.table, "", "", self.code
        game = self.job.environment
        data = {datasets.load(name).DATASET.kind for name in game.datasets}  # long contexts are played by other code
        return self.job.spec.title, game.protocol, " ".join([game.module, *sorted(data)]), self.code


def stale_of(checkout: Checkout) -> list[Stale]:
    """Return the run tables that other code made, and that were asked for as they are now."""
    run = checkout.run
    made = {table: job for jobs in run.committed.values() for table, job in jobs.items()}
    paths = {table: Path(run.kept, table) for table in made}
    return [
        Stale(paths[table], table, job, load_provenance(paths[table])["code"].get("digest", ""))
        for table, job in made.items()
        if made_alike(job, paths[table], any_code=True) and not made_alike(job, paths[table])
    ]


def first_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return the evaluation of a run table for its first seed, with the chosen options, up to round `ROUNDS` or one."""
    rows = table[(table["stage"] == "evaluation") & table["chosen"]]
    rows = rows[rows["seed"] == rows["seed"].iloc[0]]
    last = rows.loc[rows["round"] >= min(ROUNDS, rows["round"].max()), "round"].min()
    return rows[rows["round"] <= last]


def has_same_values(play: Play, game: Path, table: Path) -> bool:
    """Play the first rounds of a run table again, and return whether regret and reward are those of the table."""
    rows = first_rows(load_table(table))
    spec, algorithm = play.spec, catalogue.load(play.spec.algorithm)
    points = expand_grid(algorithm, spec.grid, play.name)
    words = set(str(rows["options"].iloc[0]).split())
    chosen = [point for point in points if words <= set(describe(point).split())]  # a newer option has its default
    if not chosen:
        return False
    values = play_replicas(
        load_game(game),
        algorithm,
        chosen,
        [int(rows["seed"].iloc[0])],
        horizon=spec.horizon,
        rounds=int(rows["round"].max()),
        progress=False,
    )
    values = kept(values.assign(stage="evaluation"))[COMPARED].astype(float)
    rows = rows[COMPARED].astype(float)
    return _at_rounds_of(rows, values).equals(_at_rounds_of(values, rows))


def _at_rounds_of(table: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table for those rounds that another one has, too."""
    return table[table["round"].isin(other["round"])].reset_index(drop=True)


def has_same_errors(one: Regression, table: Path) -> bool:
    """Measure the errors for the first seed of a table again, and return whether they are those of the table."""
    errors, facts, wanted = load_table(table), load_facts(table), asked(one)
    seeds, points = wanted.seeds[:1], comparison.points_of(wanted.sets, wanted.sweeps)
    if not points:
        return comparison.coefficients(comparison.Point.of(wanted.sets), *seeds).equals(errors)
    now = [comparison.errors_at(name, points[name], seeds, facts["constants"][name])[0] for name in points]
    return pd.concat(now, ignore_index=True).equals(errors[errors["seed"] == seeds[0]].reset_index(drop=True))


def is_equal(one: Stale, games: Path) -> bool:
    """Return whether the values of now are those of a table. games: the folder of games."""
    if isinstance(one.job, Regression):
        return has_same_errors(one.job, one.path)
    return has_same_values(one.job, games / f"{one.job.environment.name}.npz", one.path)


def reasons_against(checkout: Checkout, found: Sequence[Stale], cores: int) -> dict[Kind, str]:
    """Return why tables of a kind are not carried over; "" if they are.

    The cheapest table of each kind is made again, of those whose game has the same bytes here, or else of all.
    """
    games, model = Path(checkout.run.data, "environments"), CostModel()
    played = [one for one in found if isinstance(one.job, Play)]
    make_games(checkout, [one.table for one in played], cores)
    other = {one.table for one in played if other_game(one.path, games)}
    seconds = {one.table: model.of_play(one.job).seconds for one in played}
    kinds: dict[Kind, Stale] = {}
    for one in sorted(found, key=lambda one: (one.table in other, seconds.get(one.table, 0), one.table)):
        kinds.setdefault(one.kind, one)
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        equal = dict(zip(kinds, pool.map(is_equal, kinds.values(), repeat(games)), strict=True))
    return {kind: "" if equal[kind] else _reason(one.table, other) for kind, one in kinds.items()}


def _reason(table: str, other: Collection[str]) -> str:
    """Return why a table is not carried over. other: those whose game has other bytes here."""
    return f"{table}: {'its game has other bytes here, and ' * (table in other)}its values are others"


def carry(checkout: Checkout, cores: int) -> list[str]:
    """Write the digests of the code that is here to run tables; return lines about those that stay as they are."""
    found = stale_of(checkout)
    why = reasons_against(checkout, found, cores)
    carried = [one for one in found if not why[one.kind]]
    for one in carried:
        made = load_provenance(one.path)
        save_json(provenance_path(one.path), {**made, "code": {**made["code"], "digest": digest_of(one.job)}})
    said = [f"{len(carried)} tables carried over, {len(found) - len(carried)} stay as they are"] if found else []
    return [*said, *sorted(f"not carried over: {reason}" for reason in why.values() if reason)]


def main(argv: Sequence[str] | None = None) -> None:
    """Carry the tables of a run over."""
    parser = argparse.ArgumentParser(description="Carry committed run tables over an edit of the code.")
    parser.add_argument("run", help="name of a run, such as paper-scale")
    parser.add_argument("--cores", type=int, default=all_cores())
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the Snakefile (default: this one)")
    args = parser.parse_args(argv)
    with contextlib.chdir(args.root):
        said = carry(checkout_of(args.run), args.cores)
    sys.stdout.write(
        "\n".join(said or ["every table was made by the code that is here, or asked for otherwise"]) + "\n"
    )


if __name__ == "__main__":
    run_script(main)
