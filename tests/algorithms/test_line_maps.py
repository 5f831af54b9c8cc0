"""Line maps: every algorithm says what became of each line of its source."""

from __future__ import annotations

import pytest

from manybandits.algorithms import catalogue
from manybandits.algorithms.line_map import FOLDER, Line, Part, _check, read_line_map
from manybandits.algorithms.line_places import lines_of, location
from manybandits.base.exceptions import InputError

NUMBERED = {  # lines of the numbered algorithms, as counted in the papers' texts; RMBandit numbers none
    "meta_ban": {"Algorithm 1": 19, "Algorithm 2": 11, "Algorithm 3": 9},
    "m_cnb": {"Algorithm 1": 22},
    "sclb": {"Algorithm 1": 4},
    "cmlb": {"Algorithm 2": 12, "Algorithm 3": 6},
    "pmlb": {"Algorithm 4": 14},
    "lnucb_ta": {"Algorithm 1": 10, "Algorithm 2": 12, "Algorithm 3": 6},
}


@pytest.mark.parametrize("name", catalogue.names())
def test_every_algorithm_has_a_line_map_whose_names_exist(name):
    assert lines_of(name)


def test_there_is_no_line_map_without_its_algorithm():
    assert {path.stem for path in FOLDER.glob("*.yaml")} <= set(catalogue.names())


@pytest.mark.parametrize("name", NUMBERED)
def test_every_numbered_line_of_a_paper_has_its_entry(name):
    assert {part.place: part.lines for part in read_line_map(name).parts if part.lines} == NUMBERED[name]


def line(number, **where):
    return Line(says="something", line=number, **(where or {"left_out": "no reason"}))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Part(place="A", lines=2, map=(line(1),)), "without an entry: [2]"),
        (Part(place="A", lines=2, map=(line("1-2"), line(2))), "twice or not there: [2]"),
        (Part(place="A", lines=1, map=(line(1), line(2))), "twice or not there: [2]"),
        (Part(place="A", lines=1, map=(line("one"),)), "'one' is no line"),
        (Part(place="A", map=(Line(says="something"),)), "no code, option or left_out"),
    ],
)
def test_a_line_that_is_passed_over_is_refused(part, message):
    with pytest.raises(InputError) as error:
        _check(part, "here")
    assert message in str(error.value)


def test_a_name_that_is_not_in_the_code_is_refused():
    with pytest.raises(InputError, match="has no 'learn_backwards'"):
        location("learn_backwards", catalogue.load("club"))


def test_a_place_in_the_code_is_where_the_name_is_defined():
    assert location("choose", catalogue.load("random")).startswith("choose (algorithms/linear/random.py:")
    assert "vectors.py" not in location("State.alpha", catalogue.load("club"))
    assert "numerics/ridge.py" in location("numerics.ridge:observe", catalogue.load("club"))
