"""A function in two forms, called from Python and from compiled code."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import njit

import manybandits
from manybandits.compiling.parts import part


class Plain(NamedTuple):
    values: np.ndarray


class Doubled(NamedTuple):
    values: np.ndarray


@part
def doubled_total(numbers: Doubled, scale: float) -> float:
    return 2.0 * scale * numbers.values.sum()


@part(overloads={Doubled: doubled_total})
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


PLAYED = """
import sys

import numba

numba.__version__ = sys.argv[1]

import manybandits as mb
from manybandits.compiling.parts import LINKED

runs = mb.play("linucb_ind", game=mb.games.synthetic(), horizon=100, seeds=range(2), tuning_rounds=10)
print(bool(LINKED), *runs.final.regret)
"""


def test_with_a_numba_of_another_version_parts_are_ordinary_functions_and_numbers_the_same(tmp_path):
    own = {**os.environ, "MANYBANDITS_CACHE": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", PLAYED, version], capture_output=True, text=True, check=True, env=own)
        for version in (numba.__version__, "0.99.0")
    ]
    here, other = (one.stdout.split() for one in said)
    assert (here[0], other[0]) == ("True", "False")
    assert here[1:] == other[1:]
    assert len(here) == 3


def test_what_is_inside_numba_is_used_in_one_room():
    sources = Path(manybandits.__file__).parent
    inside = re.compile(r"^\s*(?:from|import) (?:llvmlite|numba\.)", re.MULTILINE)
    users = {path.relative_to(sources).parts[0] for path in sources.rglob("*.py") if inside.search(path.read_text())}
    assert users == {"compiling"}
