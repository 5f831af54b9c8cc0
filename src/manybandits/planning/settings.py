"""The one place where settings are merged."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import UNSET
from msgspec.structs import asdict, replace

from manybandits.papers.settings import Changes, Settings

S = TypeVar("S", Settings, Changes)


def merge(settings: S, *changes: Changes) -> S:
    """Return settings with changes laid over them, the last one on top, key by key; a grid replaces a grid as a whole.

    The order is the same everywhere: paper, experiment, panel, configuration, ``per_paper`` of the configuration. The
    first three are what the paper states, the others what is wanted instead. In the league the order is: league, arena,
    configuration.
    """
    for change in changes:
        settings = replace(settings, **_given(change))
    return settings


def in_words(changes: Changes) -> str:
    """Return changes for a reader, without those of the grid."""
    return ", ".join(f"{name} {value}" for name, value in _given(changes).items() if name != "grid")


def _given(changes: Changes) -> dict[str, Any]:
    """Return what is changed, by key."""
    return {name: value for name, value in asdict(changes).items() if value is not UNSET}
