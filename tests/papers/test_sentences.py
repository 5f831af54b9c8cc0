"""Sentences of findings, stories and reasons say no more than the committed tables and the record of set-ups."""

from __future__ import annotations

import csv
import re

import pandas as pd
import pytest
from msgspec.structs import replace

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import save_csv
from manybandits.claims.reasons import Unsaid, said, sentence
from manybandits.papers.files import read_papers
from manybandits.papers.reason import COUNTS, Number, Reason
from manybandits.papers.story import FINDINGS, Finding, read_findings
from manybandits.planning.sentences_check import COLUMNS, check_sentences
from manybandits.results.readings_table import CHOICES, FIXED, SUMMARIES, SUMMARY, files_of

FLIPS = re.compile(
    r"\b(decid|flip|revers|overturn|turns? (the|that|this|round)|change[sd]? (the|that|this|an|which) order)"
)
"""Words of a sentence that says that something changes an order."""


@pytest.fixture(scope="module")
def papers(root):
    return read_papers(root)


@pytest.fixture(scope="module")
def told(root, papers):
    """All sentences that the project tells, by place."""
    found = {f"finding {number}": one for number, one in enumerate(read_findings(root / FINDINGS), start=1)}
    for name, paper in papers.items():
        found |= {f"{name}, sentence {number}": one for number, one in enumerate(paper.story, start=1)}
        found |= {f"{name}, reason {key}": one for key, one in paper.reasons.items()}
    return found


@pytest.fixture(scope="module")
def places(root):
    """The committed tables, and the record of set-ups."""
    return root / "reports/paper-scale/tables", root / "reports/readings"


def test_every_sentence_of_the_project_is_borne_out_by_the_committed_tables(told, places):
    """None is withheld there: what each compares holds, and each row is in its table."""
    tables, readings = places
    refused = {}
    for where, one in told.items():
        try:
            said(one, tables, where, readings)
        except (Unsaid, InputError) as reason:
            refused[where] = str(reason)
    assert refused == {}


def test_what_is_said_to_flip_an_order_names_the_headline_that_claims_it(told):
    flipping = {where for where, one in told.items() if FLIPS.search(f"{getattr(one, 'title', '')} {one.says}".lower())}
    assert {where for where in flipping if not told[where].headline and not told[where].conjecture} == set()
    assert "finding 2" in flipping


def test_set_ups_of_a_sentence_are_counted_from_the_record(told, places):
    tables, readings = places
    with (readings / "readings.csv").open() as file:
        record = {row["headline"]: row for row in csv.DictReader(file)}
    spoken = {where: one for where, one in told.items() if one.headline}
    assert spoken
    for where, one in spoken.items():
        row = record[one.headline]
        words = f" {one.order} in {row['holds']} of {row['judged']} set-ups."
        assert said(one, tables, where, readings).endswith(words)
        assert not said(one, tables, where).endswith("set-ups.")  # a run without a record


def test_a_finding_counts_no_set_up_of_its_own(root):
    """How often an order appears is made by rule."""
    for one in read_findings(root / FINDINGS):
        assert "set-up" not in one.says


def test_every_sentence_of_the_project_reads_what_its_experiment_plays(papers, root):
    check_sentences(papers.values(), read_findings(root / FINDINGS))


def test_the_columns_that_are_known_before_a_run_are_those_of_its_tables(papers, places):
    seen = set()
    for name, paper in papers.items():
        for key, experiment in paper.experiments.items():
            kind = experiment.table or ("horizons" if experiment.sweeps_horizon else "regret")
            path = places[0] / f"{name}_{key}.csv"
            if experiment.measurement or experiment.regression is not None or not path.exists() or kind not in COLUMNS:
                continue
            seen.add(kind)
            with path.open() as file:
                header = set(next(csv.reader(file)))
            assert header - {"effective"} == set(COLUMNS[kind]) - {"effective"}, path
    assert seen == set(COLUMNS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"row": {"algorithm": "M-CMB"}, "column": "regret"}, r"unknown run .*'M-CMB': did you mean 'M-CNB'"),
        ({"row": {"algorihm": "M-CNB"}, "column": "regret"}, r"unknown column .*did you mean 'algorithm'"),
        ({"row": {"algorithm": "M-CNB"}, "column": "regrets"}, r"unknown column .*did you mean 'regret'"),
        (
            {"row": {"algorithm": "M-CNB", "environment": "m-cnb-paper-movielens-1"}, "column": "regret"},
            r"unknown game .*'m-cnb-paper-movielens-1': did you mean 'm-cnb-paper-movielens-1m'",
        ),
        (  # it plays on other data of this experiment alone
            {"row": {"algorithm": "NeuA+U", "environment": "m-cnb-paper-facebook-ego"}, "column": "regret"},
            r"unknown game .*'m-cnb-paper-facebook-ego'",
        ),
        ({"setups": "m_cnb.robst", "column": "holds"}, r"unknown headline .*did you mean 'm_cnb.robust'"),
    ],
)
def test_a_typo_in_a_sentence_is_named_before_anything_is_played(papers, changes, words):
    finding = Finding(title="So", says="It is {n}.", target="m_cnb_items", numbers={"n": Number(**changes)})
    with pytest.raises(InputError, match=words) as raised:
        check_sentences(papers.values(), [finding])
    assert "finding 1" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_sentence_on_another_data_set_of_the_family_is_no_typo(papers):
    number = Number(row={"algorithm": "M-CNB", "environment": "m-cnb-paper-movielens-25m"}, column="regret")
    check_sentences(papers.values(), [Finding(title="So", says="{n}.", target="m_cnb_items", numbers={"n": number})])


@pytest.fixture
def grid(tmp_path):
    """A table of a grid, in which some values are words, and a record of set-ups."""
    save_text(
        tmp_path / "planted_grid.csv",
        "environment,algorithm,values,reward\ngame,UCB,10,5.0\ngame,UCB,0.1,7.0\ngame,UCB,1:1,9.0\ngame,LOST,10,\n",
    )
    answers = {"a": ["holds"] * 4 + ["fails"] * 2 + ["inconclusive"] * 8 + ["not testable"] * 2}
    answers["none"] = ["not testable"] * 3
    save_csv(tmp_path / SUMMARIES, pd.DataFrame([{"headline": f"planted.{key}"} for key in answers], columns=SUMMARY))
    for key, given in answers.items():
        readings, choices = files_of(tmp_path, f"planted.{key}")
        save_csv(readings, pd.DataFrame({"reading": range(len(given)), "answer": given}, columns=FIXED))
        save_csv(choices, pd.DataFrame([{"choice": "start"}], columns=CHOICES))
    return tmp_path


def reading(**changes):
    number = Number(
        **{"row": {"environment": "game", "algorithm": "UCB", "values": 10.0}, "column": "reward", **changes}
    )
    return Reason(says="It has {n}.", target="planted_grid", numbers={"n": number})


@pytest.mark.parametrize(("value", "shown"), [(10, "5"), (10.0, "5"), ("10", "5"), (0.1, "7"), ("1:1", "9")])
def test_values_are_compared_as_numbers_where_both_are_numbers(grid, value, shown):
    row = {"environment": "game", "algorithm": "UCB", "values": value}
    assert sentence(reading(row=row), grid, "x") == f"It has {shown}."


def test_a_row_that_is_not_in_a_table_that_has_its_run_is_an_error(grid):
    row = {"environment": "game", "algorithm": "UCB", "values": 100.0}
    with pytest.raises(InputError, match=r"claims.yaml, reason x: .*planted_grid.csv has no row of .*'values': 100"):
        sentence(reading(row=row), grid, "claims.yaml, reason x")


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"algorithm": "CLUB"}, "was not played here"), ({"environment": "other"}, "was not played here")],
)
def test_a_run_that_a_configuration_leaves_out_is_said_to_be_so(grid, changed, words):
    row = {"environment": "game", "algorithm": "UCB", "values": 10.0, **changed}
    assert words in sentence(reading(row=row), grid, "x")


def test_a_result_that_is_not_known_is_said_to_be_so(grid):
    row = {"environment": "game", "algorithm": "LOST", "values": 10}
    assert sentence(reading(row=row), grid, "x") == (
        "It rests on a run of planted_grid that has no reward, because it failed or has none."
    )


def test_set_ups_are_counted_where_they_were_played_only(grid):
    counts = {name: Number(setups="planted.a", column=name, form="d") for name in COUNTS}
    reason = Reason(says="{readings}: of {judged}, {holds} and {fails}.", target="planted_grid", numbers=counts)
    assert sentence(reason, grid, "x", grid) == "16: of 14, 4 and 2."
    unplayed = "It rests on set-ups of planted.a, which were not played for this run."
    assert sentence(reason, grid, "x") == unplayed
    lost = replace(reason, numbers={name: replace(one, setups="planted.b") for name, one in counts.items()})
    assert sentence(lost, grid, "x", grid) == unplayed.replace("planted.a", "planted.b")


@pytest.mark.parametrize(("headline", "added"), [("planted.a", " A leads in 4 of 14 set-ups."), ("planted.none", "")])
def test_in_how_many_set_ups_an_order_appears_is_added_by_rule(grid, headline, added):
    assert said(replace(reading(), headline=headline, order="A leads"), grid, "x", grid) == f"It has 5.{added}"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"setups": "planted.a", "column": "wins"}, "column` is one of readings, judged, holds, fails, not 'wins'"),
        ({"setups": "planted.a"}, "needs either `row`"),
        ({"setups": "planted.a", "column": "holds", "row": {"algorithm": "UCB"}}, "needs either `row`"),
        ({"setups": "planted.a", "column": "holds", "stated": 3, "place": "Table 1"}, "needs either `row`"),
        ({"column": "reward"}, "needs either `row`"),
    ],
)
def test_a_number_is_read_from_one_place(given, words):
    with pytest.raises(ValueError, match=words):
        Number(**given)


def test_a_conjecture_has_no_headline():
    with pytest.raises(ValueError, match="is a conjecture"):
        Reason(says="It may be.", conjecture=True, headline="planted.a")
