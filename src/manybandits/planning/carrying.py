"""Carry the identities of packed run tables over an edit of the code that changes no value.

    python -m manybandits.planning.carrying paper-scale --cores 2

Whether a packed table would be made again with the same bytes is decided by its identity, which follows from all code
that its play imports (`manybandits.base.sources`), so that code that is merely moved changes it. This plays the first
`ROUNDS` rounds of packed tables again: the cheapest of each algorithm, with each set of options that a paper fixes, on
each kind of game and under each protocol, with its first seed and the options that tuning chose. Where regret and
reward are those of the table, all tables of that kind that were asked for as they are now get the identity that they
have here. The others keep theirs, and are named. A game whose file has the same bytes here is preferred to a cheaper
one: on another file values may be others, because features were computed on a processor of another kind, or the same,
because the file only says more of the game. Other games are not compared: a run that is resumed compares the bytes of
every one. A table of errors of estimators is a kind of its own, of which the errors for the first seed are measured
again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Generic, TypeVar

import pandas as pd

from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import FACTS_KEY, provenance_path, save_json
from manybandits.base.exceptions import run_script
from manybandits.environments.game_file import load_game
from manybandits.estimators import comparison
from manybandits.harness.arguments import expand_grid
from manybandits.harness.replicas import play_replicas
from manybandits.planning.cost_model import CostModel
from manybandits.planning.figures import Regression
from manybandits.planning.jobs import Play
from manybandits.planning.progress import Checkout, checkout_of, make_games, other_games
from manybandits.results.packed import Packed, read_packed
from manybandits.results.run_table import describe
from manybandits.results.runs import kept

ROUNDS = 500
COMPARED = ["seed", "round", "regret", "reward"]
"""Other measures are means over the rounds since the row before, and so depend on how far apart rows are."""

Kind = tuple[str, str, str]
Made = TypeVar("Made", Play, Regression)
"""What a packed table is made by."""


@dataclass(frozen=True)
class Stale(Generic[Made]):
    """A packed table of another identity than it would have here, although it was asked for alike."""

    pack: str
    path: str  # runs/<name>.parquet or regressions/<name>.parquet
    job: Made

    @property
    def kind(self) -> Kind:
        """What plays share whose values change together: the algorithm with its options, the protocol, the game."""
        if isinstance(self.job, Regression):
            return self.path, "", ""
        return self.job.spec.title, self.job.spec.protocol, self.job.environment.module


def asked_alike(job: Play | Regression, settings: Mapping[str, Any]) -> bool:
    """Whether a table with these settings was asked for as it is now."""
    if isinstance(job, Regression):
        return bool(json.loads(json.dumps(_asked(job).settings)) == settings)
    spec, algorithm = job.spec, catalogue.load(job.spec.algorithm)
    asked = json.loads(spec.to_json()) | {"grid": contract.known_to(spec.protocol, algorithm, spec.grid)}
    return all(settings[key] == value for key, value in asked.items() if value or key not in ("game", "title"))


def stale_of(packed: Packed, known: Mapping[str, Made]) -> list[Stale[Made]]:
    """Return the tables of a packed file that have another identity here, and were asked for as they are now.

    known: by the paths of their tables.
    """
    older = [path for path, one in packed.identities.items() if path in known and known[path].identity != one]
    made = packed.provenances(older)
    return [
        Stale(packed.path.stem, path, known[path]) for path in older if asked_alike(known[path], made[path]["settings"])
    ]


def first_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return the evaluation of a run table for its first seed, with the chosen options, up to round `ROUNDS` or one."""
    rows = table[(table["stage"] == "evaluation") & table["chosen"]]
    rows = rows[rows["seed"] == rows["seed"].iloc[0]]
    last = rows.loc[rows["round"] >= min(ROUNDS, rows["round"].max()), "round"].min()
    return rows[rows["round"] <= last]


def has_same_values(play: Play, game: Path, rows: pd.DataFrame) -> bool:
    """Play the first rounds of a table again, and return whether regret and reward are those of the table.

    rows: see `first_rows`.
    """
    spec, algorithm = play.spec, catalogue.load(play.spec.algorithm)
    points = expand_grid(algorithm, contract.known_to(spec.protocol, algorithm, spec.grid), play.name)
    words = set(str(rows["options"].iloc[0]).split())
    chosen = [point for point in points if words <= set(describe(point).split())]  # a newer option has its default
    if not chosen:
        return False
    values = play_replicas(
        load_game(game),
        algorithm,
        chosen,
        [int(rows["seed"].iloc[0])],
        protocol=spec.protocol,
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


def has_same_errors(one: Regression, errors: pd.DataFrame, facts: Mapping[str, Any]) -> bool:
    """Measure the errors for the first seed of a table again, and return whether they are those of the table."""
    asked = _asked(one)
    seeds, points = asked.seeds[:1], comparison.points_of(asked.sets, asked.sweeps)
    if not points:
        return comparison.coefficients(comparison.Point.of(asked.sets), *seeds).equals(errors)
    now = [comparison.errors_at(name, points[name], seeds, facts["constants"][name])[0] for name in points]
    return pd.concat(now, ignore_index=True).equals(errors[errors["seed"] == seeds[0]].reset_index(drop=True))


def _asked(one: Regression) -> comparison.Asked:
    """Return the table of errors that is asked for."""
    return comparison.read_arguments([*one.arguments(), "--out", one.file])


def _reasons(compared: Iterable[Stale[Made]], equal: Iterable[bool], other: Collection[str] = ()) -> dict[Kind, str]:
    """Return why kinds are not carried over of which a table was compared; "" if its values are equal.

    other: the tables whose game has other bytes here.
    """
    return {
        one.kind: ""
        if fits
        else f"{one.path}: {'its game has other bytes here, and ' * (one.path in other)}its values are others"
        for one, fits in zip(compared, equal, strict=True)
    }


def compared_errors(packs: Mapping[str, Packed], found: Sequence[Stale[Regression]], cores: int) -> dict[Kind, str]:
    """Return why tables of errors are not carried over; "" if they are. packs: by name, those that hold the tables."""
    wanted = {one.path: one for one in found}
    tables = [
        (wanted[path], table.to_pandas(), json.loads(table.schema.metadata[FACTS_KEY]))
        for packed in packs.values()
        for path, table, _ in packed.tables(wanted)
    ]
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        equal = pool.map(has_same_errors, *zip(*((one.job, *rest) for one, *rest in tables), strict=True))
        return _reasons([one for one, *_ in tables], equal)


def compared_plays(
    checkout: Checkout, packs: Mapping[str, Packed], found: Sequence[Stale[Play]], cores: int
) -> dict[Kind, str]:
    """Return why run tables of a kind are not carried over; "" if they are. packs: by name, those that hold the tables.

    The cheapest table of each kind is played again, of those whose game has the same bytes here, or else of all.
    """
    root, run, model = checkout.root, checkout.run, CostModel()
    kinds: dict[Kind, list[Stale[Play]]] = defaultdict(list)
    for one in sorted(found, key=lambda one: (model.of_play(one.job).seconds, one.path)):
        kinds[one.kind].append(one)
    make_games(checkout, [one.path for one in found], cores)
    games, other = root / run.data / "environments", dict[str, str]()
    for name, packed in packs.items():
        other |= other_games(games, packed, [one.path for one in found if one.pack == name])
    played = [next((one for one in alike if one.path not in other), alike[0]) for alike in kinds.values()]
    rows = {
        path: first_rows(table.to_pandas())
        for name, packed in packs.items()
        for path, table, _ in packed.tables({one.path for one in played if one.pack == name})
    }
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        paths = [games / f"{one.job.environment.name}.npz" for one in played]
        equal = pool.map(has_same_values, [one.job for one in played], paths, [rows[one.path] for one in played])
        return _reasons(played, equal, other)


def carry(checkout: Checkout, cores: int) -> list[str]:
    """Write the identities that packed tables have here; return a line for each file, and for each kind left."""
    root, run = checkout.root, checkout.run
    paths = (root / run.packs / f"{name}.parquet" for name in run.packed)
    packs = {path.stem: read_packed(path) for path in paths if path.is_file()}
    plays = {f"runs/{name}.parquet": play for name, play in run.plays.items()}
    errors = {one.file: one for one in run.regressions.values()}
    played = [one for packed in packs.values() for one in stale_of(packed, plays)]
    measured = [one for packed in packs.values() for one in stale_of(packed, errors)]
    why = compared_plays(checkout, packs, played, cores) | compared_errors(packs, measured, cores)
    found: list[Stale[Play] | Stale[Regression]] = [*played, *measured]
    said = []
    for name in sorted({one.pack for one in found}):
        path, beside = packs[name].path, packs[name].beside
        new = {one.path: one.job.identity for one in found if one.pack == name and not why[one.kind]}
        save_json(provenance_path(path), {**beside, "identities": {**beside["identities"], **new}})
        stay = sum(one.pack == name for one in found) - len(new)
        said.append(f"{path.relative_to(root)}: {len(new)} identities carried over, {stay} stay as they are")
    return [*said, *sorted(f"not carried over: {reason}" for reason in why.values() if reason)]


def main(argv: Sequence[str] | None = None) -> None:
    """Carry the identities of a run's packed tables over."""
    parser = argparse.ArgumentParser(description="Carry identities of packed tables over an edit of code.")
    parser.add_argument("run", help="name of a run, such as paper-scale")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the Snakefile (default: this one)")
    given = parser.parse_args(argv)
    said = carry(checkout_of(given.root, given.run), given.cores)
    sys.stdout.write("\n".join(said or ["every packed table has the identity that it has here"]) + "\n")


if __name__ == "__main__":
    run_script(main)
