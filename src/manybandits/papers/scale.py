"""Rounds, seeds and data sets that a paper states for an experiment, as the plan passes them to the judge.

A verdict depends only on these, the claims and the tables of results. Nothing else in a paper's files is read to judge,
so that an edit of the files repeats only the judgements that it concerns.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct


class Stated(Struct, frozen=True, forbid_unknown_fields=True):
    """Rounds and seeds with which a paper plays a game, or the draws of the data of a regression."""

    horizon: int
    seeds: int  # how many


class Scale(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The scale of an experiment as its paper states it."""

    kind: Literal["plays", "errors", "rows"]  # of the tables of results: run tables, tables of errors, or other tables
    games: dict[str, Stated] = {}  # name of a frozen game, or of a table of errors -> its scale
    originals: dict[str, str] = {}  # family of data -> the data set of the paper

    def to_json(self) -> str:
        """Return the scale as one command-line argument."""
        return msgspec.json.encode(self).decode()
