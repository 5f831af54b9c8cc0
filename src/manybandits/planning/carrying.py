"""Carry the identities of packed run tables over an edit of the code that changes no value.

    python -m manybandits.planning.carrying digest paper-scale --out before.json     in a checkout before the edit
    python -m manybandits.planning.carrying carry paper-scale --before before.json   in one after it

Whether a packed table would be made again with the same bytes is decided by its identity, which follows from all code
that its play imports (`manybandits.base.sources`), so that code that is merely moved changes it. ``digest`` plays the
first `ROUNDS` rounds of one play of each algorithm with each set of options that a paper fixes, on each kind of game
and under each protocol. ``carry`` plays them again. If all values are equal, each table that was up to date before the
edit, and whose arguments are the same, gets the identity that it has here; if one differs, it is named and nothing is
written. Games are not compared: a run that is resumed compares the bytes of every one.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import provenance_path, save_json
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.sources import digest_of_texts
from manybandits.base.typed import typed_json
from manybandits.environments.game_file import load_game
from manybandits.harness.arguments import expand_grid
from manybandits.harness.replicas import play_replicas
from manybandits.planning.cost_model import CostModel
from manybandits.planning.jobs import Play
from manybandits.planning.progress import Checkout, checkout_of
from manybandits.results.packed import read_packed

ROUNDS = 500


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a checkout.

    values: play -> digest of its values; tables: table -> its identity, and a digest of its arguments.
    """

    values: dict[str, str]
    tables: dict[str, tuple[str, str]]


def chosen(plays: Mapping[str, Play]) -> dict[str, Play]:
    """Return the cheapest play of each algorithm with its fixed options, kind of game and protocol, by name."""
    model, found = CostModel(), dict[tuple[str, str, str], tuple[float, str]]()
    for name, play in plays.items():
        key = play.spec.title, play.spec.protocol, play.environment.module
        found[key] = min(found.get(key, (float("inf"), "")), (model.of_play(play).seconds, name))
    return {name: plays[name] for name in sorted(name for _, name in found.values())}


def digest_of_values(play: Play, game: Path) -> str:
    """Return a digest of all values in the first rounds of a play: of its first and last grid point, on one seed."""
    spec, algorithm = play.spec, catalogue.load(play.spec.algorithm)
    points = expand_grid(algorithm, contract.known_to(spec.protocol, algorithm, spec.grid), play.name)
    values = play_replicas(
        load_game(game),
        algorithm,
        [points[0], points[-1]],
        [spec.seeds[0]] * 2,
        protocol=spec.protocol,
        horizon=spec.horizon,
        rounds=min(ROUNDS, spec.horizon),
        progress=False,
    )
    return hashlib.sha256(values.to_csv(index=False).encode()).hexdigest()[:16]


def known_of(checkout: Checkout, cores: int) -> Known:
    """Make the games of the plays that are chosen, play these, and return what is known of a checkout."""
    run, root = checkout.run, checkout.root
    plays = chosen(run.plays)
    games = {name: f"{run.data}/environments/{play.environment.name}.npz" for name, play in plays.items()}
    checkout.snakemake(cores, "--", *sorted(set(games.values())))
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        values = pool.map(digest_of_values, plays.values(), [root / game for game in games.values()])
        found = dict(zip(plays, values, strict=True))
    tables = {
        f"runs/{name}.parquet": (play.identity, digest_of_texts(*play.arguments(), *play.environment.arguments))
        for name, play in run.plays.items()
    }
    return Known(found, tables)


def carried(packed: Mapping[str, str], before: Known, here: Known) -> dict[str, str]:
    """Return the identities of packed tables after an edit; raise InputError naming a play with another value.

    packed: table -> its identity in the packed file. Tables that were not up to date, or have other arguments, keep
    theirs, and so do tables of errors, which are cheap.
    """
    if other := [name for name, value in before.values.items() if here.values.get(name, value) != value]:
        more = f" and {len(other) - 1} more" if len(other) > 1 else ""
        raise InputError(
            f"{other[0]}{more} has other values than before the edit, so that no table is carried over: undo what "
            "changed them, or play them again."
        )
    if unknown := sorted(set(here.values) - set(before.values)):
        raise InputError(
            f"{unknown[0]} was not played before the edit: make the digests again there, with the configuration of now."
        )
    same = {name for name, (_, arguments) in before.tables.items() if here.tables.get(name, ("", ""))[1] == arguments}
    return {
        name: here.tables[name][0] if name in same and before.tables[name][0] == identity else identity
        for name, identity in packed.items()
    }


def carry(checkout: Checkout, before: Known, here: Known) -> list[str]:
    """Write the identities of a run's packed tables; return one line for each file."""
    said = []
    for name in checkout.run.packed:
        path = checkout.root / checkout.run.packs / f"{name}.parquet"
        packed = read_packed(path)
        identities = carried(packed.identities, before, here)
        changed = sum(identities[table] != identity for table, identity in packed.identities.items())
        save_json(provenance_path(path), {**packed.beside, "identities": identities})
        said.append(f"{path.relative_to(checkout.root)}: {changed} of {len(identities)} identities carried over")
    return said


def main(argv: Sequence[str] | None = None) -> None:
    """Write the digests of a checkout, or carry identities over."""
    parser = argparse.ArgumentParser(description="Carry identities of packed tables over an edit of code.")
    parser.add_argument("command", choices=("digest", "carry"))
    parser.add_argument("run", help="name of a run, such as paper-scale")
    parser.add_argument("--out", type=Path, help="where to write the digests")
    parser.add_argument("--before", type=Path, help="the digests of the checkout before the edit")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the Snakefile (default: this one)")
    given = parser.parse_args(argv)
    wanted = "out" if given.command == "digest" else "before"
    if getattr(given, wanted) is None:
        raise InputError(f"{given.command} needs a file: name it with --{wanted}.")
    before = typed_json(Known, given.before.read_text(encoding="utf-8"), str(given.before)) if given.before else None
    checkout = checkout_of(given.root, given.run)
    here = known_of(checkout, given.cores)
    if before:
        sys.stdout.write("\n".join(carry(checkout, before, here)) + "\n")
    else:
        save_json(given.out, {"values": here.values, "tables": here.tables})


if __name__ == "__main__":
    run_script(main)
