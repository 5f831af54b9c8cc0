"""The sentences of reasons, with the numbers of this run's tables."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import InputError, pick
from manybandits.papers.reason import Number, Reason
from manybandits.papers.settings import Value

CONJECTURE = "Conjecture: "
"""How the sentence of a reason begins that rests on no target."""


class Unsaid(Exception):
    """Why a sentence is not said, in words: what it rests on was not played, or its numbers contradict it."""


def sentence(reason: Reason, tables: Path, where: str) -> str:
    """Return the sentence of a reason, its numbers read from the tables of a run, or why it is not given.

    tables: the folder of the run's tables. Raises as `said` does, but for `Unsaid`.
    """
    try:
        text = said(reason, tables, where)
    except Unsaid as why:
        return str(why)
    return f"{CONJECTURE}{text}" if reason.conjecture else text


def said(reason: Reason, tables: Path, where: str) -> str:
    """Return the words of a sentence with its numbers, read from the tables of a run.

    Raises `Unsaid` where a target or a row is not part of the run, because its configuration plays less, and where
    the numbers contradict it; raises InputError naming a column that does not exist, or a row that is not the only one.
    """
    missing = [target for target in reason.tables if not (tables / f"{target}.csv").exists()]
    if missing:
        raise Unsaid(f"It rests on {missing[0]}, which is not part of this run.")
    values = {name: _read(number, reason, tables, where) for name, number in reason.numbers.items()}
    if absent := [name for name, value in values.items() if value is None]:
        table = reason.numbers[absent[0]].table or reason.target
        raise Unsaid(f"It rests on a run of {table} that was not played here.")
    known = {name: value for name, value in values.items() if isinstance(value, int | float)}
    if contradicted := reason.contradicted(known):
        raise Unsaid(
            f"Unexplained: the explanation that was known asks for {contradicted} in {reason.target}, and it is not so."
        )
    return reason.says.format(**{name: _shown(reason.numbers[name], value) for name, value in values.items()})


def _shown(number: Number, value: object) -> str:
    return format(value, number.form) if number.stated is None else f"{number.stated} ({number.place})"


def _read(number: Number, reason: Reason, tables: Path, where: str) -> Value | None:
    """Return a number of a reason, or None if its row is not in the table."""
    if number.stated is not None:
        return number.stated
    path, row = tables / f"{number.table or reason.target}.csv", reason.row | number.row
    table = pd.read_csv(path)
    rows = table
    for column, value in row.items():
        pick(column, map(str, table.columns), f"column ({where}, {path.name})")
        rows = rows[rows[column].astype(str) == str(value)]
    pick(number.column, map(str, table.columns), f"column ({where}, {path.name})")
    if rows.empty:
        return None
    if len(rows) > 1:
        raise InputError(f"{where}: {len(rows)} rows of {path} match {row}, not one: name another row.")
    found: Value = rows[number.column].tolist()[0]
    return found
