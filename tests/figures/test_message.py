"""The title of a figure: what is seen, by rule from the verdicts, and by the runs where nothing was judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from manybandits.base.artifacts import load_provenance
from manybandits.base.table_files import save_csv
from manybandits.claims.verdicts import judge_figure
from manybandits.figures import regret
from manybandits.figures.message import message, told_by
from manybandits.figures.outcomes import AHEAD, BEHIND, LEVEL, Outcome, outcomes_of, sentence, short_names
from manybandits.papers.files import read_paper
from manybandits.results.runs import load_runs
from manybandits.results.verdict_table import OUTSIDE
from tests.planted.claims import paper, plant, scale_of

NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
HEIGHTS = {"M-CNB": 100.0, "CLUB": 200.0, "LOCB": 100.1}


@pytest.fixture
def tables(tmp_path):
    return [plant(tmp_path, title, h + np.roll(NOISE, place)) for place, (title, h) in enumerate(HEIGHTS.items())]


def judged(folder, claims: dict, tables) -> list[dict[str, str]]:
    found = judge_figure(read_paper(paper(folder, claims)), "fig2", "paper", scale_of(tables), tables)
    return found.to_dict("records")


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"kind": "order", "of": "M-CNB", "than": ["CLUB"]}, "M-CNB has less regret than CLUB on Facebook"),
        ({"kind": "order", "of": "M-CNB", "than": ["CLUB", "LOCB"]}, "M-CNB is level with LOCB on Facebook"),
        ({"kind": "order", "of": "CLUB", "than": ["M-CNB"]}, "CLUB has more regret than M-CNB on Facebook"),
        (
            {"kind": "ratio", "of": "M-CNB", "than": ["CLUB"], "published": 0.6},
            "The regret of M-CNB is 0.5 times that of CLUB; published: 0.6",
        ),
        ({"kind": "equality", "of": "CLUB", "than": ["M-CNB"]}, "The regret of CLUB and M-CNB differs by 100.0 %"),
        ({"kind": "value", "of": "CLUB", "published": 210.0}, "The regret of CLUB is 200, published: 210"),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else None,
)
def test_the_title_follows_from_the_verdict(tmp_path, tables, claim, words):
    rows = judged(tmp_path, {"it": claim}, tables)
    assert message(rows, "S, Figure 2", {"m-cnb-paper-facebook-ego": "Facebook"}) == words


def test_several_claims_of_a_kind_are_counted(tmp_path, tables):
    def told(*numbers: float) -> str:
        cells = [{"of": of, "published": number} for of, number in zip(("M-CNB", "CLUB"), numbers, strict=True)]
        return message(judged(tmp_path, {"it": {"kind": "value", "cells": cells}}, tables), "S, Figure 2", {})

    assert told(101.0, 900.0) == "1 of 2 published numbers are met, 1 not"
    assert told(101.0, 200.0) == "Both published numbers are met"
    assert told(500.0, 900.0) == "None of the 2 published numbers is met"
    assert told(120.0, 900.0) == "None of the 2 published numbers is met, 1 nearly, 1 not"


def test_claims_at_several_rounds_of_one_panel_are_counted_and_none_speaks_for_the_others(tmp_path, tables):
    cells = [{"of": "M-CNB", "than": ["CLUB"], "at": at} for at in (50, 100)]
    rows = judged(tmp_path, {"it": {"kind": "order", "cells": cells}}, tables)
    assert len(rows) == 2
    assert message(rows, "S, Figure 2", {}) == "1 of 2 stated orders of M-CNB hold"


def test_the_claims_of_the_place_come_first_and_orders_before_numbers(tmp_path, tables):
    order = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}
    value = {"kind": "value", "of": "CLUB", "published": 210.0}
    rows = judged(tmp_path, {"far": {**order, "place": "Theorem 9"}, "near": value, "best": order}, tables)
    assert [row["claim"] for row in told_by(rows, "S, Figure 2")] == ["planted.best"]
    assert [row["claim"] for row in told_by(rows[:2], "S, Figure 2")] == ["planted.near"]
    assert [row["claim"] for row in told_by(rows[:1], "S, Figure 2")] == ["planted.far"]


def test_verdicts_title_the_figure_and_published_numbers_are_in_it(tmp_path, tables):
    claims = {
        "best": {"kind": "order", "of": "M-CNB", "than": ["LOCB"]},
        "value": {"kind": "value", "of": "CLUB", "published": 210.0},
    }
    found = judge_figure(read_paper(paper(tmp_path, claims)), "fig2", "paper", scale_of(tables), tables)
    save_csv(tmp_path / "v.csv", found)
    given = ["--title", "S, Figure 2: regret", "--runs", *map(str, tables), "--out", str(tmp_path / "f")]
    regret.main([*given, "--verdicts", str(tmp_path / "v.csv")])
    facts = load_provenance(tmp_path / "f.csv")["facts"]
    assert facts["seen"] == "M-CNB is level with LOCB on Facebook ego networks"
    assert "Hollow diamonds" in facts["caption"]
    nothing = judge_figure(read_paper(paper(tmp_path, {})), "fig2", "paper", scale_of(tables), tables)
    save_csv(tmp_path / "v.csv", nothing)
    regret.main([*given, "--verdicts", str(tmp_path / "v.csv")])
    assert "No number that the paper states" in load_provenance(tmp_path / "f.csv")["facts"]["caption"]


def test_without_a_verdict_the_runs_say_the_same(tables):
    (found,) = outcomes_of(load_runs(tables))
    assert (found.own, found.rival, found.kind) == ("M-CNB", "LOCB", LEVEL)
    (found,) = outcomes_of(load_runs(tables[:2]))
    assert (found.own, found.rival, found.kind) == ("M-CNB", "CLUB", AHEAD)


def test_where_rivals_are_compared_one_by_one_the_least_favourable_counts(tmp_path, tables):
    cells = [{"of": "M-CNB", "than": ["CLUB"]}, {"of": "M-CNB", "than": ["LOCB"]}]
    rows = judged(tmp_path, {"it": {"kind": "order", "cells": cells}}, tables)
    assert message(rows, "S, Figure 2", {}) == "M-CNB is level with LOCB on m-cnb-paper-facebook-ego"
    both = [{"of": "M-CNB", "than": ["CLUB", "CLUB"]}]
    rows = judged(tmp_path, {"it": {"kind": "order", "cells": both}}, tables)
    assert message(rows, "S, Figure 2", {}) == "M-CNB has less regret than both rivals on m-cnb-paper-facebook-ego"


def test_an_oracle_is_no_rival(tmp_path, tables):
    oracle = plant(tmp_path, "Oracle", 1.0 + NOISE)
    (found,) = outcomes_of(load_runs([*tables[:2], oracle]))
    assert (found.rival, found.kind) == ("CLUB", AHEAD)


def test_many_games_are_counted_and_few_are_named():
    many = [Outcome("M-CNB", "CLUB", f"a game with a long name, number {n}", AHEAD) for n in range(9)]
    assert sentence(many) == "M-CNB is ahead of all rivals on all 9 games"
    behind = [Outcome("M-CNB", "CLUB", f"another game with a long name, number {n}", BEHIND) for n in range(2)]
    counted = "Of 11 games, M-CNB is ahead of all rivals on 9 and behind the best rival on 2"
    assert sentence([*many, *behind]) == counted
    assert "CLUB on Yelp" in sentence([Outcome("M-CNB", "CLUB", "Yelp", BEHIND)])


def test_games_are_called_by_what_sets_them_apart(tmp_path):
    notes = ["N = 50, theta ~ N(mu, 0.01 I), noise 1", "N = 50, theta ~ N(mu, 1 I), noise 1"]
    paths = [plant(tmp_path, "CLUB", [1.0], name=f"g{n}", data_note=note) for n, note in enumerate(notes)]
    assert list(short_names(load_runs(paths)).values()) == ["theta ~ N(mu, 0.01 I)", "theta ~ N(mu, 1 I)"]


def test_a_method_against_itself_is_told_by_the_claim_and_after_all_others():
    row = {"kind": "order", "of": "SCLB", "rival": "SCLB", "says": "Regret falls as agents join.", "reading": "paper"}
    row |= {"stands": "", "place": "Remark 3", "claim": "planted.one", "verdict": "reproduced", "measure": "regret"}
    row |= {"at": "", "point": "", "game": "", "quantity": "", "data": ""}
    assert message([row], "Remark 3", {}) == "Regret falls as agents join: reproduced"
    two = [row, row | {"claim": "planted.one.2", "verdict": "not reproduced"}]
    assert message(two, "Remark 3", {}) == "Regret falls as agents join: holds in 1 of 2 games"
    slope = row | {"kind": "slope", "claim": "planted.two", "measured": "0.1", "published": "0.5", "bound": ""}
    assert message([row, slope], "Remark 3", {}) == "The slope of SCLB is 0.10, as stated (0.50)"


def test_games_named_by_their_settings_are_places_at_which_and_data_are_places_on_which():
    made = [Outcome("CMLB", "CLUB", f"N = {agents}", LEVEL) for agents in (50, 100)]
    assert sentence(made) == "CMLB is level with CLUB at N = 50 and N = 100"
    assert sentence([Outcome("CMLB", "CLUB", "Last.FM", LEVEL)]) == "CMLB is level with CLUB on Last.FM"
    assert sentence([Outcome("CMLB", "CLUB", "", LEVEL)]) == "CMLB is level with CLUB"


def test_a_method_on_a_single_game_is_not_said_to_be_ahead_on_all_of_them():
    many = [
        Outcome(f"Method {number} with a name that is long, {'x' * 60}", "CLUB", "Yelp", AHEAD, 2) for number in (1, 2)
    ]
    assert sentence(many).count("is ahead of all rivals") == 2
    assert "games" not in sentence(many)
    assert sentence([replace(one, compared=1) for one in many]).count("is ahead of CLUB") == 2


def test_orders_of_a_log_are_circumstances_and_not_places():
    assert sentence([Outcome("UCB", "CLUB", "orders drawn", LEVEL)]) == "UCB is level with CLUB in drawn orders"


def test_a_theorem_outside_its_conditions_is_told_by_what_was_measured_and_counted_as_unmet_conditions():
    row = {"kind": "order", "of": "RMBandit", "rival": "OLS bandit", "says": "It is ahead.", "reading": "paper"}
    row |= {"stands": "", "place": "Corollary 4", "claim": "planted.one", "verdict": OUTSIDE, "measure": "regret"}
    row |= {"at": "", "point": "", "game": "g", "quantity": "lead in regret", "compared": "1", "reason": "", "data": ""}
    row |= {"comparisons": "1", "bound": ""}
    for ends, words in (
        (("0.1", "0.3"), "has less regret than"),
        (("-0.3", "-0.1"), "has more regret than"),
        (("-0.1", "0.1"), "is level with"),
        (("", ""), "cannot be told from"),
    ):
        told = row | dict(zip(("low", "high"), ends, strict=True))
        assert message([told], "Corollary 4", {"g": "Adult"}) == f"RMBandit {words} OLS bandit on Adult"
    slope = row | {"kind": "slope", "measured": "0.4", "published": "0.5"}
    assert message([slope], "Corollary 4", {}).endswith("is 0.40; stated, under conditions that no run meets: 0.50")
    two = [slope, slope | {"claim": "planted.one.2"}]
    assert message(two, "Corollary 4", {}).endswith("are those of conditions that no run meets")


def test_one_of_several_games_is_named_as_the_least_favourable_and_a_lead_on_all_of_them_says_so():
    row = {"kind": "order", "of": "CMLB", "rival": "CLUB", "says": "It is ahead.", "reading": "paper", "stands": ""}
    row |= {"place": "Figure 1", "claim": "planted.one", "measure": "regret", "at": "", "point": "", "game": "g"}
    row |= {
        "compared": "1",
        "comparisons": "12",
        "reason": "",
        "quantity": "lead in regret of CMLB over CLUB, relative",
    }
    row |= {"data": "N = 50, noise 1; N = 100, noise 1"}
    names = {"g": "N = 50"}
    behind = "CMLB has more regret than CLUB at N = 50 (the least favourable of 12 games)"
    assert message([row | {"verdict": "not reproduced"}], "Figure 1", names) == behind
    ahead = "CMLB has less regret than CLUB on all 12 games"
    assert message([row | {"verdict": "reproduced"}], "Figure 1", names) == ahead
    quiet = row | {"claim": "planted.one.2", "data": "N = 50, noise 0.1; N = 100, noise 0.1", "verdict": "reproduced"}
    both = message([row | {"verdict": "not reproduced"}, quiet], "Figure 1", names)
    assert both == f"{behind} and has less regret than CLUB on all 12 games with noise 0.1"
    other = "lead in regret of CMLB relative to Random over CLUB relative to Random, relative"
    beside = message([row | {"verdict": "not reproduced", "quantity": other, "comparisons": "1"}], "Figure 1", names)
    assert beside == "CMLB has more regret relative to Random than CLUB"


def test_readings_of_several_games_are_told_apart_by_what_is_read_otherwise():
    common = {"claim": "p.alone.1", "kind": "order", "stands": "", "measured": "0.2", "of": "CMLB", "rival": "CLUB"}
    common |= {"place": "Figure 1 a-d", "measure": "regret", "at": "", "point": "", "quantity": "", "reason": ""}
    common |= {"game": "a, noise", "data": "z 0", "comparisons": "6", "compared": "1", "low": "", "high": ""}
    rows = [
        {**common, "reading": "noise 0.1", "verdict": "reproduced"},
        {**common, "reading": "noise 0.5", "verdict": "not reproduced"},
    ]
    assert message(rows, "SCLB, Figure 1 a-d, with less noise", {"a": "N = 50"}) == (
        "CMLB has less regret than CLUB with noise 0.1 and has more regret than CLUB with noise 0.5"
    )


def test_many_variants_of_one_method_are_counted_and_not_named():
    names = ["first_data none", "weights last", "gradient meta", "meta_start previous", "user_start previous"]
    kinds = [BEHIND, LEVEL, BEHIND, AHEAD, BEHIND]
    made = [
        Outcome(f"Meta-Ban, {name}", "NeuUCB-ONE", "MovieLens 1M", kind)
        for name, kind in zip(names, kinds, strict=True)
    ]
    counted = "1 is ahead of NeuUCB-ONE, 1 is level with it and 3 are behind it"
    assert sentence(made) == f"Of 5 variants of Meta-Ban, {counted}"
    assert sentence([replace(made[0], own="M-CNB"), *made[1:]]) == f"Of 5 methods, {counted}"
    behind = [replace(one, kind=BEHIND) for one in made]
    assert sentence(behind) == "All 5 variants of Meta-Ban are behind NeuUCB-ONE"
    several = [replace(one, rival=rival, compared=2) for one, rival in zip(made, names, strict=True)]
    assert sentence(several) == f"Of 5 variants of Meta-Ban, {counted.replace('NeuUCB-ONE', 'the best rival')}"
