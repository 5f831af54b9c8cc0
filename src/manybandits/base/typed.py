"""Conversion of YAML and JSON to typed records, with errors that name the key and the cure.

The types declare the keys, their values and, in ``Meta(description=...)``, the expected values in words. The conversion
is msgspec's; only if it fails is the content searched for the fault, for a more precise message.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from manybandits.base.exceptions import InputError, nearest

T = TypeVar("T")
ABSENT = (types.NoneType, msgspec.UnsetType)
"""Types of a value that is not given."""


def typed(kind: type[T], content: Any, where: str) -> T:
    """Convert `content` to `kind`; raise InputError naming the key and the nearest known key or the expected value.

    where: the file or argument that holds the content, for the message.
    """
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError:
        raise InputError(f"{where}: {_fault(kind, content, '')}") from None


def typed_json(kind: type[T], text: str, where: str) -> T:
    """Convert a JSON text to `kind`; raise InputError as `typed` does, or if the text is not JSON."""
    try:
        content = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise InputError(f"{where} is not JSON: {error}.") from None
    return typed(kind, content, where)


def _fault(kind: Any, value: Any, place: str) -> str:
    """Describe what is wrong with a value, "" if nothing is. place: its keys from the top, joined by points."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason = str(error)
    else:
        return ""
    alternatives, expected = _alternatives(kind)
    for one in alternatives:
        for fault in _faults_inside(one, value, place):
            return fault
    if len(alternatives) == 1 and get_origin(alternatives[0]) is Literal:
        return f"{place!r} is {value!r}; {nearest(str(value), map(str, get_args(alternatives[0])))}"
    if len(alternatives) == 1 and _is_record(alternatives[0]) and isinstance(value, Mapping):
        return f"{place!r} {reason}" if place else reason  # the message of the record's own check
    reason = f"expected {expected}." if expected else f"{reason[:1].lower()}{reason[1:]}."
    return f"{place!r} is {value!r}; {reason}"


def _alternatives(kind: Any) -> tuple[list[Any], str]:
    """Return the types that a value may have, without those in `ABSENT`, and its description in words."""
    words = ""
    while True:
        if get_origin(kind) is Annotated:
            kind, *annotations = get_args(kind)
            words = words or next((one.description for one in annotations if one.description), "")
            continue
        union = get_origin(kind) in (Union, types.UnionType)
        alternatives = [one for one in get_args(kind) if one not in ABSENT] if union else [kind]
        if not union or len(alternatives) > 1:
            return [get_args(one)[0] if get_origin(one) is Annotated else one for one in alternatives], words
        (kind,) = alternatives


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _faults_inside(kind: Any, value: Any, place: str) -> Iterator[str]:
    """Yield the faults of the parts of a record, a mapping or a list."""
    parts: list[tuple[Any, Any, str]] = []
    if isinstance(value, Mapping) and _is_record(kind):
        inside = f" in {place!r}" if place else ""
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        for key in value:
            if key not in fields:
                yield f"unknown key {key!r}{inside}; {nearest(str(key), fields)}"
        for name, field in fields.items():
            if field.required and name not in value:
                yield f"the key {name!r} is missing{inside}; add it."
        parts = [(fields[key].type, part, key) for key, part in value.items()]
    elif isinstance(value, Mapping) and get_origin(kind) is dict:
        names, values = get_args(kind)
        parts = [one for key, part in value.items() for one in ((names, key, key), (values, part, key))]
    elif isinstance(value, Sequence) and get_origin(kind) in (list, tuple):
        parts = [(get_args(kind)[0], part, str(place)) for place, part in enumerate(value)]
    for of, part, name in parts:
        if fault := _fault(of, part, f"{place}.{name}" if place else str(name)):
            yield fault
