"""Say on standard error that a kernel is being compiled, so that nobody takes the wait for a standstill."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core.event import Event, Listener, install_listener

KERNELS = "manybandits_"
"""How the names of the modules that `manybandits.core.lockstep` writes begin."""


@contextmanager
def announced(title: str) -> Iterator[None]:
    """Announce the first kernel that is compiled in the block, and at its end the seconds that this took.

    title: of the algorithm whose kernel it is. Nothing is written where numba finds the kernel in its cache.
    """
    compiling = _Compiling(title)
    with install_listener("numba:compile", compiling):
        yield
    if compiling.began is not None:
        _write(f" done in {time.perf_counter() - compiling.began:.1f} s\n")


class _Compiling(Listener):
    """Hears of every function that numba compiles; not of those that it loads from its cache."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.began: float | None = None

    def on_start(self, event: Event) -> None:
        function = event.data["dispatcher"].py_func
        if self.began is None and function.__module__.startswith(KERNELS):
            self.began = time.perf_counter()
            _write(f"Compiling the kernel of {self.title} (once; later plays reuse it)...")

    def on_end(self, event: Event) -> None:
        """Nothing: a kernel may have several functions, and the block ends after the last of them."""


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
