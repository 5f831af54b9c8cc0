"""What tests of faults share: how long they are, and one finished run of the chain."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

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
    """The folder of a finished run of the chain, one for all processes of a test; tests work in copies of it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, whole = shared / "finished", shared / "finished.done"
    with FileLock(shared / "finished.lock"):
        if not whole.exists():
            shutil.rmtree(folder, ignore_errors=True)
            done = run(checkout(root, folder))
            assert done.returncode == 0, done.stderr
            whole.touch()
    return folder
