"""Go on with a run in another checkout, and save the readings of headlines that are finished.

    python -m manybandits.planning.progress resume paper-scale --cores 2
    python -m manybandits.planning.progress save readings

A run at the papers' scale takes days. Its run tables are in ``reports/<run>/runs``, each as soon as it is played, and
can be committed there. ``resume``, in a fresh clone, tells Snakemake which of them this clone would make again with the
same bytes, and takes those of other runs that have plays in common; the next ordinary call of Snakemake plays the rest.
Whether a table would be made again follows from what it says of itself: the code, the arguments of its play, and the
bytes of its game, which is made here first.

Of the readings of headlines no run tables are committed, but verdicts. ``save`` makes what rests on those that are
there, as if the run had no other headlines.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from manybandits.base.artifacts import provenance_path
from manybandits.base.exceptions import InputError, run_script
from manybandits.harness.play_options import all_cores
from manybandits.planning.checkout import Checkout, checkout_of
from manybandits.planning.current import made_alike, other_game
from manybandits.planning.failures import reasons_in
from manybandits.planning.jobs import Play
from manybandits.planning.verify import derive
from manybandits.planning.workflow import Workflow
from manybandits.results.readings_table import TABLES

OF_READINGS = ("committed_readings", "choices", "curve", "summaries")
"""The rules that make what is derived of readings."""


def resume(checkout: Checkout, cores: int) -> list[str]:
    """Tell Snakemake which run tables it need not make; return lines about those of each paper.

    Those of other runs will do, as runs may have plays in common, and are copied. All tables of a game that has other
    bytes here are left to play: its rounds are others, and algorithms are compared on the same ones.
    """
    run, own = checkout.run, Path(checkout.run.kept)
    places = [own, *sorted(set(Path("reports").glob("*")) - {own})]
    wanted = {table: job for jobs in run.committed.values() for table, job in jobs.items()}
    found: dict[str, Path] = {}
    for table, job in wanted.items():
        alike = (place / table for place in places if made_alike(job, place / table))
        if path := next(alike, None):
            found[table] = path
    # Games first: if one cannot be made, nothing was copied that Snakemake does not know.
    make_games(checkout, list(found), cores)
    games = Path(run.data, "environments")
    other = {table: name for table, path in found.items() if (name := other_game(path, games))}
    same = {table: path for table, path in found.items() if table not in other}
    for table in wanted:
        kept = own / table
        if table not in same:
            if kept.is_file():
                os.utime(kept, (1, 1))  # or Snakemake may take it for current; it takes 0 for no time
        elif same[table] != kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(same[table], kept)
            shutil.copyfile(provenance_path(same[table]), provenance_path(kept))
    if same:
        touched = "--touch", "--force", "--", *(f"{run.kept}/{table}" for table in same)
        _check(run, checkout.snakemake(cores, *touched))
    said = []
    for paper, jobs in run.committed.items():
        here = sum(same.get(table) == own / table for table in jobs)
        taken = sum(table in same for table in jobs) - here
        left = len(jobs) - here - taken
        if any((place / table).is_file() for place in places for table in jobs):
            copies = f", {taken} are those of other runs" if taken else ""
            said.append(f"{paper}: {here} of {len(jobs)} tables stay as they are{copies}, {left} are left to play")
        if names := sorted({other[table].removesuffix(".npz") for table in jobs if table in other}):
            said.append(
                f"{paper}: left are all tables of {', '.join(names)}, whose bytes, and so whose rounds, are others "
                "here: this processor is of another kind, or Python has another zlib than the usual 1.2.13. Play them "
                "again, or go on where the games are the same."
            )
    return said


def save(checkout: Checkout) -> list[str]:
    """Make what rests on the tables of readings that are there; return a line about them, none if there are none."""
    run, again = checkout.run, checkout.from_tables()
    saved = again.run
    if not saved.curves:
        return []
    wanted = [output for job in saved.jobs if job.rule.name in OF_READINGS for output in job.outputs]
    wanted = wanted if saved.committed else saved.derived
    _check(saved, derive(again, 1, wanted))
    for made in wanted:
        kept = Path(run.report, Path(made).relative_to(saved.report))
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, kept)
    return [f"{run.report}/{TABLES}: {len(saved.curves)} of {len(run.curves)} headlines"]


def _check(run: Workflow, failed: str) -> None:
    """Raise InputError with the reasons in what Snakemake printed, if it failed."""
    if failed:
        said = reasons_in(failed) or failed.strip().rpartition("\n")[2]
        raise InputError(f"Snakemake failed: {said}; see the logs in {run.work}/logs.")


def make_games(checkout: Checkout, tables: Sequence[str], cores: int) -> None:
    """Make the games that run tables were played on. Snakemake wants to see them beside the tables."""
    run = checkout.run
    played = [job for jobs in run.committed.values() for table, job in jobs.items() if table in set(tables)]
    games = {f"{run.data}/environments/{one.environment.name}.npz" for one in played if isinstance(one, Play)}
    if games:
        _check(run, checkout.snakemake(cores, "--", *sorted(games)))


def main(argv: list[str] | None = None) -> None:
    """Save a run, or resume it."""
    parser = argparse.ArgumentParser(description="Save what a run has played so far, or go on with it elsewhere.")
    parser.add_argument("command", choices=("save", "resume"))
    parser.add_argument("run", help="name of a run, such as paper-scale")
    parser.add_argument("--cores", type=int, default=all_cores(), help="for the games of a resumed run")
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the Snakefile (default: this one)")
    args = parser.parse_args(argv)
    with contextlib.chdir(args.root):
        checkout = checkout_of(args.run)
        said = save(checkout) if args.command == "save" else resume(checkout, args.cores)
    if not said:
        what = "no finished readings" if args.command == "save" else "no run table in reports"
        raise InputError(f"the run {args.run} has {what}: run Snakemake with its configuration.")
    sys.stdout.write("\n".join(said) + "\n")


if __name__ == "__main__":
    run_script(main)
