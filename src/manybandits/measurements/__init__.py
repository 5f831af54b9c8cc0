"""Measurements of the run times that papers report, one module per table or figure, and a probe of their games.

A measurement plays frozen games of the data that its experiment names. Where these data are unavailable, some make data
of the same sizes (`MAKING_DATA`): seconds depend on sizes above all, so that this limits a verdict and forbids none.
"""

from __future__ import annotations

import pkgutil

MAKING_DATA = ("lnucb_ta_runtime", "m_cnb_parts")
"""The measurements that make data of the same sizes where those of the paper are unavailable."""
_NOT_A_MEASUREMENT = ("command_line",)


def names() -> list[str]:
    """Return the names of all measurements, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in _NOT_A_MEASUREMENT)


def module_of(name: str) -> str:
    """Return the dotted module of a measurement without importing it."""
    return f"{__name__}.{name}"
