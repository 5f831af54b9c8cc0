"""What numba says of code that it cannot compile, in one sentence without colours."""

from __future__ import annotations

import re

from manybandits.compiling.progress import compilation_error

COLOURS = re.compile(r"\x1b\[\d*m")
"""What numba puts into its messages where colorama is installed."""


def compile_error(error: Exception) -> str:
    """Return numba's message in one line: the innermost error, and the line of source that it is about."""
    return compilation_error(Exception(COLOURS.sub("", str(error))))
