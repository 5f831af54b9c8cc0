"""Messages about compilation: while it lasts, so that the wait does not look like a hang, and when it fails."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.errors import NumbaError
from numba.core.event import Event, Listener, install_listener

from manybandits.compiling.generated_modules import GENERATED

CompilationError = NumbaError
"""What numba raises for code that it cannot compile."""
KERNELS = ("play", "choose_one", "learn_one")
"""The functions whose compilation takes seconds."""
LONGEST = 200
"""The characters of numba's message that are shown: it names the types of all fields of a state."""
COLOURS = re.compile(r"\x1b\[\d*m")
"""What numba puts into its messages where colorama is installed."""


@contextmanager
def announce_compilation(title: str) -> Iterator[None]:
    """Announce every kernel that is compiled in the ``with`` block, and the seconds that it took.

    title: display name of the algorithm. Nothing is written for kernels that numba finds in its cache.
    """
    with install_listener("numba:compile", _Compiling(title)):
        yield


def compilation_error(error: Exception) -> str:
    """Return numba's message in one line without colours: the innermost error, and the line that it is about."""
    lines = [line.strip() for line in COLOURS.sub("", str(error)).splitlines() if line.strip()]
    starts = [place for place, line in enumerate(lines) if "Failed in nopython mode pipeline" in line]
    inner = lines[starts[-1] + 1 :] if starts else lines
    said = " ".join([inner[0], *inner[1:2]] if inner[1:2] and inner[1].startswith(">>>") else inner[:1])
    place = next((line.rstrip(":") for line in inner if line.startswith("File ")), "")
    code = next((inner[mark - 1] for mark, line in enumerate(inner) if line == "^"), "")
    return f"{said[:LONGEST]} ({place}: {code})" if place and code else said[:LONGEST]


class _Compiling(Listener):
    """Listener to numba's compilations. numba calls it for functions that it compiles, not for cached ones."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.kernel: Any = None
        self.began = 0.0

    def on_start(self, event: Event) -> None:
        function = event.data["dispatcher"]
        if self.kernel is None and _is_kernel(function.py_func):
            self.kernel, self.began = function, time.perf_counter()
            _write(f"Compiling the kernel of {self.title} (once; later plays reuse it)...")

    def on_end(self, event: Event) -> None:
        if event.data["dispatcher"] is self.kernel:
            _write(f" done in {time.perf_counter() - self.began:.1f} s\n")
            self.kernel = None


def _is_kernel(function: Any) -> bool:
    """Return whether a function is a kernel: one of these functions of a generated module."""
    return bool(function.__module__.startswith(GENERATED) and function.__name__ in KERNELS)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
