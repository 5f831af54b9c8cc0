"""The versions that the locks of an installation pin, and which requirements they do not meet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

LOCKS = ("requirements.lock", "torch.lock", "cloud.lock")
"""What `make install` and `make test-cloud` install, with hashes."""


def locked(root: Path) -> dict[str, Version]:
    """Return the version of every package that the locks pin, by its normalised name."""
    texts = [(root / "envs" / lock).read_text(encoding="utf-8") for lock in LOCKS]
    pins = [pin for text in texts for pin in re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==([\w.+]+)", text, re.MULTILINE)]
    return {canonicalize_name(name): Version(version) for name, version in pins}


def unmet(requirements: Iterable[str], pins: dict[str, Version], extra: str | None = None) -> list[str]:
    """Return the requirements, such as ``numpy>=2; python_version > "3"``, that no pinned version meets.

    extra: the extra for which they are asked, "" for none; None: those of all extras.
    """
    found = []
    for text in requirements:
        one = Requirement(text)
        if extra is not None and one.marker and not one.marker.evaluate({"extra": extra}):
            continue
        version = pins.get(canonicalize_name(one.name))
        if version is None or not one.specifier.contains(version, prereleases=True):
            found.append(text)
    return found
