"""The arenas of the league: games of one kind, played by every algorithm that can play them, for equally long.

`workflow/league.yaml` names the games of each arena and, with the reason, the algorithms that it is without. All others
play: a new algorithm enters wherever nothing is said against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits.algorithms import catalogue
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, pick
from manybandits.base.schemas import validate
from manybandits.planning.jobs import Play, environments_of, is_played, lacking, play_of
from manybandits.results.runs import ARENA

FILE = "workflow/league.yaml"


@dataclass(frozen=True)
class Arena:
    """Games of one kind and all plays of them: a run an algorithm and game."""

    name: str
    plays: tuple[Play, ...]


def make_arenas(config: Mapping[str, Any], root: Path) -> list[Arena]:
    """Return the arenas that a configuration has data for. root: the folder that holds ``workflow``.

    Raises InputError naming the arena and the key where the file of the league does not hold together.
    """
    path = root / FILE
    content = read_yaml(path)
    validate(content, root / "workflow/schemas/league.schema.yaml", str(path))
    for name in content["tune"]:
        pick(name, catalogue.names(), f"algorithm ({path}, tune)")
    known = content["arenas"]
    wanted = [pick(key, known, "arena (league)") for key in (known if config["league"] is True else config["league"])]
    arenas = [Arena(key, _plays(key, known[key], content, config, path)) for key in wanted]
    return [arena for arena in arenas if arena.plays]


def entrants(arena: Mapping[str, Any], where: str) -> list[str]:
    """Return the algorithms that play in an arena: all but those that it is without."""
    without, known = [name for group in arena["without"] for name in group["algorithms"]], catalogue.names()
    for name in without:
        pick(name, known, f"algorithm ({where}, without)")
        if without.count(name) > 1:
            raise InputError(f"{where}: {name} is left out twice; give one reason.")
    return [name for name in known if name not in without]


def _plays(
    key: str, arena: Mapping[str, Any], content: Mapping[str, Any], config: Mapping[str, Any], path: Path
) -> tuple[Play, ...]:
    where = f"{path}, arena {key}"
    names = [name for name in entrants(arena, where) if is_played(name, config)]
    settings = {**content["settings"], **arena.get("settings", {}), **config.get("settings", {})}
    plays = []
    for games in arena["games"]:
        played = dict(games)
        if "data" in games:
            played["data"] = [role for role in games["data"] if not lacking(role, config)]
        for environment in environments_of(played, content, config, "paper", where):
            for name in names:
                entry = {name: content["tune"].get(name, {})}
                plays.append(play_of(entry, f"{ARENA}{key}", environment, settings, where))
    return tuple(plays)
