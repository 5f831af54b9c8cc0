"""Measurements of the run times that papers report in tables: one module per table."""

from __future__ import annotations

import pkgutil

_NOT_A_MEASUREMENT = ("command_line",)


def names() -> list[str]:
    """Return the names of all measurements, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in _NOT_A_MEASUREMENT)


def module_of(name: str) -> str:
    """Return the dotted module of a measurement without importing it."""
    return f"{__name__}.{name}"
