"""The scale and the data that a paper states for an experiment, as the plan hands them to the judge.

With the tables that were made and the claims themselves it is all that a verdict rests on: nothing else of a paper's
files is read to judge, so that an edit of them judges exactly what it touches again.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct


class Stated(Struct, frozen=True, forbid_unknown_fields=True):
    """How long and how often a paper plays a game, or draws the data of a regression."""

    horizon: int
    seeds: int  # how many


class Scale(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is stated of an experiment."""

    kind: Literal["plays", "errors", "rows"]  # of tables: runs, errors, or rows of a table that an experiment wrote
    games: dict[str, Stated] = {}  # by the name of a frozen game, or of a table of errors
    originals: dict[str, str] = {}  # the data set of the paper, by family of data

    def to_json(self) -> str:
        """Return it as one command-line argument."""
        return msgspec.json.encode(self).decode()
