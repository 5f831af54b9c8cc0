"""Which column of contexts repeats others, in numbers so large that lambda is lost beside them in rounding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

MOST_MATRICES = 100
"""The matrices that are searched: those with the largest entries."""


class Fault(NamedTuple):
    """A column that repeats those before it, the one that it repeats most, and its size; places from 0."""

    column: int
    repeated: int
    size: float


def fault_of(state: Any) -> Fault | None:
    """Return the column that repeats others most, in the matrices of any regression of a state; None if there is none.

    state: a tuple, with tuples in it, of which some have sums of x x', ``gram``, (..., d, d), and ``count``, (...).
    """
    faults = [found for gram, count in _sums(state) if (found := _worst(gram, count)) is not None]
    return min(faults)[1] if faults else None


def repeats(gram: np.ndarray) -> tuple[int, float]:
    """Return the column that repeats those before it most, and its share of its sum of squares that is its own.

    gram: (d, d), of which no entry on the diagonal is 0.
    """
    try:
        own = np.diagonal(np.linalg.cholesky(gram)) ** 2 / np.diagonal(gram)
    except np.linalg.LinAlgError:  # which says no column
        rest, own = gram.copy(), np.ones(len(gram))
        for i in range(len(gram)):
            own[i] = rest[i, i] / gram[i, i]
            if not own[i] > 0.0:
                break
            rest -= np.outer(rest[:, i], rest[i]) / rest[i, i]
    column = int(own.argmin())
    return column, float(own[column])


def fault_in(gram: np.ndarray, count: int) -> tuple[float, Fault]:
    """Return the fault of a sum of x x' over `count` contexts, (d, d), after what `repeats` returns."""
    column, own = repeats(gram)
    roots = np.sqrt(np.diagonal(gram))
    alike = np.where(np.arange(len(gram)) == column, -1.0, np.abs(gram[column]) / roots)
    return own, Fault(column, int(alike.argmax()), float(roots[column] / np.sqrt(count)))


def sentence(fault: Fault | None, names: Mapping[str, int] | None = None) -> str:
    """Return why a regression on contexts cannot be computed, and the cure. names: column -> its place in a context."""
    if fault is None:
        return (
            "its indices turn NaN, as after a division by zero, or where columns of the contexts repeat others in "
            "numbers so large that rounding errors are more than lambda. Guard the division, make the bounds of the "
            "option narrower, or subtract from large columns their mean and divide them by their largest number."
        )
    called = {place: name for name, place in (names or {}).items()}
    column, like = (
        f"column {called[place]!r}" if place in called else f"column {place + 1}"
        for place in (fault.column, fault.repeated)
    )
    out = f", as by drop={called[fault.column]}" if fault.column in called else ""
    return (
        f"{column} of the contexts repeats others, most of all {like}, in numbers so large ({fault.size:.3g}) that "
        f"rounding errors are more than lambda. Subtract from such columns their mean and divide them by their largest "
        f"number, or leave out what is told twice{out}."
    )


def _sums(state: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    if isinstance(state, tuple):
        if hasattr(state, "gram"):
            yield getattr(state, "gram"), getattr(state, "count")  # noqa: B009
        for field in state:
            yield from _sums(field)


def _worst(gram: np.ndarray, count: np.ndarray) -> tuple[float, Fault] | None:
    """Return the worst fault of matrices, (..., d, d), after the share of the column that is its own."""
    dimension = gram.shape[-1]
    matrices, counts = gram.reshape(-1, dimension, dimension), np.asarray(count).reshape(-1)
    largest = np.where(counts > 0, np.einsum("nii->ni", matrices).max(axis=1), -1.0)
    faults = []
    for place in np.argsort(-largest)[:MOST_MATRICES]:
        matrix = matrices[place]
        if counts[place] > 0 and (np.diagonal(matrix) > 0).all() and np.isfinite(matrix).all():
            faults.append(fault_in(matrix, int(counts[place])))
    return min(faults) if faults else None
