"""Claims of nonsense: a sentence before any job, or a verdict whose numbers are numbers."""

from __future__ import annotations

import shutil
import warnings
from argparse import Namespace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits.claims.evidence import Evidence
from manybandits.claims.judge import judge
from manybandits.claims.verdict import Verdict
from manybandits.claims.verdicts import load_evidence
from manybandits.measurements.command_line import write
from manybandits.papers.claim import ALLOWED, NEEDED
from manybandits.papers.files import read_paper
from manybandits.results.measures import MEASURES
from tests.faults.sentences import examples, told
from tests.planted.claims import HORIZON, paper, plant, scale_of
from tests.planted.errors import plant_powers

HEIGHTS = np.linspace(90.0, 110.0, 10)
NUMBERS = st.one_of(
    st.integers(-2, 3),
    st.floats(-10, 1000),
    st.sampled_from([0, 1, 50, 100, HORIZON, HORIZON + 1, 10**12, 10**400, 1e308, 1e-300, float("nan"), float("inf")]),
)
TITLES = st.sampled_from(["M-CNB", "M-CNB", "CLUB", "CLUB", "Late", "Never", "Pooling", "Robust multitask"])
SETTINGS = st.sampled_from([50, 40, "facebook", HORIZON, "standard", 100, "²"]) | NUMBERS
NAMES = st.sampled_from(["users", "data", "horizon", "alpha", "rows", "regime", "label", "repeat"])
MEASURED = st.sampled_from([*MEASURES, "error", "regrets", "label"])
SELECTION = {
    "of": TITLES,
    "where": st.dictionaries(
        st.sampled_from(["users", "data", "horizon", "alpha", "rows", "regime", "label", "repeat"]),
        SETTINGS,
        max_size=1,
    ),
    "measure": MEASURED,
    "at": st.integers(1, HORIZON + 100),
    "options": st.dictionaries(
        st.sampled_from(["alpha", "alpha", "beta"]),
        st.sampled_from([0.1, 1, 1.0, "1", [0.1, 1], [1, 1]]) | NUMBERS,
        max_size=1,
    ),
    "relative": TITLES,
}
RIVALS = TITLES | st.lists(TITLES | st.fixed_dictionaries({}, optional=SELECTION), min_size=1, max_size=3)
OWN = {
    "than": RIVALS,
    "control": RIVALS,
    "published": NUMBERS | NUMBERS | st.sampled_from(["sclb_theorem1", "corollary1"]),
    "std": st.floats(0, 1000),
    "bound": st.sampled_from(["at-most", "at-least"]),
    "strictly": st.booleans(),
    "against": st.sampled_from(["users", "rounds", "arms", "horizon", "epsilon", "rows", "support", "label"]),
}
WRONG = st.one_of(
    NUMBERS,
    TITLES,
    st.sampled_from(["", "x", "\u202e", "x" * 300, None, True, [], [[]], {}, {"x": None}]),
    st.text(max_size=4),
)


def of_kind(kind: str) -> st.SearchStrategy:
    """Draw a claim of a kind that has what it needs and some of what it may have; one of three has one wrong key."""
    needed = {key: OWN[key] for key in NEEDED[kind]} | {"of": TITLES}
    may = {key: OWN[key] for key in ALLOWED[kind]} | {key: one for key, one in SELECTION.items() if key != "of"}
    claims = st.fixed_dictionaries({"kind": st.just(kind), **needed}, optional=may)
    keys = st.sampled_from([*OWN, *SELECTION, "theorem", "outside", "by_construction", "reading", "also", "cells"])
    wrong = st.builds(lambda claim, key, value: {**claim, key: value}, claims, keys, WRONG)
    return st.one_of(claims, claims, wrong)


CLAIMS = st.sampled_from(sorted(NEEDED)).flatmap(of_kind)


@pytest.fixture(scope="session")
def evidence(tmp_path_factory) -> dict[str, Evidence]:
    """What claims are judged on: plays of two games, one with few seeds, errors of estimators, and a measurement."""
    folder = tmp_path_factory.mktemp("evidence")
    plays = [
        plant(folder, "M-CNB", HEIGHTS, points={0.1: HEIGHTS + 5, 1: HEIGHTS}, grid={"alpha": [0.1, 1]}),
        plant(folder, "CLUB", HEIGHTS[::-1] * 2),
        plant(folder, "Late", np.zeros(10)),
        plant(folder, "CLUB", HEIGHTS[:3], name="m-cnb-paper-facebook-ego-users-40-", users=40),
        plant(folder, "M-CNB", HEIGHTS[:3], name="m-cnb-paper-facebook-ego-users-40-", users=40),
    ]
    errors = [plant_powers(folder)]
    rows = pd.DataFrame({"algorithm": ["M-CNB", "CLUB"] * 6, "users": np.repeat([10, 40], 6), "repeat": 0})
    rows = rows.assign(repeat=[*range(3)] * 4, seconds=np.arange(12.0), label=[*"abcdef"] * 2)
    write(Namespace(title="T", out=folder / "rows", games=()), rows, [], "Seconds.")
    tables = {"plays": plays, "errors": errors, "rows": [folder / "rows.csv"]}
    return {kind: load_evidence(scale_of(paths, kind), paths) for kind, paths in tables.items()}


def judged(claim: dict, evidence: Evidence, folder: Path) -> tuple[str, list[Verdict]]:
    """Return the sentence in which a claim of a paper ends, "" if it has none, and else its verdicts, by reading."""
    found: list[Verdict] = []

    def judge_all() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for one in read_paper(paper(folder, {"it": claim})).claims:
                found.append(judge(one, evidence, "planted_fig2"))

    return told(judge_all), found


@settings(max_examples=examples(10_000, 200), deadline=None, suppress_health_check=list(HealthCheck))
@given(claim=CLAIMS, kind=st.sampled_from(["plays", "plays", "errors", "rows"]))
def test_any_claim_is_a_sentence_or_a_verdict_of_numbers(claim, kind, evidence, tmp_path_factory):
    folder = tmp_path_factory.mktemp("claims")
    for one in judged(claim, evidence[kind], folder)[1]:
        numbers = [one.measured, one.low, one.high, one.published, one.p]
        assert all(number is None or np.isfinite(number) for number in numbers)
    shutil.rmtree(folder)


CLUB_GROWS = {"kind": "slope", "of": "CLUB", "published": 1}
CLUB_IS = {"kind": "value", "of": "CLUB"}
REFUSED = {
    "a number that is infinite": (
        {**CLUB_IS, "published": float("inf")},
        "published is inf; write",
    ),
    "a number of 400 digits": ({**CLUB_IS, "published": 10**400}, "write a number from -1e+15"),
    "a selected number of 400 digits": ({**CLUB_IS, "published": 1, "where": {"users": 10**400}}, "from -1e+15"),
    "an option of 400 digits": ({**CLUB_IS, "published": 1, "options": {"alpha": [1, 10**400]}}, "from -1e+15"),
    "a rate in place of a number": ({**CLUB_IS, "published": "theorem2"}, "write a number"),
    "a ratio of 0": (
        {"kind": "ratio", "of": "CLUB", "than": "M-CNB", "published": 0},
        "a ratio of two results is above",
    ),
    "a sweep of two games at one place": ({**CLUB_GROWS, "against": "rounds"}, "on several games with rounds"),
    "a sweep that the game has not": ({**CLUB_GROWS, "against": "arms"}, "a game without 'settings', so arms is not"),
}
"""Claims that were a traceback, or a verdict without a number, when they were first drawn."""


@pytest.mark.parametrize("case", REFUSED)
def test_a_claim_that_no_result_can_meet_is_refused(case, evidence, tmp_path):
    claim, words = REFUSED[case]
    assert words in judged(claim, evidence["plays"], tmp_path)[0]


@pytest.mark.parametrize(("measure", "against"), [("label", "users"), ("seconds", "label")])
def test_a_column_of_words_is_no_measure_and_no_sweep(measure, against, evidence, tmp_path):
    claim = {**CLUB_GROWS, "measure": measure, "against": against}
    assert "'label' of" in (sentence := judged(claim, evidence["rows"], tmp_path)[0])
    assert "holds words: name one that holds numbers" in sentence


VERDICTS = {
    "results of 0 in every run cannot differ": (
        {"kind": "equality", "of": "Late", "than": "Late"},
        "cannot differ",
        "",
    ),
    "nothing is relative to 0": (
        {"kind": "equality", "of": "M-CNB", "than": "Late"},
        "not testable",
        "Late is 0, or cannot be told from 0",
    ),
    "results of 0 have no spread": (
        {"kind": "equality", "of": "Late", "than": "M-CNB", "measure": "spread"},
        "not testable",
        "the results of Late are 0 on average, and the standard deviation over mean of the regret is relative to that",
    ),
    "a result of 0 is below any ratio": (
        {"kind": "ratio", "of": "Late", "than": "CLUB", "published": 0.5},
        "fails",
        "",
    ),
    "nothing is known of half of the rounds up to the first result": (
        {**CLUB_GROWS, "against": "rounds", "measure": "late"},
        "not testable",
        "results are known from round 100 on, and it speaks of half as many",
    ),
    "there is nothing before the first result": (
        {"kind": "equality", "of": "Late", "than": "Late", "at": 50},
        "not testable",
        "results are known from round 100 on, and it speaks of 50",
    ),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_claims_about_results_of_0_and_before_all_results_are_judged(case, evidence, tmp_path):
    claim, answer, reason = VERDICTS[case]
    _, (one,) = judged(claim, evidence["plays"], tmp_path)
    assert (one.answer.value, one.reason[: len(reason)]) == (answer, reason)
