import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from manybandits.base.records import from_json, to_json


@dataclass(frozen=True)
class Part:
    name: str
    sizes: tuple[int, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Whole:
    best: Part
    parts: dict[str, list[Part]]
    pairs: tuple[Part, ...]
    number: float | None = None


def test_what_is_read_is_what_was_written_types_included():
    part = Part("a", (1, 2), {"alpha": [0.1, 1], "graph": "complete"})
    whole = Whole(part, {"x": [part, Part("b")]}, (part,), 0.1 + 0.2)
    read = from_json(Whole, json.loads(json.dumps(to_json(whole))))
    assert read == whole
    assert isinstance(read.parts["x"][0].sizes, tuple)
    assert isinstance(read.pairs[0].given["alpha"][1], int)
