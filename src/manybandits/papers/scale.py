"""The scale and the data that a paper file states for an experiment.

With the tables that were made and the claims themselves it is all that a verdict rests on: nothing else of the file is
read to judge, so that an edit of it judges exactly what it touches again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manybandits.base.configuration import overlay

READ = ("horizon", "seeds")
"""The settings that verdicts read."""


@dataclass(frozen=True)
class Panel:
    """The part of an experiment that is on some games."""

    roles: tuple[str, ...]  # of data; none: any
    where: dict[str, Any]  # the settings of the game that have one value
    settings: dict[str, Any]  # of `READ`


@dataclass(frozen=True)
class Scale:
    """What is stated of an experiment."""

    kind: str  # of tables: plays, errors, or rows of a table that an experiment wrote
    panels: tuple[Panel, ...]
    settings: dict[str, Any]  # of `READ`, on all other games
    originals: dict[str, str]  # the data set of the paper, by role


def read_scale(content: Mapping[str, Any], experiment: str) -> Scale:
    """Return what the file of a paper states of an experiment."""
    whole = content["experiments"][experiment]
    panels = [overlay(whole, panel) for panel in whole.get("panels", [{}])]
    roles = {family for panel in panels for role in panel.get("data", []) for family in role.split("+")}
    return Scale(
        kind=_kind(whole),
        panels=tuple(
            Panel(
                roles=tuple(panel.get("data", ())),
                where={name: value for name, value in panel.get("with", {}).items() if not isinstance(value, list)},
                settings=_read(content, panel),
            )
            for panel in panels
        ),
        settings=_read(content, whole),
        originals={role: name for role, name in content.get("originals", {}).items() if role in roles},
    )


def _kind(experiment: Mapping[str, Any]) -> str:
    if "measurement" in experiment or experiment.get("regression") == {}:
        return "rows"
    return "errors" if "regression" in experiment else "plays"


def _read(content: Mapping[str, Any], experiment: Mapping[str, Any]) -> dict[str, Any]:
    whole = {**content["settings"], **experiment.get("settings", {})}
    return {name: whole[name] for name in READ if name in whole}
