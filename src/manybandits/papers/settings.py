"""Settings of a play: rounds, seeds, tuning and the grid of options; and changes of some of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from manybandits.base.combinations import Value

MOST_ROUNDS = 10**9
"""The most rounds of a play: some days of the fastest policy."""
Rounds = Annotated[int, Meta(ge=1, le=MOST_ROUNDS, description=f"a whole number of rounds from 1 to {MOST_ROUNDS:,}")]
Tuning = Literal["tuning-seeds", "halving", "best-of-grid"]
"""Options are chosen on tuning seeds, which are not reported (by halving at half the cost), or on the reported ones."""
Seeds = Annotated[str, Meta(description="seeds in quotes, such as '0-9'")]
Grid = Annotated[
    dict[str, Annotated[list[Value], Meta(min_length=1, description="a list of values")]],
    Meta(description="for each option, the list of its values"),
]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a play."""

    horizon: Rounds
    seeds: Seeds
    tuning_seeds: Seeds
    tuning: Tuning
    grid: Grid  # for all algorithms; each uses the options that it has
    tuning_rounds: Rounds | None = None


class Changes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """New values for some settings; those that are not set stay as they are."""

    horizon: Rounds | UnsetType = UNSET
    seeds: Seeds | UnsetType = UNSET
    tuning_seeds: Seeds | UnsetType = UNSET
    tuning: Tuning | UnsetType = UNSET
    grid: Grid | UnsetType = UNSET
    tuning_rounds: Rounds | UnsetType = UNSET
