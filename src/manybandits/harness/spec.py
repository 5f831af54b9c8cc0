"""What describes a play, in one record: the plan makes it, one JSON argument carries it, the run table stores it."""

from __future__ import annotations

from typing import Any

import msgspec

from manybandits.algorithms.contract import VARIANTS
from manybandits.base.exceptions import InputError, pick
from manybandits.harness.settings import TUNING

Value = float | int | str


class PlaySpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game, one algorithm, all grid points and seeds; with the files of both it decides every byte of a run table.

    Raises InputError where it does not hold together. Whether an algorithm has the options of the grid, and whether a
    game is long enough, is known only to those.
    """

    algorithm: str
    game: str = ""  # the name of the frozen game; "": any
    title: str = ""  # how figures and tables name the run; "": as the algorithm
    protocol: str = msgspec.field(name="variant", default="paper")  # "variant" in run tables
    grid: dict[str, list[Value]] = {}  # for each option its values; what is not named has its default
    seeds: tuple[int, ...] = tuple(range(10))
    tuning_seeds: tuple[int, ...] = (100, 101, 102)
    tuning: str = "tuning-seeds"
    tuning_rounds: int | None = None  # choose by the regret after so many; None: after all
    horizon: int = 10_000

    def __post_init__(self) -> None:
        """Check what can be checked without the algorithm and the game."""
        pick(self.protocol, VARIANTS, "protocol")
        pick(self.tuning, TUNING, "tuning rule")
        if both := sorted(set(self.seeds) & set(self.tuning_seeds)) if self.tuning == "tuning-seeds" else []:
            raise InputError(f"seeds {both} are tuned on and reported: keep them apart.")
        if self.horizon < 1 or not self.seeds:
            raise InputError(
                f"{len(self.seeds)} seeds over {self.horizon} rounds: give at least one seed and one round."
            )
        if self.tuning_rounds is not None and not 1 <= self.tuning_rounds <= self.horizon:
            raise InputError(
                f"tuning on the first {self.tuning_rounds} rounds of {self.horizon}: give from 1 to {self.horizon}."
            )

    def to_json(self) -> str:
        """Return it as one command-line argument."""
        return msgspec.json.encode(self).decode()

    def stored(self) -> dict[str, Any]:
        """Return it as the settings that a run table stores."""
        settings: dict[str, Any] = msgspec.to_builtins(self)
        return settings
