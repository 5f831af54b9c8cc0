"""Pages in headless Chromium, and whatever goes wrong in them. `BROWSER` is None where there is none."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSER = os.environ.get("MANYBANDITS_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
NEEDED = [
    pytest.mark.skipif(not BROWSER, reason="no browser: install chromium or set MANYBANDITS_BROWSER to one"),
]
"""The marks of tests that open pages."""


@contextlib.contextmanager
def visiting(browser: Any, folder: Path) -> Iterator[Callable[..., Any]]:
    """Yield what opens a page of a folder; at the end no page may have had an error or asked the network."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def failed(asked: Any) -> None:
        if asked.failure != "net::ERR_ABORTED":  # by the next page
            wrong.append(f"failed: {asked.url}")

    def go(address: str, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(asked.url))
        page.on("requestfailed", failed)
        page.goto((folder / address.partition("#")[0]).as_uri() + address[len(address.partition("#")[0]) :])
        return page

    yield go
    for context in contexts:
        context.close()
    assert wrong == [], wrong
