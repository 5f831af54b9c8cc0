"""A function in two forms, called from Python and from compiled code."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import njit

from manybandits.compiling.parts import part


class Plain(NamedTuple):
    values: np.ndarray


class Doubled(NamedTuple):
    values: np.ndarray


@part
def doubled_total(numbers: Doubled, scale: float) -> float:
    return 2.0 * scale * numbers.values.sum()


@part(instead={Doubled: doubled_total})
def total(numbers: Plain, scale: float) -> float:
    """Return the scaled total."""
    return scale * numbers.values.sum()


@njit
def total_plus_one(numbers, scale):
    return total(numbers, scale) + 1.0


@pytest.mark.parametrize(("numbers", "expected"), [(Plain(np.ones(3)), 6.0), (Doubled(np.ones(3)), 12.0)])
def test_the_type_of_the_first_argument_decides(numbers, expected):
    assert total(numbers, 2.0) == expected
    assert total_plus_one(numbers, 2.0) == expected + 1.0
    assert total.__doc__ == "Return the scaled total."


@part
def ratio(a: float, b: float) -> float:
    return a / b


@njit
def ratio_in_a_kernel(a, b):
    return ratio(a, b)


def test_a_part_of_a_kernel_can_still_be_called_from_python_and_divides_as_numpy_does():
    assert ratio_in_a_kernel(1.0, 0.0) == np.inf
    assert ratio(1.0, 0.0) == np.inf
    assert ratio(3.0, 2.0) == ratio_in_a_kernel(3.0, 2.0) == 1.5
