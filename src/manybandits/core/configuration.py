"""Configurations and paper files: YAML, one laid over another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from manybandits.core.errors import InputError


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file; raise InputError naming the line when it is not one."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no keys; it must be a mapping of keys to values.")
    return content


def overlay(base: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the keys of `above` laid over it, mapping by mapping, as Snakemake does."""
    merged = dict(base)
    for key, value in above.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = overlay(merged[key], value) if both else value
    return merged
