"""The checks of an algorithm: the template passes all of them, and each fault is found by the check that is for it."""

from __future__ import annotations

import pytest

from manybandits import cli
from manybandits.algorithms import catalogue
from manybandits.algorithms.requirements import problems_of
from manybandits.base.exceptions import InputError
from manybandits.harness.check import findings, settings_at_bounds
from tests.harness.one_block import synthetic_game

GAME = synthetic_game()


@pytest.fixture
def mine(tmp_path, monkeypatch, capsys):
    """Return what writes the file of `manybandits new`, changed, and imports it."""
    monkeypatch.chdir(tmp_path)
    cli.main(["new", "algorithm", "mine.py"])
    text = (tmp_path / "mine.py").read_text()

    def write(*changes):
        changed = text
        for old, new in changes:
            assert changed.count(old) >= 1
            changed = changed.replace(old, new, 1)
        (tmp_path / "mine.py").write_text(changed)
        return catalogue.load_unchecked("./mine.py")

    return write


def failed(module):
    return {one.check for one in findings(module, GAME) if one.held is False}


def test_the_file_that_new_writes_passes_all_checks_and_has_a_twin(mine):
    found = {one.check: one for one in findings(mine(), GAME)}
    assert {one.held for one in found.values()} == {True, None}
    assert found["twin"].held
    assert "LinUCB takes" in found["speed"].says


def test_what_start_keeps_between_replicas_is_found(mine):
    module = mine(
        ("class State(", "MADE = []\n\n\nclass State("),
        ("    d = problem.dimension\n", "    d = problem.dimension\n    MADE.append(1)\n"),
        ("np.zeros(d), np.ones(d)", "np.full(d, 0.1 * len(MADE)), np.ones(d)"),
    )
    assert {"deterministic", "batch invariance", "threads"} <= failed(module)


def test_random_numbers_that_are_not_of_the_state_are_found(mine):
    assert "deterministic" in failed(
        mine(("return best(values, state.random)", "return np.random.randint(len(values))"))
    )


def test_a_twin_that_plays_another_arm_is_found_with_the_round(mine):
    module = mine(("error = reward - self.theta @ context", "error = 0.5 * reward - self.theta @ context"))
    (twin,) = (one for one in findings(module, GAME) if one.held is False)
    assert twin.check == "twin"
    assert "in round " in twin.says


def test_a_division_by_zero_at_a_bound_is_found_with_the_option(mine):
    module = mine(
        ("state.theta[i] += state.step * error", "state.theta[i] += 0.1 / state.step * error"),
        ("self.theta += self.step * error", "self.theta += 0.1 / self.step * error"),
    )
    options = next(one for one in findings(module, GAME) if one.check == "options")
    assert options.held is False
    assert options.says.startswith("numbers turn NaN at step = 0.0: ")


def test_what_numba_cannot_compile_is_one_sentence_with_the_line(mine):
    (found,) = findings(mine(("mean, spread = 0.0, 0.0", 'mean, spread = "", 0.0')), GAME)
    assert found.held is False
    assert "\n" not in found.says
    assert 'File "mine.py", line' in found.says
    assert "\x1b" not in found.says  # as numba colours its messages where colorama is installed


def test_every_option_is_tried_at_its_bounds(mine):
    assert [(one["alpha"], one["step"]) for one in settings_at_bounds(mine())] == [(0.0, 0.5), (0.1, 0.0), (0.1, 2.0)]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("TITLE = ", "TITEL = ", "give it TITLE, a text"),
        ("OPTIONS = (", "OPTIONS = (1, ", "give it OPTIONS"),
        ("class State(NamedTuple)", "class State", "give it State, a NamedTuple"),
        (
            "def start(problem: Problem, ",
            "def start(",
            "start takes (options, random), but is called as start(",
        ),
        ("@part\ndef learn", "def learn", "decorate learn with @part"),
        (
            "def choose(state: State, t: int, ",
            "def choose(state: State, ",
            "choose takes (state, user, items, contexts)",
        ),
        ('TUNE = {"step"', 'TUNE = {"steps"', "TUNE has values of 'steps'"),
        ("    def learn(self, t: int, ", "    def learn(self, ", "give its TWIN a method learn(self, t, user, item"),
        ('"step", 0.5', '"step", 5.0', "give a default that is allowed"),
    ],
)
def test_what_a_file_lacks_is_said_in_a_clause(mine, old, new, words):
    (found,) = problems_of(mine((old, new)))
    assert words in found
    with pytest.raises(InputError, match="is no algorithm yet: "):
        catalogue.load("./mine.py")


@pytest.mark.parametrize("name", catalogue.names())
def test_no_algorithm_of_this_package_lacks_anything(name):
    assert problems_of(catalogue.load(name)) == []
