"""Specification of a play: made by the plan, passed as one JSON argument, stored in the run table."""

from __future__ import annotations

from typing import Any

import msgspec

from manybandits.base.exceptions import InputError, pick
from manybandits.harness.arguments import TUNING
from manybandits.papers.settings import MOST_ROUNDS

Value = float | int | str


class PlaySpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One algorithm on one game, with all grid points and seeds.

    Together with the source files of the algorithm and the file of the game, it determines every byte of a run table.
    Raises InputError if its fields contradict each other. Whether the algorithm has the options of the grid, and
    whether the game has enough rounds, is checked when they are loaded.
    """

    algorithm: str
    game: str = ""  # name of the frozen game; "": any
    title: str = ""  # name of the run in figures and tables; "": that of the algorithm
    grid: dict[str, list[Value]] = {}  # option -> values; options that are not named have their default
    seeds: tuple[int, ...] = tuple(range(10))
    tuning_seeds: tuple[int, ...] = (100, 101, 102)
    tuning: str = "tuning-seeds"
    tuning_rounds: int | None = None  # choose by the regret after this many rounds; None: after all
    horizon: int = 10_000

    def __post_init__(self) -> None:
        """Check all that can be checked without the algorithm and the game."""
        pick(self.tuning, TUNING, "tuning rule")
        if both := sorted(set(self.seeds) & set(self.tuning_seeds)) if self.tuning == "tuning-seeds" else []:
            raise InputError(f"seeds {both} are both tuning seeds and evaluation seeds: use different ones.")
        if self.horizon < 1 or not self.seeds:
            raise InputError(
                f"{len(self.seeds)} seeds over {self.horizon} rounds: give at least one seed and one round."
            )
        if self.horizon > MOST_ROUNDS:
            raise InputError(f"{self.horizon:,} rounds are more than {MOST_ROUNDS:,}: give fewer.")
        if self.tuning_rounds is not None and not 1 <= self.tuning_rounds <= self.horizon:
            raise InputError(
                f"tuning on the first {self.tuning_rounds} rounds of {self.horizon}: give from 1 to {self.horizon}."
            )

    @property
    def tuned(self) -> bool:
        """Whether the grid has more than one point."""
        return any(len(values) > 1 for values in self.grid.values())

    def to_json(self) -> str:
        """Return the specification as one command-line argument."""
        return msgspec.json.encode(self).decode()

    def stored(self) -> dict[str, Any]:
        """Return the specification as the settings that a run table stores."""
        settings: dict[str, Any] = msgspec.to_builtins(self)
        return settings
