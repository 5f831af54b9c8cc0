"""Merging of the settings of a play from papers, configuration and league."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import UNSET
from msgspec.structs import asdict, replace

from manybandits.papers.settings import Changes, Settings

S = TypeVar("S", Settings, Changes)
WORDS = {"horizon": "{:,} rounds", "tuning_rounds": "{:,} rounds of tuning", "tuning_seeds": "tuning seeds {}"}
"""Setting -> how a reader is told its value, if not by its name."""


def merge(settings: S, *changes: Changes) -> S:
    """Return settings updated by changes in the order given, key by key; a grid is replaced as a whole.

    The order is always: paper, experiment, panel, configuration, ``per_paper`` of the configuration, ``per_data`` of
    either, ``per_family`` of either. The first three belong to the paper, the others replace them. In the league the
    order is: league, arena, configuration.
    """
    for change in changes:
        settings = replace(settings, **_given(change))
    return settings


def in_words(changes: Changes) -> str:
    """Return changes in words, without those of the grid."""
    given = {name: value for name, value in _given(changes).items() if name != "grid"}
    return ", ".join(WORDS.get(name, f"{name} {{}}").format(value) for name, value in given.items())


def _given(changes: Changes) -> dict[str, Any]:
    """Return the keys that are set, with their values."""
    return {name: value for name, value in asdict(changes).items() if value is not UNSET}
