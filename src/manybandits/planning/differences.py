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
ANSWERS = ("word", "answer")
"""The parts of a verdict whose change is told before that of any other."""
SHOWN = 60
"""Characters of a cell or line that are shown."""
Record = dict[str, str]
"""The parts of what is compared, such as the cells of a row: name -> value as text."""
Records = dict[str, Record]


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
        return _of_verdicts(*texts) or _of_lines(*texts)
    return (_of_tables(*texts) if committed.suffix == ".csv" else "") or _of_lines(*texts)


def _of_picture(committed: Path, derived: Path) -> str:
    numbers = [path.with_suffix(".csv") for path in (committed, derived)]
    same = all(path.is_file() for path in numbers) and numbers[0].read_bytes() == numbers[1].read_bytes()
    return "is another picture" + (", though of the same numbers: its look or Matplotlib changed" if same else "")


def _of_tables(before: str, after: str) -> str:
    """Return the first cell in which two tables differ; "" if none does."""
    (columns, *old), (others, *new) = (list(csv.reader(io.StringIO(text))) or [[]] for text in (before, after))
    if columns != others:
        return f"has other columns: {_shown(','.join(columns))} committed, {_shown(','.join(others))} derived"
    key = next((key for key in KEYS if set(key) <= set(columns)), ())
    if not key and len(old) != len(new):
        return f"has {len(old)} rows committed, {len(new)} derived"
    named = _rows(columns, old, key), _rows(columns, new, key)
    return _of_records(named[0], named[1], "row") if key else _of_records(named[0], named[1], "line", then=", ")


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]], key: Sequence[str]) -> Records:
    """Return the rows of a table by name, that in the columns of the key, or by their lines."""
    records = [dict(zip_longest(columns, row, fillvalue="")) for row in rows]
    return {" ".join(one[name] for name in key) or f"line {line}": one for line, one in enumerate(records, 2)}


def _of_verdicts(before: str, after: str) -> str:
    """Return how two files of verdicts differ; "" if they do not, or are no such files."""
    try:
        return _of_records(_verdicts(before), _verdicts(after), "verdict")
    except (ValueError, AttributeError):
        return ""


def _verdicts(text: str) -> Records:
    """Return the verdicts in a file by name: the claim and its reading, or the headline."""
    found: Records = {}
    for record in map(json.loads, text.splitlines()):
        claim = record.get("claim", {})
        name = f"{claim['id']} {claim.get('reading', PAPER)}" if claim else str(record.get("id", "first line"))
        found[name] = _flat(record)
    return found


def _of_records(before: Records, after: Records, what: str, then: str = ": ") -> str:
    """Return the first difference of records, and how many records differ: those on one side, then other answers.

    what: a record is; then: what follows its name.
    """
    found = [f"{name} is committed, but no longer judged" for name in before if name not in after]
    found += [f"{name} is judged, but not committed" for name in after if name not in before]
    both = [name for name in before if name in after]
    changed = [(name, part) for name in both if (part := _changed_part(before[name], after[name]))]
    changed.sort(key=lambda one: one[1][0] not in ANSWERS)
    found += [f"{name}{then}{part}: {_pair(*pair)}" for name, (part, *pair) in changed]
    return f"{found[0]}{_more(len(found), what)}" if found else ""


def _changed_part(before: Record, after: Record) -> tuple[str, ...]:
    """Return the name of a part that differs, an answer if there is one, and its two values; nothing if none does."""
    for name in sorted({**before, **after}, key=lambda name: name not in ANSWERS):
        pair = before.get(name, "null"), after.get(name, "null")
        if pair[0] != pair[1]:
            return name, *pair
    return ()


def _of_lines(before: str, after: str) -> str:
    lines = list(enumerate(zip_longest(before.split("\n"), after.split("\n"), fillvalue="no such line"), 1))
    changed = [(place, *pair) for place, pair in lines if pair[0] != pair[1]]
    if not changed:
        return "has other bytes"
    place, *pair = changed[0]
    return f"line {place}: {_pair(*pair)}{_more(len(changed), 'line')}"


def _of_provenance(committed: Path, derived: Path) -> str:
    name, *pair = _changed_part(_provenance(committed), _provenance(derived)) or [""]
    if name == "settings.claims":
        return "its claims were edited since it was committed"
    return f"{name}: {_pair(*pair)}" if name else ""


def _provenance(path: Path) -> Record:
    """Return what is compared of a provenance. A file that is no JSON object is one part."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        content = {"the file": "not valid JSON"}
    return _flat({key: value for key, value in content.items() if key not in UNCOMPARED})


def _flat(content: Mapping[str, Any], start: str = "") -> Record:
    """Return the parts of a JSON object."""
    parts: Record = {}
    for key, value in content.items():
        nested = isinstance(value, dict) and bool(value)
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        parts |= _flat(value, f"{start}{key}.") if nested else {f"{start}{key}": text}
    return parts


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
