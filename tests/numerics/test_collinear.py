"""The column that is named is the one that repeats others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from manybandits.numerics.collinear import Fault, fault_of, repeats, sentence


class Sums(NamedTuple):
    gram: np.ndarray
    count: np.ndarray  # type: ignore[assignment]


class State(NamedTuple):
    alpha: float
    models: Sums


def contexts(rows: int = 50) -> np.ndarray:
    found = np.random.default_rng(0).random((rows, 6))
    found[:, 1] *= 1e7  # large, but of its own
    found[:, 4] = 3.0 * found[:, 1]
    return found


def test_the_column_and_the_one_it_repeats_are_found_in_any_learner():
    x, small = contexts(), np.random.default_rng(1).random((9, 6))
    gram = np.stack([np.eye(6) + one.T @ one for one in (small, x, small)])[None]
    found = fault_of(State(1.0, Sums(gram, np.array([[9, 50, 0]]))))
    assert found is not None
    assert (found.column, found.repeated) == (4, 1)
    assert found.size == pytest.approx(np.sqrt((x[:, 4] ** 2).mean()), rel=1e-6)
    assert fault_of((1.0, np.ones(3))) is None


@pytest.mark.parametrize("scale", [1.0, 1e7])
def test_the_share_of_a_column_that_is_its_own_is_that_of_a_regression_on_those_before_it(scale):
    x = np.random.default_rng(2).random((40, 4)) * scale
    column, own = repeats(x.T @ x)
    shares = []
    for i in range(4):
        rest = x[:, i] - x[:, :i] @ np.linalg.lstsq(x[:, :i], x[:, i], rcond=None)[0] if i else x[:, i]
        shares.append((rest @ rest) / (x[:, i] @ x[:, i]))
    assert column == int(np.argmin(shares))
    assert own == pytest.approx(min(shares), rel=1e-6)


def test_a_column_is_called_by_its_name_where_it_has_one():
    fault = Fault(column=1, repeated=0, size=2e7)
    assert sentence(fault).startswith("column 2 of the contexts repeats others, most of all column 1, in numbers so")
    named = sentence(fault, {"arrives": 0, "leaves": 1})
    assert named.startswith("column 'leaves' of the contexts repeats others, most of all column 'arrives', in numbers")
    assert named.endswith("as by drop=leaves.")
    assert sentence(None).startswith(
        "its indices turn NaN, as after a division by zero, or where columns of the contexts repeat"
    )
