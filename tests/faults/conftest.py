"""What tests of faults share: how long they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

LONG = os.environ.get("MANYBANDITS_FAULTS") == "long"
"""Whether the tests of faults run in their long form: `make test-faults`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder as slow: most of them start processes."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def long() -> bool:
    """Whether to try many cases, for minutes, instead of a few."""
    return LONG
