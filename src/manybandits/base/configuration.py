"""Reading YAML, merging it, and expanding lists of values: for configurations and paper files."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from manybandits.base.exceptions import InputError

MERGE = "tag:yaml.org,2002:merge"
Value = int | float | str
"""A setting of a game, or the value of an option."""


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The loader in C if it is installed, ten times as fast and equally safe; it refuses a key that is given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping; raise an error at the second of two equal keys, of which YAML would keep the last."""
        seen = set()
        for key, _ in node.value:
            if key.tag != MERGE and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"the key {key.value!r} is there twice", problem_mark=key.start_mark
                )
            seen.add(str(key.value))
        return dict(super().construct_mapping(node, deep))


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file that holds a mapping; raise InputError naming the line that is wrong."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no keys; write a mapping of keys to values.")
    return content


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


def combinations(given: Mapping[str, Value | list[Value]]) -> list[dict[str, Value]]:
    """Return all combinations of the values of settings: each value is a list of values, or a single one."""
    lists = {name: values if isinstance(values, list) else [values] for name, values in given.items()}
    return [dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values())]
