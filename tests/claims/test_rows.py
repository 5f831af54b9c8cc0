"""Evidence from tables of measurements: repeats are runs, and the data that were used limit a verdict."""

import json
from argparse import Namespace

import numpy as np
import pandas as pd
import pytest

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.claims.judge import judge
from manybandits.claims.rows import Rows
from manybandits.measurements import m_cnb_parts
from manybandits.measurements.command_line import made, write
from manybandits.papers.claim import Claim, Selection
from manybandits.papers.scale import Scale
from tests.planted.claims import FAILS, HOLDS, OUTSIDE, UNCLEAR, UNTESTABLE, is_limited

SCALE = Scale(kind="rows", originals={"movielens": "movielens-25m"})
USERS = np.repeat([500, 1_000, 5_000], 6)


def facts(name: str, **given: object) -> dict[str, object]:
    return made("movielens", name) | {"dataset": {"name": name, "title": name, "completeness": "complete"}, **given}


def linear(tmp_path, *games, exponent=1.0, limits=(), repeats=6, **facts_given):
    """Write a table in which the steps of a part are a power of the users, and return it as evidence."""
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"part": "clustering", "users": USERS, "repeat": np.tile(np.arange(6), 3)})
    rows["steps"] = 1e-5 * USERS**exponent * np.exp(0.01 * random.normal(size=len(rows)))
    rows["seconds"] = rows["steps"]
    rows = rows[rows["repeat"] < repeats]
    write(Namespace(title="T", out=tmp_path / "t", games=()), rows, [], "Seconds.", games, limits)
    return Rows(tmp_path / "t.csv", SCALE)


def claim(**given) -> Claim:
    selection = Selection(of="clustering", measure="steps")
    shared = {"id": "p.it", "paper": "p", "experiment": "t", "place": "Table 1", "says": "It is linear."}
    return Claim(**{**shared, "kind": "slope", "against": "users", "published": 1, "selection": selection, **given})


def test_what_was_measured_on_the_paper_s_data_can_be_reproduced_and_refuted(tmp_path):
    """VERDICTS 7.7: a typed `stand_in` made every claim about run times not testable, whatever was measured."""
    evidence = linear(tmp_path, facts("movielens-25m"))
    found = judge(claim(), evidence)
    assert (found.answer, found.n) == (HOLDS, 6)
    assert not found.limits
    assert found.low < found.measured < found.high
    assert judge(claim(published=2), evidence).answer is FAILS


def test_seconds_are_of_another_machine(tmp_path):
    selection = Selection(of="clustering", measure="seconds")
    for published, answer in ((1, HOLDS), (2, FAILS)):
        found = judge(claim(published=published, selection=selection), linear(tmp_path, facts("movielens-25m")))
        assert (found.answer, found.limits) == (answer, ("one core of another machine",))


def test_what_no_run_can_meet_need_not_have_been_measured(tmp_path):
    evidence, unmeasured = linear(tmp_path), Selection(of="estimates that no run has", measure="steps")
    found = judge(claim(selection=unmeasured, outside="it asks for an endless batch"), evidence)
    assert (found.answer, found.reason) == (OUTSIDE, "it asks for an endless batch")
    with pytest.raises(InputError, match="unknown row"):
        judge(claim(selection=unmeasured), evidence)


@pytest.mark.parametrize(
    ("game", "limit"),
    [
        (facts("movielens-1m"), "movielens-1m (paper: movielens-25m)"),
        (made("movielens", "synthetic users"), "synthetic users (paper: movielens-25m)"),
    ],
)
def test_other_data_limit_good_news_and_bad_news_alike(tmp_path, game, limit):
    evidence = linear(tmp_path, game, limits=["short"])
    assert evidence.limits([]) == ["short", limit]
    assert is_limited(judge(claim(), evidence), HOLDS)
    assert is_limited(judge(claim(published=2), evidence), FAILS)


def test_other_data_limit_only_the_rows_that_were_measured_on_them(tmp_path):
    """The times on MNIST are those of the paper's data, though the same table has times on another MovieLens."""
    rows = [(data, name, repeat) for data in ("movielens", "mnist") for name in ("A", "B") for repeat in range(6)]
    table = pd.DataFrame(rows, columns=["data", "algorithm", "repeat"])
    table["steps"] = np.where(table["algorithm"] == "A", 2.0, 1.0) + 0.001 * table["repeat"]
    games = facts("movielens-1m"), facts("mnist", role="mnist")
    write(Namespace(title="T", out=tmp_path / "t", games=()), table, [], "Seconds.", games, ["short"])
    evidence = Rows(tmp_path / "t.csv", SCALE)

    def limits(data: str) -> tuple[str, ...]:
        own, rival = (Selection(of=name, measure="steps", where={"data": data}) for name in ("A", "B"))
        return tuple(judge(claim(kind="ratio", against="", selection=own, rivals=(rival,)), evidence).limits)

    assert limits("movielens") == ("short", "movielens-1m (paper: movielens-25m)")
    assert limits("mnist") == ("short",)


def test_data_that_stand_in_are_not_judged(tmp_path):
    found = judge(claim(), linear(tmp_path, facts("movielens-1m"), facts("other", stand_in=True)))
    assert found.answer is UNTESTABLE


def test_fewer_than_six_repeats_decide_nothing(tmp_path):
    assert judge(claim(), linear(tmp_path, facts("movielens-25m"), repeats=5)).answer is UNCLEAR


def test_a_bound_that_the_control_keeps_says_so(tmp_path):
    control = (Selection(of="clustering", measure="steps"),)
    evidence = linear(tmp_path, facts("movielens-25m"), exponent=0.5)
    found = judge(claim(bound="at-most", controls=control), evidence)
    assert (found.answer, len(found.flags)) == (HOLDS, 1)


def test_a_table_without_repeats_has_computed_numbers(tmp_path):
    save_text(tmp_path / "t.csv", "part,users,steps\nclustering,500,1\nclustering,5000,10\n")
    save_text(tmp_path / "t.csv.json", json.dumps({"facts": {"note": "computed"}}))
    evidence = Rows(tmp_path / "t.csv")
    assert evidence.exact
    assert judge(claim(), evidence).answer is HOLDS


def test_what_the_measurement_of_table_1_writes_can_be_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(m_cnb_parts, "SIZES", (50, 60, 80))
    games, data = m_cnb_parts.games_of(None)
    table = m_cnb_parts.measure(games, 2, 6)
    write(Namespace(title="T", out=tmp_path / "m", games=()), table, [], m_cnb_parts.NOTE, [data])
    seconds = Selection(of="clustering", measure="seconds")
    found = judge(claim(selection=seconds), Rows(tmp_path / "m.csv", SCALE))
    assert found.n == 6
    assert found.limits == ("one core of another machine", "synthetic users (paper: movielens-25m)")
