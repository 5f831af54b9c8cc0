"""Batches: plays of one algorithm on one game that one process plays, one after the other, into one packed file.

The readings of a headline are many short plays. To start a process, to read the game and to load compiled code takes
seconds, which a batch pays once.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, json, to_builtins

from manybandits.base.sources import digest
from manybandits.planning.jobs import Environment, Play

PLAYS = 16
"""The plays of a batch: enough to hide its start, and few enough that an interruption loses little."""
MODULE = "manybandits.harness.batch"
"""The module that plays a batch."""


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """Plays of one algorithm on one game."""

    name: str  # game/algorithm-number/paper, which is also its path
    environment: Environment
    plays: tuple[Play, ...]

    def arguments(self) -> list[str]:
        """Return the command-line arguments that say what is played."""
        specs = {play.name.split("/")[2]: to_builtins(play.spec) for play in self.plays}
        return ["--plays", json.encode(specs).decode()]

    @property
    def neural(self) -> bool:
        """Whether the algorithm plays all replicas at once on batched networks."""
        return self.plays[0].batched

    @property
    def digest(self) -> str:
        """Digest of the sources of all modules that play."""
        return digest(MODULE, *self.plays[0].code)


def batches_of(plays: Iterable[Play]) -> list[Batch]:
    """Return the batches of plays, each play once, in the order given."""
    groups: dict[tuple[str, str, str], dict[str, Play]] = {}
    for play in plays:
        key = play.environment.name, play.spec.algorithm, play.name.split("/")[0]
        groups.setdefault(key, {})[play.name] = play
    batches = []
    for (game, algorithm, paper), found in groups.items():
        members = tuple(found.values())
        for first in range(0, len(members), PLAYS):
            name = f"{game}/{algorithm}-{first // PLAYS + 1}/{paper}"
            batches.append(Batch(name, members[0].environment, members[first : first + PLAYS]))
    return batches
