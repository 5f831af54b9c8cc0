"""Reading YAML, merging it, and expanding lists of values: for configurations and paper files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from manybandits.base.exceptions import InputError

MERGE = "tag:yaml.org,2002:merge"
DEEPEST = 50
"""The most levels of mappings and lists in each other; parsers of nested text use the stack of the machine."""
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that make the text around them look like another text."""
LARGEST = 1_000_000
"""The most values of a file, with those that an alias repeats counted as often as they are there."""


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """The loader in C if it is installed, ten times as fast and equally safe; it refuses a key that is given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping; raise an error at the second of two equal keys, of which YAML would keep the last."""
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    problem="a key is a list or a mapping", problem_mark=key.start_mark
                )
            if key.tag != MERGE and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"the key {key.value!r} is there twice", problem_mark=key.start_mark
                )
            seen.add(str(key.value))
        return dict(super().construct_mapping(node, deep))


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file that holds a mapping; raise InputError naming the line that is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
        _check_text(text, path)
        content = yaml.load(text, Loader=Loader)
    except InputError:
        raise
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path} is not UTF-8: line {line} holds the byte 0x{error.object[error.start]:02x}."
        ) from error
    except (OSError, ValueError, OverflowError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no keys; write a mapping of keys to values.")
    return content


def _check_text(text: str, path: Path) -> None:
    """Raise InputError if a YAML text is nested too deeply, repeats too many values, or hides the order of its text."""
    sizes: list[int] = [0]  # the values in each of the mappings and lists that are open, the innermost last
    anchors: list[str | None] = []  # their anchors
    known: dict[str | None, int] = {}  # the values behind each anchor that is complete
    for event in yaml.parse(text, Loader=Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            sizes.append(1)
            anchors.append(event.anchor)
            if len(anchors) > DEEPEST:
                raise InputError(f"{path} is nested more than {DEEPEST} levels deep: write it flatter.")
            continue
        if isinstance(event, yaml.ScalarEvent) and (found := TURNING.search(event.value)):
            raise InputError(
                f"{path} holds U+{ord(found[0]):04X}, which turns the direction in which text is read, in "
                f"{event.value!r}: leave it out."
            )
        size = 1
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in anchors:
                raise InputError(f"{path}: the value of &{event.anchor} contains itself (*{event.anchor}).")
            size = known.get(event.anchor, 1)
        elif isinstance(event, yaml.CollectionEndEvent):
            size = sizes.pop()
            if anchor := anchors.pop():
                known[anchor] = size
        sizes[-1] += size
        if sizes[-1] > LARGEST:
            raise InputError(f"{path} has more than {LARGEST:,} values, most of them by aliases: leave some out.")


def overlay(base: Mapping[str, object], above: Mapping[str, object]) -> dict[str, Any]:
    """Return `base` updated by `above`, recursively for nested mappings, as Snakemake merges configurations."""
    merged = dict(base)
    for key, value in above.items():
        below = merged.get(key)
        merged[key] = overlay(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged


def read_reasons(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``--omitted NAME=REASON``, the experiments that a run left out: name -> reason."""
    for text in texts:
        if "=" not in text:
            raise InputError(f"--omitted {text!r}: write the name of an experiment, = and the reason.")
    return dict(text.split("=", 1) for text in texts)
