"""Join the league: play algorithms of one's own on the games of an arena, beside the runs of all others.

Runs of others are not played again if there are any: those that were played here before, in
``artifacts/league/<run>``, and those of the run in ``reports/<run>/runs``. A run counts if it played the same game with
the same settings; only those that were played here must be of the code as it is now.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from manybandits import datasets
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest
from manybandits.compiling.progress import announce_compilation
from manybandits.datasets.build import build
from manybandits.environments.catalogue import load_module, module_of
from manybandits.harness.play import play
from manybandits.planning.configuration import Configuration
from manybandits.planning.current import made_alike, other_game
from manybandits.planning.jobs import Environment, Play
from manybandits.planning.league import make_arenas
from manybandits.planning.preferences import RAW

FOLDER = Path("artifacts/league")


class Joined(Struct, frozen=True):
    """What was played and found. tables: the run tables of the whole arena; added: titles of those that joined."""

    tables: tuple[Path, ...]
    added: tuple[str, ...]
    played: int  # how many of the tables were played now
    committed: int  # how many are those of the run, and may be of another version of the code


def join(
    config: Configuration, root: Path, arena: str, *, threads: int = 1, tell: Callable[[str], object] = print
) -> Joined:
    """Play what is missing of an arena with the algorithms that a configuration adds; return all its run tables.

    root: the folder that holds ``workflow``; tell: function that is called with a sentence about each play. Raises
    InputError if the configuration has no data for the arena, or if an algorithm cannot play there.
    """
    arenas = make_arenas(replace(config, league=(arena,)), root)
    if not arenas:
        raise InputError(
            f"the run {config.name!r} has no data for the arena {arena!r}: choose another one, or its data."
        )
    plays = arenas[0].plays
    for name in config.add:
        if not any(one.spec.algorithm == name for one in plays):
            raise InputError(
                f"{name} does not play in the arena {arena!r}, whose file leaves it out: choose another one."
            )
    games = {one.environment.name: frozen(one.environment, config) for one in plays}
    tables, committed = kept_runs(plays, games, config.name)
    missing = [one for one in plays if one.name not in tables]
    for number, one in enumerate(missing, 1):
        out = FOLDER / config.name / "runs" / f"{one.name}.parquet"
        with announce_compilation(one.spec.title):
            told = play(games[one.environment.name], one.spec, out, threads=threads, device=config.device)
        tell(f"{number} of {len(missing)}: {told.partition('; written')[0]} ({one.environment.name})")
        tables[one.name] = out
    added = dict.fromkeys(one.spec.title for one in plays if one.spec.algorithm in config.add)
    return Joined(tuple(tables[one.name] for one in plays), tuple(added), len(missing), committed)


def frozen(environment: Environment, config: Configuration) -> Path:
    """Return the file of a game, which is made, with its data, if it was not made by the code as it is now."""
    inputs = map(datasets.digest_of, environment.datasets)
    key = "\n".join((digest(module_of(environment.module)), *inputs, *environment.arguments))
    folder = FOLDER / "games" / hashlib.sha256(key.encode()).hexdigest()[:16]
    path = folder / f"{environment.name}.npz"
    if not path.exists():
        tidy = [build(datasets.load(name), RAW, folder / "tidy", config.data.mirror) for name in environment.datasets]
        flags = ["--tidy", *map(str, tidy)] if tidy else []
        load_module(environment.module).main([*environment.arguments, *flags, "--out", str(path)])
    return path


def kept_runs(plays: Sequence[Play], games: Mapping[str, Path], name: str) -> tuple[dict[str, Path], int]:
    """Return the run tables of those plays that need not be played, by name, and how many are committed ones.

    games: their files, by name; name: that of the run.
    """
    mine, committed = dict[str, Path](), dict[str, Path]()
    for one in plays:
        here, theirs = (folder / "runs" / f"{one.name}.parquet" for folder in (FOLDER / name, Path("reports", name)))
        folder = games[one.environment.name].parent
        if made_alike(one, here) and not other_game(here, folder):
            mine[one.name] = here
        elif made_alike(one, theirs, any_code=True) and not other_game(theirs, folder):
            committed[one.name] = theirs
    return mine | committed, len(committed)
