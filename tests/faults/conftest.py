"""What tests of faults share: how long they are, and one finished run of the chain."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults.chain import checkout, run

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


@pytest.fixture(scope="session")
def finished(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the chain; tests read it, and work in copies of it."""
    folder = checkout(root, tmp_path_factory.mktemp("faults") / "finished")
    done = run(folder)
    assert done.returncode == 0, done.stderr
    return folder
