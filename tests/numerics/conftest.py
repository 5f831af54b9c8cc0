"""What tests of numerics share: the two forms of a part."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from manybandits.compiling.interpreting import interpreted


@pytest.fixture(params=["interpreted", "compiled"])
def form(request: pytest.FixtureRequest) -> Iterator[None]:
    """Parts run as plain Python, and in depth also compiled: each takes seconds to compile alone."""
    with interpreted(request.param == "interpreted"):
        yield
