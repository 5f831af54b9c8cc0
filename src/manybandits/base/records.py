"""Dataclasses as JSON and back, by the types of their fields: numbers, texts, lists, mappings and other dataclasses."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_json(record: Any) -> Any:
    """Return a dataclass as what JSON can hold: a mapping, with lists in place of tuples."""
    if is_dataclass(record):
        return {field.name: to_json(getattr(record, field.name)) for field in fields(record)}
    if isinstance(record, Mapping):
        return {name: to_json(value) for name, value in record.items()}
    if isinstance(record, list | tuple):
        return [to_json(value) for value in record]
    return record


def from_json(kind: type[T], content: Any) -> T:
    """Return what `to_json` made of a dataclass of this kind."""
    found: T = _built(kind, content)
    return found


def _built(kind: Any, content: Any) -> Any:
    if is_dataclass(kind):
        hints = _to_build(kind)  # type: ignore[arg-type]
        given = {name: _built(hints[name], value) if name in hints else value for name, value in content.items()}
        return kind(**given)  # type: ignore[operator]
    if get_origin(kind) in (dict, Mapping):
        return {name: _built(get_args(kind)[1], value) for name, value in content.items()}
    if get_origin(kind) in (list, tuple):
        return get_origin(kind)(_built(get_args(kind)[0], value) for value in content)
    return content


@functools.cache
def _to_build(kind: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are not as JSON has them, with their types."""
    return {name: hint for name, hint in get_type_hints(kind).items() if not _is_plain(hint)}


def _is_plain(kind: Any) -> bool:
    """Say whether JSON has a type as it is."""
    return not is_dataclass(kind) and get_origin(kind) is not tuple and all(map(_is_plain, get_args(kind)))
