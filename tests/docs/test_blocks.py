"""Every code block of the documentation runs, and prints what its page shows."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from matplotlib.testing.compare import compare_images
from sybil.example import SybilFailure

from tests.conftest import ROOT
from tests.docs.blocks import Page

PAGES = ["CONTRIBUTING.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
"""All pages; `tests.cli.test_readme` runs those of the README."""
MIRROR = ROOT.parent / "shared/data"
"""Copies of raw data, for blocks that need some."""
QUICK = {"CONTRIBUTING.md", "docs/VERDICTS.md", "docs/design.md", "docs/index.md", "docs/readings.md"}
"""Pages whose blocks take about a second together."""
TOLERANCE = 5
"""Root mean square of the differences of grey values, up to which two pictures show the same."""


def pages() -> list[object]:
    """Return the pages that have blocks, as parameters; most are slow."""
    having = [name for name in PAGES if Page(ROOT / name).blocks]
    return [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in having]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which a page is followed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    if not os.environ.get("MANYBANDITS_MIRROR") and MIRROR.is_dir():
        monkeypatch.setenv("MANYBANDITS_MIRROR", str(MIRROR))
    return tmp_path


@pytest.mark.parametrize("name", pages())
def test_a_reader_who_follows_a_page_gets_what_it_shows(name, folder):
    page = Page(ROOT / name)
    page.run()
    for picture, equal in page.pictures.items():
        if any(Path(picture).name in block.source and block.reason for block in page.blocks):
            continue  # what makes it needs something that is not here
        made, shown = folder / Path(picture).name, (ROOT / name).parent / picture
        assert made.is_file(), f"no block of {name} makes {made.name}"
        copy = folder / f"shown-{made.name}"
        shutil.copy(shown, copy)
        assert not equal or compare_images(str(copy), str(made), TOLERANCE) is None, (
            f"{shown} is not {made}: copy it there"
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("```python\nprint(1 + 1)\n```\n\n```output\n3\n```\n", "expected\n3"),
        ("```sh\nmanybandits list kites\n```\n", "2"),
        ("<!-- not run: long -->\n```sh\nmanybandits reproduce --fast all\n```\n", "--fast"),
        ("<!-- not run: long -->\n```sh\nmake coffee\n```\n", "coffee"),
        ("<!-- not run: long -->\n```sh\npip install 'manybandits[gpu]'\n```\n", "gpu"),
        ('```toml title="a.toml"\na = [\n```\n', "Invalid value"),
        ("```ini\na = 1\n```\n", "nothing runs a block"),
        ("```\nno word behind the fence\n```\n", "without a language"),
        ("```python title='quotes.py'\n```\n", "something else than title="),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Expected"),
    ],
)
def test_a_block_that_is_wrong_is_found(folder, text, words):
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((SybilFailure, ValueError, SystemExit), match=words):
        Page(path).run()
