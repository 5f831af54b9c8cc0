"""Fixtures shared by all tests."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from manybandits.compiling.interpreting import interpreted
from tests import release
from tests.planted.shared import made_once

# What a test draws is the same everywhere, so that it fails for all or for none; the long form draws anew every time.
settings.register_profile("drawn once", derandomize=os.environ.get("MANYBANDITS_FAULTS") != "long")
settings.load_profile("drawn once")
# Tests run side by side, a process a core: more threads of BLAS and of torch would wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

ROOT = Path(__file__).resolve().parents[1]


LONGEST = (
    "workflow/test_chain",
    "algorithms/test_twins",
    "algorithms/test_neural",
    "algorithms/test_users_apart",
    "algorithms/test_neural_ucb",
    "numerics/test_networks",
    "algorithms/test_invariance",
)
"""The files that take longest where no kernel is compiled yet."""


SLOW = Path(__file__).with_name("slow.txt")
"""The tests of which all cases together take more than `A_WHILE` once all is compiled: `make test-fast SLOW=add` adds
those that do."""
A_WHILE = 0.25
"""Seconds."""
MADE_ONCE = {"finished", "site", "all_papers"}
"""The fixtures that take so long that whatever needs one is slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests and those in depth, and begin with the files that take longest where nothing is compiled.

    The first file makes the finished run that most others copy.
    """
    order = {ROOT / "tests" / f"{name}.py": place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path, len(order)))
    slow = {*SLOW.read_text().split()}
    for item in items:
        if function_of(item.nodeid) in slow or not MADE_ONCE.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
        if group := release.group_of(item.nodeid.removeprefix("tests/")):
            item.add_marker(pytest.mark.release(group=group))


def pytest_collection_finish() -> None:
    """Keep Python from looking again and again for garbage among all that has been imported, and among what is built
    while a kernel is compiled."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how long the tests of each folder took, if together they took more than a minute; add to `SLOW` if asked."""
    seconds: Counter[str] = Counter()
    each: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                each[function_of(report.nodeid)] += report.duration
                seconds[re.split("[/:]", report.nodeid.removeprefix("tests/"))[0]] += report.duration
    if os.environ.get("SLOW") == "add":
        SLOW.write_text(
            "\n".join(sorted({*SLOW.read_text().split(), *(one for one in each if each[one] > A_WHILE)})) + "\n"
        )
    if seconds.total() > 60:
        told = ", ".join(f"{folder} {taken / 60:.1f}" for folder, taken in seconds.most_common() if taken >= 3)
        terminalreporter.write_line(f"minutes of a core by folder: {told}")


def function_of(nodeid: str) -> str:
    """Return a test without its case."""
    return nodeid.removeprefix("tests/").partition("[")[0]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder with copies of the raw data; tests that need it are skipped without it."""
    path = Path(os.environ.get("MANYBANDITS_MIRROR") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        pytest.skip("no data mirror: set MANYBANDITS_MIRROR to a folder with copies of the raw data")
    return path


@pytest.fixture
def uncompiled() -> Iterator[None]:
    """Parts run as plain Python, where a test is about arithmetic and others play the compiled kernel."""
    with interpreted():
        yield


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Run tables of three algorithms on two games; the data of the second are a stand-in."""
    from tests.planted.runs import plant_line

    return [
        plant_line(tmp_path, name, slope, environment=environment, stand_in=environment == "b")
        for environment in ("a", "b")
        for name, slope in (("club", 0.5), ("locb", 0.501), ("mine", 0.8))
    ]


@pytest.fixture(scope="session")
def finished(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the chain, one for all processes of a session; tests work in copies of it."""
    from tests.chain import finish

    return made_once(tmp_path_factory, "finished", partial(finish, root)) / "run"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site of planted runs, one for all processes of a session; tests only read it."""
    from tests.planted.site import build

    return made_once(tmp_path_factory, "site", build) / "report"


@pytest.fixture(scope="session")
def all_papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site of the five papers with as much to show as a whole run has, one for all processes."""
    from tests.planted.all_papers import build_all

    return made_once(tmp_path_factory, "all-papers", build_all)


@pytest.fixture
def planted(site: Path, tmp_path: Path) -> Path:
    """A copy of what the site was made of, without its front page, to change and make a site of again."""
    folder = tmp_path / "planted"
    shutil.copytree(site.parent, folder, ignore=shutil.ignore_patterns("runs"))
    (folder / "report/index.html").unlink()
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.browser.driver import BROWSER

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()
