"""The title of a figure: what is seen, by rule from the verdicts, and by the runs where nothing was judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from manybandits.base.artifacts import load_provenance
from manybandits.claims.rules import NO_DIFFERENCE
from manybandits.claims.verdict import Answer, Verdict
from manybandits.claims.verdict_files import save_records
from manybandits.claims.verdicts import judge_figure
from manybandits.figures import regret
from manybandits.figures.message import load_measured, message, told_by
from manybandits.figures.outcomes import AHEAD, BEHIND, LEVEL, Outcome, outcomes_of, sentence, short_names
from manybandits.papers.claim import Selection
from manybandits.papers.files import read_paper
from manybandits.results.runs import load_runs
from tests.planted.claims import paper, plant, scale_of
from tests.planted.verdicts import verdict

NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
HEIGHTS = {"M-CNB": 100.0, "CLUB": 200.0, "LOCB": 100.1}


@pytest.fixture
def tables(tmp_path):
    return [plant(tmp_path, title, h + np.roll(NOISE, place)) for place, (title, h) in enumerate(HEIGHTS.items())]


def judged(folder, claims: dict, tables) -> list[Verdict]:
    return judge_figure(read_paper(paper(folder, claims)), "fig2", scale_of(tables), tables)


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
        ({"kind": "equality", "of": "CLUB", "than": ["M-CNB"]}, "The regret of CLUB is 100 % above that of M-CNB"),
        ({"kind": "value", "of": "CLUB", "published": 210.0}, "The regret of CLUB is 200; published: 210"),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else None,
)
def test_the_title_follows_from_the_verdict(tmp_path, tables, claim, words):
    rows = judged(tmp_path, {"it": claim}, tables)
    assert message(rows, "S, Figure 2", {"m-cnb-paper-facebook-ego": "Facebook"}) == words


def test_of_several_numbers_a_title_says_whether_most_are_met(tmp_path, tables):
    def told(*numbers: float) -> str:
        cells = [{"of": of, "published": number} for of, number in zip(("M-CNB", "CLUB"), numbers, strict=True)]
        return message(judged(tmp_path, {"it": {"kind": "value", "cells": cells}}, tables), "S, Figure 2", {})

    assert told(101.0, 900.0) == "Some published numbers are met"
    assert told(101.0, 200.0) == "Both published numbers are met"
    assert told(500.0, 900.0) == "The published numbers are not met"
    assert told(120.0, 900.0) == "Some published numbers are nearly met"


def test_of_claims_at_several_rounds_of_one_panel_none_speaks_for_the_others(tmp_path, tables):
    cells = [{"of": "M-CNB", "than": ["CLUB"], "at": at} for at in (50, 100)]
    rows = judged(tmp_path, {"it": {"kind": "order", "cells": cells}}, tables)
    assert len(rows) == 2
    assert message(rows, "S, Figure 2", {}) == "it: holds in one of two cases"


def test_the_claims_of_the_place_come_first_and_orders_before_numbers(tmp_path, tables):
    order = {"kind": "order", "of": "M-CNB", "than": ["CLUB"]}
    value = {"kind": "value", "of": "CLUB", "published": 210.0}
    rows = judged(tmp_path, {"far": {**order, "place": "Theorem 9"}, "near": value, "best": order}, tables)
    assert [one.claim.id for one in told_by(rows, "S, Figure 2")] == ["planted.best"]
    assert [one.claim.id for one in told_by(rows[:2], "S, Figure 2")] == ["planted.near"]
    assert [one.claim.id for one in told_by(rows[:1], "S, Figure 2")] == ["planted.far"]


def test_verdicts_title_the_figure_and_published_numbers_are_in_it(tmp_path, tables):
    claims = {
        "best": {"kind": "order", "of": "M-CNB", "than": ["LOCB"]},
        "value": {"kind": "value", "of": "CLUB", "published": 210.0},
        "other": {"kind": "value", "of": "LOCB", "published": 250.0, "quoted": "a figure of the authors"},
    }
    found = judge_figure(read_paper(paper(tmp_path, claims)), "fig2", scale_of(tables), tables)
    save_records(tmp_path / "v.jsonl", found)
    given = ["--title", "S, Figure 2: regret", "--runs", *map(str, tables), "--out", str(tmp_path / "f")]
    regret.main([*given, "--verdicts", str(tmp_path / "v.jsonl")])
    facts = load_provenance(tmp_path / "f.csv")["facts"]
    assert facts["seen"] == "M-CNB is level with LOCB on Facebook ego networks"
    assert "Hollow diamonds are the numbers that the paper states" in facts["caption"]
    assert "Hollow squares are the numbers of a figure of the authors." in facts["caption"]
    nothing = judge_figure(read_paper(paper(tmp_path, {})), "fig2", scale_of(tables), tables)
    save_records(tmp_path / "v.jsonl", nothing)
    regret.main([*given, "--verdicts", str(tmp_path / "v.jsonl")])
    assert "the numbers that the paper states" not in load_provenance(tmp_path / "f.csv")["facts"]["caption"]


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


def test_of_many_games_a_title_says_most_and_few_are_named():
    many = [Outcome("M-CNB", "CLUB", f"a game with a long name, number {n}", AHEAD) for n in range(9)]
    assert sentence(many) == "M-CNB is ahead of all rivals on all 9 games"
    behind = [Outcome("M-CNB", "CLUB", f"another game with a long name, number {n}", BEHIND) for n in range(2)]
    told = "M-CNB is ahead of all rivals on most games and behind the best rival on others"
    assert sentence([*many, *behind]) == told
    assert "CLUB on Yelp" in sentence([Outcome("M-CNB", "CLUB", "Yelp", BEHIND)])


def test_games_are_called_by_what_sets_them_apart(tmp_path):
    notes = ["N = 50, theta ~ N(mu, 0.01 I), noise 1", "N = 50, theta ~ N(mu, 1 I), noise 1"]
    paths = [plant(tmp_path, "CLUB", [1.0], name=f"g{n}", data_note=note) for n, note in enumerate(notes)]
    assert list(short_names(load_runs(paths)).values()) == ["theta ~ N(mu, 0.01 I)", "theta ~ N(mu, 1 I)"]


def test_a_method_against_itself_is_told_by_the_claim_and_after_all_others():
    about = {"says": "Regret falls as agents join.", "place": "Remark 3", "of": "SCLB", "than": "SCLB"}
    one = verdict(id="planted.one.1", **about)
    other = verdict(id="planted.one.2", answer=Answer.FAILS, **about)
    assert message([one], "Remark 3", {}) == "Regret falls as agents join: holds"
    assert message([one, other], "Remark 3", {}) == "Regret falls as agents join: holds in one of two games"
    assert message([other, other], "Remark 3", {}) == "Regret falls as agents join: holds in neither game"
    outside = [verdict(id="planted.one", answer=Answer.OUTSIDE, **about) for _ in range(3)]
    seen = "Regret falls as agents join: holds in all games (assumptions not met)"
    assert message(outside, "Remark 3", {}) == seen
    slope = {"kind": "slope", "against": "agents", "measured": 0.3, "published": 0.5, "low": 0.2, "high": 0.4}
    rate = verdict(id="planted.two", place="Remark 3", of="SCLB", **slope)
    assert message([one, rate], "Remark 3", {}) == "Regret of SCLB grows as agents^0.30, as stated (0.5)"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"measured": 0.93, "published": 0.34, "bound": "at-most", "answer": Answer.FAILS},
         "Regret of M-CNB grows as rounds^0.93, not as stated (at most 0.34)"),
        ({"measured": -0.48, "published": -0.5, "answer": Answer.HOLDS},
         "Regret of M-CNB falls as rounds^-0.48, as stated (-0.5)"),
        ({"measured": 0.05, "published": -0.5, "bound": "at-most", "answer": Answer.OUTSIDE},
         "Regret of M-CNB hardly changes with rounds (slope 0.05); theory: at most -0.5 (assumptions not met)"),
        ({"measured": 0.26, "published": 0.2175, "bound": "at-most", "answer": Answer.UNCLEAR},
         "Regret of M-CNB grows as rounds^0.26; stated: at most 0.22 (inconclusive)"),
        ({"measured": 0.0, "published": 0.0, "answer": Answer.NEAR},
         "Regret of M-CNB hardly changes with rounds (slope 0.00), nearly as stated (0)"),
    ],
)  # fmt: skip
def test_a_rate_is_told_with_what_is_stated_of_it(changes, words):
    assert message([verdict(kind="slope", against="rounds", **changes)], "Figure 2", {}) == words


def test_what_is_identical_in_every_run_is_said_to_be():
    same = verdict(kind="equality", than="M-CNB, S 10", says="Regret does not depend on S.", answer=Answer.SAME)
    assert message([same, same], "Figure 2", {}) == "Regret does not depend on S: identical in every run"


def test_values_of_an_option_that_should_be_alike_are_told_by_the_claim():
    about = {"kind": "equality", "of": "UCB", "says": "Clicks do not depend on k.", "options": {"k": 1}}
    near, same, holds = (verdict(answer=one, than="UCB", **about) for one in (Answer.NEAR, Answer.SAME, Answer.HOLDS))
    assert message([near, near], "Figure 2", {}) == "Clicks do not depend on k: both vary slightly"
    several = "Clicks do not depend on k: holds for some values"
    assert message([near, same, holds], "Figure 2", {}) == several
    assert message([holds], "Figure 2", {}) == "Clicks do not depend on k: holds"


def test_a_variant_of_the_method_is_named_by_its_options():
    level = {"answer": Answer.UNCLEAR, "reason": NO_DIFFERENCE}
    one = verdict(than="M-CNB, nu 1.1", **level)
    assert message([one], "Figure 2", {"yelp": "Yelp"}) == "M-CNB does as well with nu = 1.1 on Yelp"


def test_no_worse_is_told_by_the_interval():
    for low, words in ((-0.02, "is level with"), (0.01, "has less regret than")):
        found = message([verdict(strictly=False, low=low)], "Figure 2", {"yelp": "Yelp"})
        assert found == f"M-CNB {words} CLUB on Yelp"


def test_games_named_by_their_settings_are_places_at_which_and_data_are_places_on_which():
    made = [Outcome("CMLB", "CLUB", f"N = {agents}", LEVEL) for agents in (50, 100)]
    assert sentence(made) == "CMLB is level with CLUB at N = 50 and N = 100"
    assert sentence([Outcome("CMLB", "CLUB", "Last.FM", LEVEL)]) == "CMLB is level with CLUB on Last.FM"
    assert sentence([Outcome("CMLB", "CLUB", "", LEVEL)]) == "CMLB is level with CLUB"


def test_what_all_games_have_in_common_is_said_once():
    games = [Outcome("M-CNB", "LOCB", f"{data}, user arm", LEVEL) for data in ("MNIST", "Mushroom")]
    assert sentence(games) == "M-CNB is level with LOCB on MNIST and Mushroom where each arm belongs to one user"
    made = [Outcome("CMLB", "CLUB", f"z = {z}, noise 1", LEVEL) for z in (1, 2)]
    assert sentence(made) == "CMLB is level with CLUB at z = 1 and z = 2, noise 1"


def test_verbs_are_not_repeated():
    made = [Outcome("M-CNB", rival, game, BEHIND) for rival, game in (("CLUB", "Yelp"), ("LOCB", "MovieLens"))]
    assert sentence(made) == "M-CNB has more regret than CLUB on Yelp and than LOCB on MovieLens"


def test_a_method_on_a_single_game_is_not_said_to_be_ahead_on_all_of_them():
    many = [
        Outcome(f"Method {number} with a name that is long, {'x' * 60}", "CLUB", "Yelp", AHEAD, 2) for number in (1, 2)
    ]
    assert sentence(many).count("is ahead of all rivals") == 2
    assert "games" not in sentence(many)
    assert sentence([replace(one, compared=1) for one in many]).count("is ahead of CLUB") == 2


def test_orders_of_a_log_are_circumstances_and_not_places():
    assert sentence([Outcome("UCB", "CLUB", "orders drawn", LEVEL)]) == "UCB is level with CLUB in shuffled order"


def test_a_theorem_outside_its_conditions_is_told_by_what_was_measured_and_counted_as_not_judged():
    about = {"of": "RMBandit", "than": "OLS bandit", "place": "Corollary 4", "game": "g", "answer": Answer.OUTSIDE}
    for low, high, words in (
        (0.1, 0.3, "has less regret than"),
        (-0.3, -0.1, "has more regret than"),
        (-0.1, 0.1, "is level with"),
        (None, None, "is not clearly better or worse than"),
    ):
        told = message([verdict(low=low, high=high, **about)], "Corollary 4", {"g": "Adult"})
        assert told == f"RMBandit {words} OLS bandit on Adult"
    rate = verdict(kind="slope", against="d", measured=0.4, published=0.5, bound="at-most", **about)
    told = "Regret of RMBandit grows as d^0.40; theory: at most 0.5 (assumptions not met)"
    assert message([rate], "Corollary 4", {}) == told
    told = "The rates of RMBandit are not judged (assumptions not met)"
    assert message([rate, rate], "Corollary 4", {}) == told
    value = verdict(kind="value", measured=1.0, published=1.0, measure="share", low=None, **about)
    told = "The share of RMBandit is 1; theory: 1 (assumptions not met)"
    assert message([value], "Corollary 4", {}) == told


def test_one_of_several_games_is_named_as_the_worst_and_a_lead_on_all_of_them_says_so():
    about = {"of": "CMLB", "game": "g", "comparisons": 12}
    names = {"g": "N = 50"}
    behind = "CMLB has more regret than CLUB at N = 50 (worst of 12 comparisons)"
    fails = verdict(answer=Answer.FAILS, **about)
    assert message([fails], "Figure 1", names) == behind
    assert message([verdict(**about)], "Figure 1", names) == "CMLB has less regret than CLUB on all 12 games"
    quiet = verdict(where={"noise": 0.1}, **about)
    both = message([fails, quiet], "Figure 1", names)
    assert both == f"{behind} and less regret than CLUB on all 12 games with noise 0.1"
    shared = [replaced(one, where={"noise": 0.1}) for one in (fails, quiet)]
    assert message(shared, "Figure 1", names) == f"{behind} and less regret than CLUB on all 12 games"
    rivals = verdict(of="CMLB", game="g", than=("CLUB", "LOCB", "SCLUB"), comparisons=3)
    assert message([rivals], "Figure 1", names) == "CMLB has less regret than all 3 rivals at N = 50"
    beside = verdict(answer=Answer.FAILS, of="CMLB", game="g", relative="Random")
    assert message([beside], "Figure 1", names) == "CMLB has more regret relative to Random than CLUB"


def replaced(one: Verdict, **changes) -> Verdict:
    """Return a verdict whose claim selects other runs."""
    return structs.replace(one, claim=structs.replace(one.claim, selection=Selection(of="CMLB", **changes)))


def test_readings_of_several_games_are_told_apart_by_what_is_read_otherwise():
    about = {"id": "p.alone.1", "of": "CMLB", "place": "Figure 1 a-d", "game": "a, noise", "comparisons": 6}
    rows = [
        verdict(reading="noise 0.1", **about),
        verdict(reading="noise 0.5", answer=Answer.FAILS, **about),
    ]
    assert message(rows, "SCLB, Figure 1 a-d, with less noise", {"a": "N = 50"}) == (
        "CMLB has less regret than CLUB with noise 0.1 and more regret than CLUB with noise 0.5"
    )


def test_nothing_is_loaded_of_claims_that_were_not_measured(tmp_path):
    save_records(tmp_path / "v.jsonl", [verdict(), verdict(answer=Answer.UNTESTABLE, measured=None)])
    assert load_measured(tmp_path / "v.jsonl") == [verdict()]
    assert load_measured(None) == []


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


@pytest.mark.parametrize(("kind", "words"), [(AHEAD, "more regret"), (BEHIND, "less regret")])
def test_a_title_says_what_an_option_does_and_compares_no_method_with_itself(kind, words):
    narrow = Outcome("Meta-Ban", "Meta-Ban, nu 1.1", "MovieLens 1M", kind)
    assert sentence([narrow]) == f"Meta-Ban has {words} with nu = 1.1 on MovieLens 1M"
