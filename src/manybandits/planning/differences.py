"""How two files of a report differ, in one sentence: for tables the first cell, for texts the first line.

Provenance files hold seconds, memory and versions, which differ from run to run. Of them, only what the artifact was
made from and with is compared: see `UNCOMPARED`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from manybandits.base.protocols import PAPER

UNCOMPARED = ("made_on", "code", "sha256")
"""The parts of a provenance that are not compared. An artifact is compared itself, rather than by its SHA-256."""
KEYS = (("claim", "reading"), ("headline",))
"""The columns that name a row of verdicts."""
SHOWN = 60
"""Characters of a cell or line that are shown."""


def difference(committed: Path, derived: Path) -> str:
    """Return how a derived file differs from the committed one; "" if it does not."""
    if not committed.is_file():
        return "is made, but not committed"
    if not derived.is_file():
        return "is committed, but could not be made"
    if committed.name.endswith(".json"):
        return _of_provenance(committed, derived)
    before, after = committed.read_bytes(), derived.read_bytes()
    if before == after:
        return ""
    if committed.suffix == ".svg":
        return _of_picture(committed, derived)
    texts = before.decode("utf-8", "replace"), after.decode("utf-8", "replace")
    if committed.suffix == ".jsonl":
        return _of_records(*texts) or _of_lines(*texts)
    return (_of_tables(*texts) if committed.suffix == ".csv" else "") or _of_lines(*texts)


def _of_picture(committed: Path, derived: Path) -> str:
    numbers = [path.with_suffix(".csv") for path in (committed, derived)]
    same = all(path.is_file() for path in numbers) and numbers[0].read_bytes() == numbers[1].read_bytes()
    return "is another picture" + (", though of the same numbers: its look or Matplotlib changed" if same else "")


def _of_tables(before: str, after: str) -> str:
    """Return the first cell in which two tables differ; "" if their columns or numbers of rows do."""
    (columns, *old), (others, *new) = (list(csv.reader(io.StringIO(text))) or [[]] for text in (before, after))
    if columns != others:
        return f"has other columns: {_shown(','.join(columns))} committed, {_shown(','.join(others))} derived"
    for key in KEYS:
        if set(key) <= set(columns):
            return _of_named(columns, key, old, new)
    if len(old) != len(new):
        return f"has {len(old)} rows committed, {len(new)} derived"
    changed = [(place, row, other) for place, (row, other) in enumerate(zip(old, new, strict=True), 2) if row != other]
    if not changed:
        return ""
    line, row, other = changed[0]
    return f"line {line}, {_first_cell(columns, row, other)}{_more(len(changed), 'line')}"


def _of_records(before: str, after: str) -> str:
    """Return how two files of verdicts differ, other answers first; "" if they do not, or are no such files."""
    try:
        old, new = (
            {_record_name(one): _flat(one) for one in map(json.loads, text.splitlines())} for text in (before, after)
        )
    except (ValueError, AttributeError):
        return ""
    found = [f"{name} is committed, but no longer judged" for name in old if name not in new]
    found += [f"{name} is judged, but not committed" for name in new if name not in old]
    changed = [(name, parts[0]) for name in old if name in new if (parts := _changed_parts(old[name], new[name]))]
    changed.sort(key=lambda one: not one[1].startswith(("word", "answer")))
    found += [f"{name}: {part}" for name, part in changed]
    return f"{found[0]}{_more(len(found), 'verdict')}" if found else ""


def _record_name(record: Mapping[str, Any]) -> str:
    """Return the name of a verdict: its claim and reading, or its headline."""
    claim = record.get("claim", {})
    return f"{claim['id']} {claim.get('reading', PAPER)}" if claim else str(record.get("id", "first line"))


def _changed_parts(before: Sequence[tuple[str, Any]], after: Sequence[tuple[str, Any]]) -> list[str]:
    """Return the parts of a record that differ, with both values; an answer first."""
    old, new = dict(before), dict(after)
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    names.sort(key=lambda name: name not in ("word", "answer"))
    values = [[json.dumps(one.get(name), ensure_ascii=False) for one in (old, new)] for name in names]
    return [f"{name}: {_pair(*pair)}" for name, pair in zip(names, values, strict=True)]


def _of_named(columns: list[str], key: tuple[str, ...], old: list[list[str]], new: list[list[str]]) -> str:
    """Return how two tables differ whose rows have names."""
    before, after = (
        {" ".join(dict(zip(columns, row, strict=False)).get(one, "") for one in key): row for row in rows}
        for rows in (old, new)
    )
    found = [f"{name} is committed, but no longer judged" for name in before if name not in after]
    found += [f"{name} is judged, but not committed" for name in after if name not in before]
    both = [name for name in before if name in after and before[name] != after[name]]
    place = next((columns.index(name) for name in ("word", "answer") if name in columns), 0)
    both.sort(key=lambda name: before[name][place] == after[name][place])  # other answers first
    found += [f"{name}: {_first_cell(columns, before[name], after[name], place)}" for name in both]
    return f"{found[0]}{_more(len(found), 'row')}" if found else ""


def _first_cell(columns: list[str], row: list[str], other: list[str], first: int = 0) -> str:
    order = sorted(range(len(columns)), key=lambda place: place != first)
    for place in order:
        pair = [cells[place] if place < len(cells) else "" for cells in (row, other)]
        if pair[0] != pair[1]:
            return f"{columns[place]}: {_pair(*pair)}"
    return "another number of cells"


def _of_lines(before: str, after: str) -> str:
    lines = list(enumerate(zip_longest(before.split("\n"), after.split("\n"), fillvalue="no such line"), 1))
    changed = [(place, *pair) for place, pair in lines if pair[0] != pair[1]]
    if not changed:
        return "has other bytes"
    place, *pair = changed[0]
    return f"line {place}: {_pair(*pair)}{_more(len(changed), 'line')}"


def _of_provenance(committed: Path, derived: Path) -> str:
    before, after = (_provenance(path) for path in (committed, derived))
    for name in dict.fromkeys([*before, *after]):
        if (pair := (before.get(name), after.get(name)))[0] != pair[1]:
            if name == "settings.claims":
                return "its claims were edited since it was committed"
            return f"{name}: {_pair(*(json.dumps(value, ensure_ascii=False) for value in pair))}"
    return ""


def _provenance(path: Path) -> dict[str, Any]:
    """Return what is compared of a provenance: dotted name -> value. A file that is no JSON object is one value."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {"the file": "not valid JSON"}
    return dict(_flat({key: value for key, value in content.items() if key not in UNCOMPARED}))


def _flat(content: Mapping[str, Any], start: str = "") -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in content.items():
        nested = isinstance(value, dict) and bool(value)
        pairs += _flat(value, f"{start}{key}.") if nested else [(f"{start}{key}", value)]
    return pairs


def _pair(before: str, after: str) -> str:
    """Return two texts, cut so that the place at which they part is seen."""
    part = next((place for place, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), 0)
    start = max(0, part - SHOWN // 3)
    return f"{_shown(before, start)} committed, {_shown(after, start)} derived"


def _shown(text: str, start: int = 0) -> str:
    cut = text[start : start + SHOWN]
    return ("…" if start else "") + (cut or "nothing") + ("…" if len(text) > start + SHOWN else "")


def _more(count: int, what: str) -> str:
    return f" (and {count - 1} more {what}{'s' if count > 2 else ''})" if count > 1 else ""
