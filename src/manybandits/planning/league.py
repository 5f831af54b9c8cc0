"""The arenas of the league: games of one kind, played equally long by every algorithm that can play them.

`workflow/league.yaml` lists the games of each arena, and the algorithms that do not play there with the reason. All
others of this package play, so that a new algorithm enters every arena that does not exclude it. Plug-ins play if the
configuration adds them (``add: [./mine.py]``): what is installed changes no league.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.base.typed import typed
from manybandits.papers.experiment import Entry, Games
from manybandits.papers.settings import Changes, Settings, Value
from manybandits.planning.configuration import Configuration
from manybandits.planning.jobs import Play, environments_of, play_of
from manybandits.planning.settings import merge
from manybandits.results.runs import ARENA

FILE = "workflow/league.yaml"


class Absence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Algorithms that do not play in an arena, and why."""

    algorithms: Annotated[tuple[str, ...], Meta(min_length=1, description="a list of algorithms")]
    because: Annotated[str, Meta(description="the reason")]


class NamedGames(Games, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games of one kind in the league, where each entry must name its game."""

    game: Annotated[str, Meta(description="the game that is played")]


class ArenaEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An arena as written in the file."""

    title: Annotated[str, Meta(description="what the games have in common")]
    games: Annotated[tuple[NamedGames, ...], Meta(min_length=1, description="a list of games")]
    without: Annotated[tuple[Absence, ...], Meta(description="a list of algorithms that do not play, with the reason")]
    settings: Changes = Changes()

    def entrants(self, where: str, added: Sequence[str] = ()) -> list[str]:
        """Return the algorithms that play: all of this package and those added, but those that the arena excludes."""
        without = [name for group in self.without for name in group.algorithms]
        for name in without:
            pick(name, catalogue.names(), f"algorithm ({where}, without)")
            if without.count(name) > 1:
                raise InputError(f"{where}: {name} is excluded twice; give one reason.")
        return [name for name in dict.fromkeys((*catalogue.names(), *added)) if name not in without]


class League(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``workflow/league.yaml``."""

    settings: Settings
    tune: Annotated[
        dict[str, dict[str, Annotated[list[Value], Meta(min_length=2, description="a list of two values or more")]]],
        Meta(description="for each algorithm with options to tune, the lists of their values"),
    ]
    arenas: Annotated[
        dict[Annotated[str, Meta(pattern=r"^[a-z]+\Z", description="lower-case letters")], ArenaEntry],
        Meta(min_length=1, description="the arenas, by name"),
    ]


class Arena(Struct, frozen=True, forbid_unknown_fields=True):
    """All plays of one kind of games, one per algorithm and game."""

    name: str
    plays: tuple[Play, ...]


def read_league(path: Path) -> League:
    """Read the file of the league."""
    return typed(League, read_yaml(path), str(path))


def make_arenas(config: Configuration, root: Path) -> list[Arena]:
    """Return the arenas for which a configuration has data. root: the folder that holds ``workflow``.

    Raises InputError naming the arena and the key if the file of the league is wrong.
    """
    path = root / FILE
    league = read_league(path)
    for name in league.tune:
        pick(name, catalogue.names(), f"algorithm ({path}, tune)")
    wanted = league.arenas if isinstance(config.league, bool) else config.league
    keys = [pick(key, league.arenas, "arena (league)") for key in wanted]
    arenas = [Arena(key, _plays(key, league, config, f"{path}, arena {key}")) for key in keys]
    return [arena for arena in arenas if arena.plays]


def _plays(key: str, league: League, config: Configuration, where: str) -> tuple[Play, ...]:
    arena = league.arenas[key]
    names = [name for name in arena.entrants(where, config.add) if name in config.add or config.plays(name)]
    settings = merge(league.settings, arena.settings, config.settings)
    plays = []
    for games in arena.games:
        data = tuple(role for role in games.data if not config.lacking(role))
        if games.data and not data:
            continue
        for environment in environments_of(replace(games, data=data), "", config, where):
            entries: list[Entry] = [{name: {**_tuned(name, league)}} for name in names]
            plays += [play_of(entry, f"{ARENA}{key}", environment, settings, where) for entry in entries]
    return _of_different_names(plays, where)


def _tuned(name: str, league: League) -> Mapping[str, list[Value]]:
    """Return the values of further options that an algorithm tunes: those of a plug-in are in its own file."""
    return league.tune.get(name) or getattr(catalogue.load(name), "TUNE", {})


def _of_different_names(plays: list[Play], where: str) -> tuple[Play, ...]:
    """Return plays; raise InputError if two of them have the same name or title, as two plug-ins may have."""
    seen: dict[tuple[str, str], str] = {}
    for play in plays:
        for key in (("file name", play.name), ("TITLE", f"{play.environment.name}: {play.spec.title}")):
            other = seen.setdefault(key, play.spec.algorithm)
            if other != play.spec.algorithm:
                raise InputError(
                    f"{where}: {other} and {play.spec.algorithm} have the same {key[0]}: change one of them."
                )
    return tuple(plays)
