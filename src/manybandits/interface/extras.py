"""An algorithm by its name, and which extra of the package to install where one of its packages is missing."""

from __future__ import annotations

from importlib.util import find_spec
from types import ModuleType

from manybandits.base.exceptions import InputError

EXTRAS = {
    "torch": "neural",
    "snakemake": "workflow",
    "altair": "report",
    "vl_convert": "report",
    "scikit_posthocs": "report",
    "papermill": "notebooks",
    "jupytext": "notebooks",
    "nbconvert": "notebooks",
    "ipykernel": "notebooks",
}
"""Package, as it is imported -> the extra that it is part of."""
USERS = {
    "neural": "neural algorithms need",
    "workflow": "the workflow needs",
    "report": "the site and the league need",
    "notebooks": "notebooks need",
}
"""Extra -> what needs it."""


def lacking(package: str) -> InputError:
    """Return the error for a package that is not installed."""
    extra = EXTRAS.get(package.split(".")[0])
    if extra is None:
        return InputError(f"the package {package!r} is needed but not installed: install it.")
    return InputError(
        f"the package {package!r}, which {USERS[extra]}, is not installed: `pip install 'manybandits[{extra}]'`."
    )


def demand(*extras: str) -> None:
    """Raise InputError if a package of these extras is not installed."""
    for package, extra in EXTRAS.items():
        if extra in extras and find_spec(package) is None:
            raise lacking(package)


def load_algorithm(name: str) -> ModuleType:
    """Import an algorithm; raise InputError if it is unknown, or naming the package that it needs."""
    from manybandits.algorithms import catalogue  # here, because it imports numpy, and help does not wait for it

    try:
        return catalogue.load(name)
    except ModuleNotFoundError as error:
        raise lacking(str(error.name)) from error
