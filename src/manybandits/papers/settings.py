"""How long, how often and with what an experiment is played, and what replaces a part of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from manybandits.base import configuration

Value = configuration.Value
Rounds = Annotated[int, Meta(ge=1, description="a whole number of rounds")]
Tuning = Literal["tuning-seeds", "best-of-grid"]
"""The options are those that are best on seeds that are not reported, or on the reported seeds."""
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
    grid: Grid  # for all algorithms; each takes of it what it knows
    tuning_rounds: Rounds | None = None


class Changes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings that replace others; what is not set is left as it is."""

    horizon: Rounds | UnsetType = UNSET
    seeds: Seeds | UnsetType = UNSET
    tuning_seeds: Seeds | UnsetType = UNSET
    tuning: Tuning | UnsetType = UNSET
    grid: Grid | UnsetType = UNSET
    tuning_rounds: Rounds | UnsetType = UNSET
