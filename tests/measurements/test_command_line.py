"""What measurements are called, and what they leave."""

import importlib

import numpy as np
import pandas as pd
import pytest

from manybandits import measurements
from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError
from manybandits.environments.opinions import ARMS
from manybandits.measurements import m_cnb_parts, m_cnb_times, probe
from manybandits.measurements.command_line import facts_of, made, parser_of, write

GAME = {
    "role": "movielens",
    "dataset": {"name": "movielens-1m", "title": "MovieLens 1M", "completeness": "complete"},
    "stand_in": False,
    "data_note": "MovieLens 1M",
    "users": 50,
}


def test_a_measurement_is_every_module_with_a_script_of_its_own():
    known = ["lnucb_ta_runtime", "m_cnb_parts", "m_cnb_times", "probe", "rmbandit_lemma1", "rmbandit_updates"]
    assert measurements.names() == known
    for name in measurements.names():
        assert callable(importlib.import_module(measurements.module_of(name)).main)
    assert set(measurements.MAKING_DATA) < set(measurements.names())


def test_a_table_is_printed_and_written_only_where_a_stem_is_given(tmp_path, capsys):
    parser = parser_of("Time it.", "Table 1")
    table, facts = pd.DataFrame({"seconds": [0.5]}), facts_of([GAME], "On one core.", ["a limit"])
    shown = "# Table 1\n\nOn one core. Data: MovieLens 1M.\n\n| 0.5 |\n"
    for out in ([], ["--out", str(tmp_path / "a.b")]):
        assert list(tmp_path.iterdir()) == []
        write(parser.parse_args(out), table, [("", "| 0.5 |\n")], "On one core.", [GAME], ["a limit"], repeats=2)
        assert capsys.readouterr().out == shown
    assert (tmp_path / "a.b.csv").read_text() == "seconds\n0.5\n"
    assert (tmp_path / "a.b.md").read_text() == shown
    made_by = load_provenance(tmp_path / "a.b.csv")
    assert made_by["facts"] == facts
    assert made_by["settings"] == {"title": "Table 1", "repeats": 2}


@pytest.mark.parametrize("stand_in", [False, True])
def test_whether_data_stand_in_is_what_the_played_games_say(stand_in):
    facts = facts_of([GAME, {**GAME, "stand_in": stand_in, "data_note": "other"}], "On one core.", ["short"])
    assert facts["stand_in"] is stand_in
    assert facts["note"] == "On one core. Data: MovieLens 1M; other."
    assert [game["dataset"]["name"] for game in facts["games"]] == ["movielens-1m"] * 2
    assert facts["limits"] == ["short"]


def test_data_that_were_made_are_named_and_forbid_nothing():
    facts = facts_of([made("article", "a made log")], "On one core.")
    assert not facts["stand_in"]
    assert facts["games"][0]["dataset"]["name"] == "a made log"


def test_every_part_of_a_round_of_m_cnb_is_timed_for_every_number_of_users(tmp_path, monkeypatch):
    monkeypatch.setattr(m_cnb_parts, "SIZES", (50, 60))
    m_cnb_parts.main(["--rounds", "2", "--repeats", "2", "--title", "T", "--out", str(tmp_path / "t")])
    table = pd.read_csv(tmp_path / "t.csv")
    assert list(zip(table["part"], table["users"], table["repeat"], strict=True)) == [
        (part, users, repeat) for part in m_cnb_parts.PARTS for users in (50, 60) for repeat in (0, 1)
    ]
    assert (table["seconds"] >= 0).all()
    assert load_provenance(tmp_path / "t.csv")["facts"]["games"][0]["dataset"]["name"] == "synthetic users"
    assert (tmp_path / "t.md").read_text().startswith("# T\n\nCPU seconds of a round on one core")


def test_the_seconds_of_the_paper_stand_beside_its_own_numbers_of_users():
    assert m_cnb_parts.stated("clustering", 5_000) == 0.057
    assert np.isnan(m_cnb_parts.stated("clustering", 1_000))
    assert np.isnan(m_cnb_parts.stated("choice of an arm", 500))


def test_users_of_the_parts_are_the_busiest_raters_and_each_has_its_own_entries():
    random = np.random.default_rng(0)
    rater = {kind: random.integers(30, size=count) for kind, count in (("paying", 200), ("other", 900))}
    arrays = {f"{kind}_rater": raters for kind, raters in rater.items()}
    arrays |= {f"{kind}_item": np.arange(len(raters)) for kind, raters in rater.items()}
    arrays |= {"group": np.zeros(30, int), "item_table": np.eye(3), "user_table": np.zeros((1, 0)), "replace": False}
    entries = np.bincount(rater["paying"], minlength=30) + np.bincount(rater["other"], minlength=30)
    found = m_cnb_parts.by_rater(arrays, 12)
    kept = np.unique(np.concatenate([found["paying_rater"], found["other_rater"]]))
    assert len(kept) == 12
    assert entries[kept].min() >= np.delete(entries, kept).max()
    for kind, raters in rater.items():
        start = found[f"{kind}_start"]
        assert len(start) == 13
        for user, one in enumerate(kept):
            own = found[f"{kind}_item"][start[user] : start[user + 1]]
            np.testing.assert_array_equal(np.sort(own), np.flatnonzero(raters == one))
    served = found["serve_pool"]
    assert (np.diff(found["paying_start"])[served] >= 1).all()
    assert (np.diff(found["other_start"])[served] >= ARMS - 1).all()


def test_later_rounds_count_in_proportion_to_those_that_were_played(monkeypatch):
    clock = iter([0.0, 5.0, 7.0])
    monkeypatch.setattr(m_cnb_times.time, "process_time", lambda: next(clock))
    monkeypatch.setattr(m_cnb_times, "EARLY", 3)
    monkeypatch.setattr(m_cnb_times, "HORIZON", 11)
    assert m_cnb_times.seconds(m_cnb_parts.made_game(50), m_cnb_times.m_cnb, 5, 0) == 5.0 + 2.0 * 8 / 2


def test_times_ask_for_rounds_after_the_first_thousand():
    with pytest.raises(InputError, match="1,000 rounds: give more than 1,000"):
        m_cnb_times.measure([], 1_000, 1)


@pytest.mark.parametrize("measurement", [m_cnb_times, probe])
def test_what_plays_games_of_users_asks_for_one(measurement):
    with pytest.raises(InputError, match="--games names no game of users: name frozen ones"):
        measurement.main([])


def test_times_have_a_row_for_every_algorithm_and_repeat(monkeypatch):
    monkeypatch.setattr(m_cnb_times, "seconds", lambda game, algorithm, rounds, seed: 8.0 + seed)
    game = m_cnb_parts.made_game(50)
    game.facts["role"] = "movielens"
    table = m_cnb_times.measure([game], 2_000, 2)
    assert list(zip(table["algorithm"], table["repeat"], table["seconds"], strict=True)) == [
        (title, repeat, 8.0 + repeat) for title in ("M-CNB", "NeuUCB-ONE") for repeat in (0, 1)
    ]
    assert "| movielens | 8.50 | 8.50 | 1.00 | 1.6 |" in m_cnb_times.markdown(table)
