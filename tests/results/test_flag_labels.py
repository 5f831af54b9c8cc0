"""Flags become short labels: one per kind, whatever their number, and those that the judge writes are all known."""

from __future__ import annotations

import pytest

from manybandits.claims.flags import flags_of
from manybandits.results.flag_labels import KINDS, flag_labels
from manybandits.results.runs import load_run
from tests.planted.runs import plant_line


def test_flags_of_a_kind_are_one_label_and_options_of_a_method_its_particulars():
    edges = ("CLUB: alpha 1", "k-NN UCB, phi 1: rho 0.1", "CLUB: lambda 9", "CLUB: alpha 1")
    (label,) = flag_labels("; ".join(f"{edge} is the edge of its grid" for edge in edges))
    assert label.words == "edge of the grid: CLUB, k-NN UCB (distance counted)"
    assert label.particulars == "CLUB: alpha 1, lambda 9; k-NN UCB (distance counted): rho 0.1"


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("M-CNB: at chance", "at chance: M-CNB"),
        ("M-CNB: 2 of 8 never tried some arm", "arm never tried: M-CNB"),
        ("NeuralTS: 1 of 8 ended with a dead network", "dead network: NeuralTS"),
        (
            "unequal tuning: 12 points for A, B and 9 points for C",
            "unequal tuning: 12 points for A, B and 9 points for C",
        ),
        ("not discriminating: Random, agents 5 keeps the bound as well", "not discriminating: Random, agents 5"),
        ("control not played: OLS", "control not played: OLS"),
    ],
)
def test_every_flag_that_is_written_has_a_known_kind(flag, words):
    (label,) = flag_labels(flag)
    assert label.kind in KINDS
    assert label.words == words


def test_an_unknown_flag_is_shown_as_it_is_and_none_is_no_label():
    assert [label.words for label in flag_labels("the moon was full")] == ["the moon was full"]
    assert flag_labels("") == []


def test_flags_of_real_runs_are_known(tmp_path):
    runs = [load_run(plant_line(tmp_path, name, slope, seeds=6)) for name, slope in (("club", 0.9), ("locb", 0.5))]
    flags = flags_of(runs, runs)
    assert {label.kind for label in flag_labels("; ".join(flags))} <= set(KINDS)


def test_unequal_tuning_stays_one_flag_in_the_table(tmp_path):
    runs = [load_run(plant_line(tmp_path, name, 0.5, seeds=6)) for name in ("club", "locb", "mine")]
    for place, run in enumerate(runs):
        run.settings["grid"] = {"alpha": list(range(place + 1))}
    (flag,) = [flag for flag in flags_of(runs, runs) if flag.startswith("unequal tuning")]
    (label,) = flag_labels(flag)
    assert label.kind == "unequal tuning"
