"""Checks of configurations and paper files against their schemas, in words that name the key and the cure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError, nearest


def validate(content: Mapping[str, Any], schema_path: Path, where: str) -> None:
    """Check `content` against a schema; raise InputError naming the key, the nearest valid one or the type.

    A schema may refer to others in its folder by their file names.
    """
    # Here, because a plan that was kept is read by every job and needs no check.
    import jsonschema
    from referencing import Registry, Resource

    beside: Registry[Any] = Registry(
        retrieve=lambda name: Resource.from_contents(read_yaml(schema_path.parent / name))  # type: ignore[call-arg]
    )
    validator = jsonschema.Draft202012Validator(read_yaml(schema_path), registry=beside)
    errors = sorted(validator.iter_errors(content), key=lambda error: [str(part) for part in error.absolute_path])
    if not errors:
        return
    error = errors[0]
    place = ".".join(str(part) for part in error.absolute_path)
    inside = f" in {place!r}" if place else ""
    if error.validator == "additionalProperties":
        allowed = error.schema.get("properties", {})
        key = next(key for key in error.instance if key not in allowed)
        raise InputError(f"{where}: unknown key {key!r}{inside}; {nearest(str(key), allowed)}")
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        raise InputError(f"{where}: the key {missing!r} is missing{inside}; add it.")
    if error.validator == "enum":
        raise InputError(
            f"{where}: {place!r} is {error.instance!r}; {nearest(str(error.instance), error.validator_value)}"
        )
    expected = error.schema.get("description", error.message)
    raise InputError(f"{where}: {place!r} is {error.instance!r}; expected {expected}.")
