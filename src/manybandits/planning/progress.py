"""Save what a run has played so far, and go on with it in another checkout.

    python -m manybandits.planning.progress save paper-scale
    python -m manybandits.planning.progress resume paper-scale --cores 2

A run at the papers' scale takes days. ``save`` packs the run tables that are finished into ``reports/<run>/runs``,
where they can be committed. ``resume``, in a fresh clone, unpacks those that this clone would make again with the same
bytes, whichever run played them, and tells Snakemake so; the next ordinary call of Snakemake plays the rest. Whether a
table would be made again is decided by its identity, a digest of the code and the arguments of its play, of its game
and of its data, and by the bytes of its game, which is made here first.

Of the readings of headlines no run tables are committed, but verdicts. ``save`` makes what rests on those that are
there, as if the run had no other headlines.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from manybandits.base.artifacts import sha256
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.planning.configuration import configurations, load_configuration
from manybandits.planning.failures import reasons_in
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.verify import derive, run_of, snakemake
from manybandits.planning.workflow import Run
from manybandits.results.packed import Packed, pack, read_packed, unpack
from manybandits.results.readings_table import TABLES

OF_READINGS = ("committed_readings", "choices", "curve", "summaries")
"""The rules that make what is derived of readings."""


class Checkout(NamedTuple):
    """A run in the checkout that holds its Snakefile. overlays: the configuration files that make the run."""

    root: Path
    overlays: Sequence[Path]
    run: Run

    def snakemake(self, cores: int, *arguments: str) -> str:
        """Call Snakemake and return what it prints; raise InputError with its reasons if it fails."""
        done = snakemake(self.root, self.overlays, cores, *arguments)
        if done.returncode:
            raise _failure(self.run, done.stderr)
        return done.stdout


def save(checkout: Checkout) -> list[str]:
    """Pack the finished run tables of a run, and gather its readings; return one line for each pack, and one for these.

    Tables that Snakemake would make again, because their code or configuration was edited since, are left out.
    """
    run, root = checkout.run, checkout.root
    finished = _finished(checkout) if run.packed else set()
    said = []
    for name, wanted in run.packed.items():
        identities = {f"{run.work}/{table}": one for table, one in run.identities(name).items()}
        tables = [path for path in run.tables_in(name) if path in finished]
        measured = [path for path in run.measured_in(name, ".csv") if path in finished]
        if tables:
            out = root / run.packs / f"{name}.parquet"
            pack(
                [root / path for path in tables],
                [root / path for path in measured],
                out,
                [identities[path] for path in tables],
            )
            if len(tables) < len(wanted.tables):
                _date_before(out, [root / path for path in tables])
            said.append(f"{run.packs}/{name}.parquet: {len(tables)} of {len(wanted.tables)} tables")
    return [*said, *_gathered(checkout)]


def resume(checkout: Checkout, cores: int) -> list[str]:
    """Unpack the run tables that are missing here and would be made with the same bytes; return lines about each file.

    Those of other runs will do, as runs may have plays in common. All tables of a game that has other bytes here are
    left to play: its rounds are others, and algorithms are compared on the same ones.
    """
    run, root = checkout.run, checkout.root
    missing = {name: _missing(checkout, name) for name in run.packed}
    fitting = {name: _fitting(root, name, tables) for name, tables in missing.items()}
    # Games first: if one cannot be made, no table lies there that Snakemake does not know, and would make again.
    make_games(checkout, [table for found in fitting.values() for _, tables in found for table in tables], cores)
    said: list[str] = []
    taken: list[str] = []
    for name, found in fitting.items():
        left = len(missing[name])
        for packed, fits in found:
            tables = [table for table in fits if table not in taken]
            other = other_games(root / run.data / "environments", packed, tables)
            same = [table for table in tables if table not in other]
            unpack(packed, root / run.work, None, same)
            taken += same
            left -= len(same)
            path = packed.path.relative_to(root)
            said.append(
                f"{path}: {len(same)} of {len(packed.members)} tables unpacked, "
                f"{left} of {len(run.packed[name].tables)} are left to play"
            )
            if other:
                said.append(f"{path}: {_why_left(other)}")
    if taken:
        checkout.snakemake(cores, "--touch", "--force", "--", *(f"{run.work}/{table}" for table in taken))
    return said


def _missing(checkout: Checkout, name: str) -> dict[str, str]:
    """Return the tables of a pack that are not there, with their identities."""
    run, root = checkout.run, checkout.root
    return {table: one for table, one in run.identities(name).items() if not (root / run.work / table).is_file()}


def _fitting(root: Path, name: str, missing: Mapping[str, str]) -> list[tuple[Packed, list[str]]]:
    """Return the packed files of this name, of all runs, each with those missing tables that it has."""
    found = [read_packed(path) for path in sorted(root.glob(f"reports/*/runs/{name}.parquet"))]
    return [
        (packed, [table for table, identity in missing.items() if packed.identities.get(table) == identity])
        for packed in found
    ]


def _gathered(checkout: Checkout) -> list[str]:
    """Make what rests on the tables of readings that are there; return a line about them, none if there are none."""
    root, run = checkout.root, checkout.run
    if not run.curves or not (saved := run_of(root, checkout.overlays)).curves:
        return []
    wanted = [output for job in saved.jobs if job.rule.name in OF_READINGS for output in job.outputs]
    wanted = wanted if saved.packed else saved.derived
    if failed := derive(root, saved, checkout.overlays, 1, wanted):
        raise _failure(saved, failed)
    for made in wanted:
        kept = root / run.report / Path(made).relative_to(saved.report)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / made, kept)
    return [f"{run.report}/{TABLES}: {len(saved.curves)} of {len(run.curves)} headlines"]


def _failure(run: Run, stderr: str) -> InputError:
    """Return why Snakemake failed, from what it printed, as the error to raise."""
    said = reasons_in(stderr) or stderr.strip().rpartition("\n")[2]
    return InputError(f"Snakemake failed: {said}; see the logs in {run.work}/logs.")


def _finished(checkout: Checkout) -> set[str]:
    """Return the files of a run that are there and that Snakemake would not make again."""
    packs = [path for path in checkout.run.packed_files if path.endswith(".parquet")]
    rows = checkout.snakemake(1, "--summary", "--", *packs).splitlines()[1:]
    paths = {row.split("\t")[0] for row in rows if row.endswith("\tno update")}
    # Beside a packed file, Snakemake does not miss the tables that it was made from.
    return {path for path in paths if (checkout.root / path).is_file()}


def _date_before(out: Path, tables: Sequence[Path]) -> None:
    """Date a packed file before its tables, so that Snakemake does not take it for that of the whole run."""
    oldest = min(path.stat().st_mtime for path in tables) - 1.0
    os.utime(out, (oldest, oldest))


def make_games(checkout: Checkout, tables: Sequence[str], cores: int) -> None:
    """Make the games that run tables were played on. Snakemake wants to see them beside the tables."""
    run = checkout.run
    played = {f"runs/{name}.parquet": play for name, play in run.plays.items()}
    games = {f"{run.data}/environments/{played[one].environment.name}.npz" for one in tables if one in played}
    if games:
        checkout.snakemake(cores, "--", *sorted(games))


def other_games(games: Path, packed: Packed, tables: Sequence[str]) -> dict[str, str]:
    """Return the packed tables whose game has other bytes here, with the name of the game's file.

    The rounds of a game follow from the bytes of its file. These are others where zlib packs arrays otherwise, and for
    features that libraries compute, where the processor is of another kind: sums in another order end in other digits.
    """
    digests: dict[str, str] = {}
    other: dict[str, str] = {}
    for table, made in packed.provenances(tables).items():
        for name, digest in made["made_from"].items():
            if (game := games / name).is_file() and digest != digests.setdefault(name, sha256(game)):
                other[table] = name
    return other


def _why_left(other: Mapping[str, str]) -> str:
    """Return why tables are left to play whose games have other bytes here. other: see `other_games`."""
    games = sorted({name.removesuffix(".npz") for name in other.values()})
    return (
        f"left are all tables of {', '.join(games)}, whose bytes, and so whose rounds, are others here: this processor "
        "is of another kind, or Python has another zlib than the usual 1.2.13. Play them again, or go on where the "
        "games are the same."
    )


def checkout_of(root: Path, name: str) -> Checkout:
    """Return a run of a checkout; raise InputError naming the nearest run if no configuration makes it."""
    known = configurations(root)
    overlays = known[pick(name, known, "run")]
    config = load_configuration(root, overlays)
    return Checkout(root.resolve(), overlays, Run(load_plan(config, root), config))


def main(argv: list[str] | None = None) -> None:
    """Save a run, or resume it."""
    parser = argparse.ArgumentParser(description="Save what a run has played so far, or go on with it elsewhere.")
    parser.add_argument("command", choices=("save", "resume"))
    parser.add_argument("run", help="name of a run, such as paper-scale")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="for the games of a resumed run")
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the Snakefile (default: this one)")
    given = parser.parse_args(argv)
    checkout = checkout_of(given.root, given.run)
    said = save(checkout) if given.command == "save" else resume(checkout, given.cores)
    if not said:
        what = "no finished run table" if given.command == "save" else "no packed run table in reports"
        raise InputError(f"the run {given.run} has {what}: run Snakemake with its configuration.")
    sys.stdout.write("\n".join(said) + "\n")


if __name__ == "__main__":
    run_script(main)
