import sys

import pytest

from manybandits.base import steps
from manybandits.base.exceptions import InputError


def test_steps_are_run_in_turn_with_their_own_arguments(monkeypatch):
    called = []

    class Step:
        def __init__(self, name):
            self.main = lambda arguments: called.append((name, arguments))

    monkeypatch.setattr(steps.importlib, "import_module", Step)
    monkeypatch.setattr(
        sys, "argv", ["steps", *steps.RECORD, "manybandits.a", "--title", "1 + 1", "+", "manybandits.b", "--out", "x"]
    )
    steps.main()
    assert called == [("manybandits.a", ["--title", "1 + 1"]), ("manybandits.b", ["--out", "x"])]


def test_what_is_no_step_is_named():
    with pytest.raises(InputError, match="'os' is not a step: name a module of manybandits"):
        steps.main([*steps.RECORD, "os"])


def test_a_job_that_is_described_as_another_version_describes_it_is_refused():
    with pytest.raises(
        InputError, match=r"is described as --record 0, and .* runs --record 1: install the same version"
    ):
        steps.main(["--record", "0", "manybandits.a"])
