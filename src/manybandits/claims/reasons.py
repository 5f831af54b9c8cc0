"""The sentences of reasons, with the numbers of this run's tables."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from manybandits.base.exceptions import InputError, nearest, pick
from manybandits.claims.readings import read_setups
from manybandits.claims.verdict import SetUps
from manybandits.papers.reason import Number, Reason
from manybandits.papers.settings import Value
from manybandits.results.readings_table import headlines_in

CONJECTURE = "Conjecture: "
"""How the sentence of a reason begins that rests on no target."""
CAN_BE_MISSING = ("environment", "data", "algorithm", "variant", "learn", "mark", "round", "horizon", "steps", "users")
"""Columns whose values depend on what a configuration plays: its algorithms, its data and its rounds."""


class Unsaid(Exception):
    """Why a sentence is not said, in words: what it rests on was not played, or its numbers contradict it."""


def sentence(reason: Reason, tables: Path, where: str, readings_of: Path | None = None) -> str:
    """Return the sentence of a reason, its numbers read from the tables of a run, or why it is not given.

    tables: the folder of the run's tables; readings_of: the report with the set-ups of headlines, if some were played.
    Raises as `said` does, but for `Unsaid`.
    """
    try:
        text = said(reason, tables, where, readings_of)
    except Unsaid as why:
        return str(why)
    return f"{CONJECTURE}{text}" if reason.conjecture else text


def said(reason: Reason, tables: Path, where: str, readings_of: Path | None = None) -> str:
    """Return the words of a sentence with its numbers, and in how many set-ups the order that it is about appears.

    Raises `Unsaid` where a target, a row or a count of set-ups is not part of the run, because its configuration plays
    less, and where the numbers contradict it. Raises InputError naming a column that does not exist, a row that is not
    the only one, and a row that the table lacks although it has its algorithm and game.
    """
    missing = [target for target in reason.tables if not (tables / f"{target}.csv").exists()]
    if missing:
        raise Unsaid(f"It rests on {missing[0]}, which is not part of this run.")
    counts = _counts(reason, readings_of, where)
    values = {
        name: counts[one.setups].counts[one.column] if one.setups else _read(one, reason, tables, where)
        for name, one in reason.numbers.items()
    }
    known = {name: value for name, value in values.items() if isinstance(value, int | float)}
    if contradicted := reason.contradicted(known):
        raise Unsaid(
            f"Unexplained: the explanation that was known asks for {contradicted} in {reason.target}, and it is not so."
        )
    text = reason.says.format(**{name: _shown(reason.numbers[name], value) for name, value in values.items()})
    if reason.headline not in counts:
        return text
    found = counts[reason.headline]
    return f"{text} {reason.order} in {found.holds} of {found.judged} set-ups."


def _counts(reason: Reason, readings_of: Path | None, where: str) -> dict[str, SetUps]:
    """Return the set-ups that a sentence speaks of, by headline; none of a headline without set-ups.

    Raises Unsaid if one of its numbers is such a count, and there is none.
    """
    listed = headlines_in(readings_of) if reason.headlines else []
    known = {name: read_setups(readings_of, name)[1] for name in reason.headlines if readings_of and name in listed}
    for name in (number.setups for number in reason.numbers.values() if number.setups):
        if name not in known:
            raise Unsaid(f"It rests on set-ups of {name}, which were not played for this run.")
        if not known[name].judged:
            raise InputError(f"{where}: no set-up of {name} could be judged, so there is none to count.")
    return {name: setups for name, setups in known.items() if setups.judged}


def _shown(number: Number, value: object) -> str:
    return format(value, number.form) if number.stated is None else f"{number.stated} ({number.place})"


def _read(number: Number, reason: Reason, tables: Path, where: str) -> Value:
    """Return a number of a reason; raise Unsaid if its row was not played, or if its value is not known."""
    if number.stated is not None:
        return number.stated
    path, row = tables / f"{number.table or reason.target}.csv", reason.row | number.row
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    rows = table
    for column in (*row, number.column):
        pick(column, map(str, table.columns), f"column ({where}, {path.name})")
    for column in sorted(row, key=lambda name: name not in CAN_BE_MISSING):
        known = rows[column].tolist()
        rows = rows[[_equal(one, row[column]) for one in known]]
        if rows.empty and column in CAN_BE_MISSING:
            raise Unsaid(f"It rests on a run of {path.stem} that was not played here.")
        if rows.empty:
            hint = nearest(str(row[column]), known)
            raise InputError(f"{where}: {path} has no row of {row} with that {column}: {hint}")
    if len(rows) > 1:
        raise InputError(f"{where}: {len(rows)} rows of {path} match {row}, not one: name another row.")
    found = rows[number.column].tolist()[0]
    if not found:
        raise Unsaid(f"It rests on a run of {path.stem} that has no {number.column}, because it failed or has none.")
    value = _number(found)
    return found if value is None else value


def _equal(found: str, wanted: Value) -> bool:
    """Return whether a cell of a table has a value: as numbers, if both are, so that 10 is 10.0."""
    numbers = _number(found), _number(str(wanted))
    return numbers[0] == numbers[1] if None not in numbers else found == str(wanted)


def _number(text: str) -> float | None:
    """Return a text as a number; None if it is none."""
    try:
        return float(text)
    except ValueError:
        return None
