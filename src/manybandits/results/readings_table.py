"""The table of the readings of a headline: ``reports/<run>/readings/<paper>_<headline>.csv``, one row a reading.

=========  =================================================================================
reading    its name: what differs from the default, which is ``as written``
verdict    of the headline under it, not corrected: readings are described, not tested
effect     of the claim that decides, with ``low`` and ``high``; ``quantity`` says of what
limits     in what respects its runs are smaller than the paper's
choices    after these, one column for each question, with the answer to it
=========  =================================================================================
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows

FIXED = ("reading", "verdict", "effect", "low", "high", "quantity", "limits")
"""The columns before those of the questions."""
NUMBERS = ("effect", "low", "high")


def read_readings(path: Path) -> pd.DataFrame:
    """Read a table of readings, its numbers as float; raise InputError naming the column or number that is wrong."""
    rows = read_rows(path, cure="judge the readings again")
    for name in FIXED:
        if not rows or name not in rows[0]:
            raise InputError(f"{path} has no column {name!r}, so it is no table of readings: judge them again.")
    table = pd.DataFrame(rows)
    for name in NUMBERS:
        try:
            table[name] = pd.to_numeric(table[name].replace("", None))
        except ValueError as error:
            raise InputError(f"{path}: {name} is not a number ({error}): judge the readings again.") from None
    return table


def questions_of(table: pd.DataFrame) -> list[str]:
    """Return the questions of a table of readings, in their order."""
    return [str(name) for name in table.columns if name not in FIXED]
