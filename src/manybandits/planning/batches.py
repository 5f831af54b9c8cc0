"""Batches: plays that one process plays, one after the other, into one file of run tables.

The readings of a headline are many short plays, many of them on games that nothing else plays. To start a process and
to load compiled code takes seconds, which a batch pays once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, json, to_builtins

from manybandits.base.sources import digest
from manybandits.environments.catalogue import short_name
from manybandits.planning.jobs import Environment, Play

PLAYS, LONGEST = 16, 600
"""The most plays of a batch, and about its most seconds: enough to hide its start, so few that an interruption loses
little. A play that takes longer is a batch of its own, split into shards (`manybandits.planning.resources`)."""
MODULE = "manybandits.harness.batch"
"""The module that plays a batch."""


class PlayBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Plays of one paper, on one game that is made of data, or on games of one kind that are generated."""

    name: str  # game-number/paper, which is also its path
    plays: tuple[Play, ...]

    @property
    def paper(self) -> str:
        return self.name.split("/")[1]

    def arguments(self) -> list[str]:
        """Return the command-line arguments that say what is played."""
        plays = [{"name": play.name.split("/")[2], "spec": to_builtins(play.spec)} for play in self.plays]
        made = {one.name: {"module": one.module, "arguments": one.arguments} for one in self.generated}
        return ["--batch", json.encode({"plays": plays, "freeze": made}).decode()]

    @property
    def frozen(self) -> list[Environment]:
        """The games that are made of data, which are frozen before and shared by all runs."""
        return list({one.environment.name: one.environment for one in self.plays if one.environment.datasets}.values())

    @property
    def generated(self) -> list[Environment]:
        """The games that are generated, and frozen by the batch itself."""
        found = {one.environment.name: one.environment for one in self.plays if not one.environment.datasets}
        return list(found.values())

    @property
    def neural(self) -> bool:
        """Whether some algorithm plays all replicas at once on batched networks."""
        return any(play.batched for play in self.plays)

    @property
    def digest(self) -> str:
        """Digest of the sources of all modules that play."""
        return digest(MODULE, *sorted({module for play in self.plays for module in play.code}))


def batches_of(plays: Iterable[Play], seconds_of: Callable[[Play], float]) -> list[PlayBatch]:
    """Return the batches of plays, each play once, in the order given. seconds_of: what a play costs."""
    groups: dict[tuple[str, str], dict[str, dict[str, Play]]] = {}
    for play in plays:
        game, paper = play.environment, play.paper
        place = game.name if game.datasets else short_name(game.module).rpartition(".")[2]
        groups.setdefault((place, paper), {}).setdefault(game.name, {})[play.name] = play
    batches = []
    for (place, paper), games in groups.items():
        members: list[list[Play]] = []
        seconds: float = LONGEST
        for play in (play for found in games.values() for play in found.values()):
            if seconds + (more := seconds_of(play)) > LONGEST or len(members[-1]) == PLAYS:
                members.append([])
                seconds = 0
            members[-1].append(play)
            seconds += more
        batches += [PlayBatch(f"{place}-{number}/{paper}", tuple(one)) for number, one in enumerate(members, 1)]
    return batches
