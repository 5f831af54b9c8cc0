"""What tests of faults share: how long they are."""

from __future__ import annotations

import os

import pytest

LONG = os.environ.get("MANYBANDITS_FAULTS") == "long"
"""Whether the tests of faults run in their long form: `make test-faults`."""


@pytest.fixture(scope="session")
def long() -> bool:
    """Whether to try many cases, for minutes, instead of a few."""
    return LONG
