"""An algorithm by its name, or the package that it lacks."""

from __future__ import annotations

from types import ModuleType

from manybandits.algorithms import catalogue
from manybandits.interface.extras import lacking


def load_algorithm(name: str) -> ModuleType:
    """Import an algorithm; raise InputError if it is unknown, or naming the package that it needs."""
    try:
        return catalogue.load(name)
    except ModuleNotFoundError as error:
        raise lacking(str(error.name)) from error
