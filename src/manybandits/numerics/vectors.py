"""Vector operations as plain loops, which compile faster in kernels than those of numpy.

numba compiles ``target[:] = source`` and the like together with the error message for shapes that do not fit, which
takes more than a second in every kernel, and ``values.max()`` with an iterator for each memory layout. A loop takes
hundredths of a second.
"""

from __future__ import annotations

import numpy as np

from manybandits.compiling.lanes import LANES, add_scaled, load, store
from manybandits.compiling.parts import part


@part
def fill(target: np.ndarray, value: float) -> None:
    """Set every entry of target, (n,), to one value."""
    for i in range(len(target)):
        target[i] = value


@part
def filled(length: int, value: float) -> np.ndarray:
    """Return a vector, (length,) float64, with every entry set to one value."""
    values = np.empty(length)
    fill(values, value)
    return values


@part
def places(values: np.ndarray) -> np.ndarray:
    """Return 0, ..., n - 1, as an array of the type of values, (n,)."""
    found = np.empty_like(values)
    for i in range(len(found)):
        found[i] = i
    return found


@part
def assign(target: np.ndarray, source: np.ndarray) -> None:
    """Copy source, (n,), to target, (n,)."""
    for i in range(len(target)):
        target[i] = source[i]


@part
def add_to(target: np.ndarray, source: np.ndarray) -> None:
    """Add source, (n,), to target, (n,), both contiguous float64."""
    for first in range(0, len(target), LANES):
        store(target, first, add_scaled(load(target, first), 1.0, load(source, first)))


@part
def total(values: np.ndarray) -> float:
    """Return the sum of values, (n,), added from the first to the last."""
    found = values.dtype.type(0)
    for value in values:
        found += value
    return found


@part
def largest(values: np.ndarray) -> float:
    """Return the largest of values, (n,) with n > 0; NaN if one of them is NaN."""
    top = values[0]
    for value in values:
        if value > top or np.isnan(value):
            top = value
    return top


@part
def count_of(values: np.ndarray, wanted: int) -> int:
    """Return how many of values, (n,), equal `wanted`."""
    found = 0
    for value in values:
        found += value == wanted
    return found


@part
def count_own(label: np.ndarray) -> int:
    """Return the number of groups. label: (n,), the first member of the group of every i."""
    found = 0
    for i in range(len(label)):
        found += label[i] == i
    return found


@part
def all_true(flags: np.ndarray) -> bool:
    """Return whether all of flags, (n,) bool, are true."""
    for flag in flags:
        if not flag:
            return False
    return True


@part
def any_true(flags: np.ndarray) -> bool:
    """Return whether any of flags, (n,) bool, is true."""
    for flag in flags:
        if flag:
            return True
    return False


@part
def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Return a' b for two vectors of the same length."""
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


@part
def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Return the Euclidean distance of two vectors of the same length."""
    total = 0.0
    for i in range(a.shape[0]):
        total += (a[i] - b[i]) ** 2
    return np.sqrt(total)
