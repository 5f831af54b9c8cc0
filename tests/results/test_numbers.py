"""How numbers are written on pages."""

from __future__ import annotations

import pytest

from manybandits.results.numbers import number


@pytest.mark.parametrize("text", ["6.845e-16", "-6.845e-16", "0", "0.0"])
def test_what_rounding_leaves_of_zero_is_zero(text):
    assert number(text) == "0"


def test_a_small_number_that_is_no_rounding_error_is_shown():
    assert number("3.2e-09") == "3.2e-09"
