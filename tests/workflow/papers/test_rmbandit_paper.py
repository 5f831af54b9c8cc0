"""The claims of RMBandit: what stands apart, what is judged under which conditions, and how bandits are tuned."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds
from manybandits.base.configuration import read_yaml
from manybandits.claims.regressions import RATES as RATES_OF_ERRORS
from manybandits.claims.regressions import C, is_vacuous, log_delta
from manybandits.environments import instances
from manybandits.environments.instance_conditions import theorems
from manybandits.estimators.comparison import CONSTANTS, ESTIMATORS
from manybandits.harness.arguments import expand_grid
from manybandits.papers.claim import PAPER, Claim
from manybandits.papers.files import Paper, read_paper
from manybandits.planning.checkout import checkout_of
from manybandits.planning.plan import Plan, make_plan
from manybandits.results.error_table import log_failure
from manybandits.results.sweeps import RATES
from tests.workflow.papers.test_hybrid_papers import flags

ASKED = {  # stated rate -> the fact of a game, or of a regression, that says where its conditions hold
    "theorem2": "rmbandit_theorem2",
    "theorem2_proof": "rmbandit_theorem2",
    "corollary3": "rmbandit_theorem2",
    "corollary4": "rmbandit_corollary4",
    "theorem3": "rmbandit_theorem3",
    "corollaries": "rmbandit_corollary1",
}


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(root / "workflow/papers/rmbandit")


@pytest.fixture(scope="module")
def plan(root) -> Plan:
    return make_plan({**read_yaml(root / "config.yaml"), "papers": ["rmbandit"], "league": False}, root)


@pytest.fixture(scope="module")
def headlined(paper) -> list[Claim]:
    """The claims that decide the headlines."""
    ids = {one for headline in paper.headlines.values() for one in headline.members(paper.claims, "claims.yaml")}
    return [claim for claim in paper.claims if claim.id in ids and claim.reading == PAPER]


def cells(paper: Paper, key: str) -> list[Claim]:
    return [claim for claim in paper.claims if claim.key == key and claim.reading == PAPER]


def conditions(claim: Claim, plan: Plan) -> list[list[float | None] | None]:
    """Return for every game of a claim the horizons at which its theorem holds; None if another one is played."""
    (figure,) = (one for one in plan.figures if one.experiment == claim.experiment)
    found = []
    for play in figure.plays:
        made = flags(play)
        where = {name: str(value) for name, value in claim.selection.where.items()}
        if play.spec.title != claim.selection.of or not where.items() <= made.items():
            continue
        given = {name: type(value)(made[name]) for name, value in instances.SETTINGS.items() if name in made}
        settings = {**instances.SETTINGS, **given}
        arrays = instances.build(**settings)
        ends = theorems(settings, arrays["probability"], int(arrays["differing"].max()))[claim.theorem]
        found.append(ends if ends and ends[0] <= play.spec.horizon <= ends[1] else None)
    assert found, claim.id
    return found


def test_a_paper_has_five_to_eight_headlines_of_claims_that_can_fail(paper, headlined):
    assert 5 <= len(paper.headlines) <= 8
    assert [claim.id for claim in headlined if claim.stands] == []


def test_every_slope_of_a_theorem_is_judged_where_its_conditions_hold_and_not_elsewhere(paper):
    rates = [claim for claim in paper.claims if claim.published in ASKED]
    assert {claim.published for claim in rates} == set(ASKED)
    assert set(ASKED) <= {*RATES, "corollaries"}
    wrong = {claim.id for claim in rates if claim.theorem != ASKED[claim.published] and not claim.outside}
    assert wrong == set()


@pytest.mark.parametrize("key", ["theorem2.1", "theorem2.2", "theorem2_rounds.1", "theorem3", "theorem3_sparsity"])
def test_but_for_its_forced_samples_the_conditions_of_a_theorem_hold_on_every_game_that_it_is_about(paper, plan, key):
    (claim,) = (one for one in paper.claims if one.id == f"rmbandit.{key}" and one.reading == PAPER)
    assert None not in conditions(claim, plan)
    assert "forced samples" in claim.outside


@pytest.mark.parametrize("key", ["theorem2.3", "theorem2.4", "theorem2_order.1", "corollary3", "corollary4.1"])
def test_fifty_instances_are_outside_of_the_conditions(paper, plan, key):
    (claim,) = (one for one in paper.claims if one.id == f"rmbandit.{key}" and one.reading == PAPER)
    assert set(map(str, conditions(claim, plan))) == {"None"}


def test_batch_0_of_the_theory_is_longer_than_any_run(plan):
    """By one part of q alone, of appendix C.1 or D.1, with p_*, psi and x_max at most 1."""
    seen = 0
    for play in (play for figure in plan.figures for play in figure.plays if play.spec.algorithm == "rmbandit"):
        made = flags(play)
        if "by" in made:  # Adult
            continue
        given = {name: type(value)(made.get(name, value)) for name, value in instances.SETTINGS.items()}
        count, d, arms = (given[name] for name in ("instances", "dimension", "arms"))
        least = instances.probabilities(given["arrivals"], count, d).min()
        q = 48 * arms * np.log(d) / least if given["arrivals"] == "poor" else 96 * arms * d * np.log(d * count) / least
        assert q * np.log(play.spec.horizon) > play.spec.horizon, play.name
        seen += 1
    assert seen > 50


def test_no_theorem_on_regret_is_judged_because_none_has_its_forced_samples(paper):
    bounds = [one for one in paper.claims if one.kind == "slope" and one.theorem.startswith("rmbandit_theorem")]
    assert len(bounds) > 10
    assert [claim.id for claim in bounds if not claim.outside] == []


def test_the_corollaries_on_errors_are_judged_at_their_own_penalty_with_enough_instances(paper, root):
    asked = [claim for claim in paper.claims if claim.theorem == "rmbandit_corollary1"]
    assert {claim.experiment for claim in asked if claim.reading == PAPER} == {"corollaries"}
    assert {claim.experiment for claim in asked if "1,600 instances" in claim.reading} == {"enough"}
    experiments = read_yaml(root / "workflow/papers/rmbandit/experiments.yaml")["experiments"]
    base = {"rows": 400, "dimension": 100, "instances": 50, "support": 3}

    def least(key: str) -> float:
        given = {**base, **{name: value for name, value in experiments[key]["with"].items() if name in base}}
        sweeps = experiments[key]["regression"]
        points = [{**given, name: value} for name, values in sweeps.items() for value in values]
        return max(log_failure("standard", point) for point in points)

    assert least("enough") < 0 < least("theory")
    own = experiments["corollaries"]
    for regime, (swept, values) in itertools.product(own["with"]["regime"], own["regression"].items()):
        points = [{**base, **own["with"], "regime": regime, swept: value} for value in values]
        assert not any(map(is_vacuous, points))
        assert all(is_vacuous({**point, "instances": 400}) for point in points)
    assert log_delta(experiments["theory"]["with"]["constant"], 20) < 0 < log_delta(max(CONSTANTS), 40)


def test_the_bounds_on_errors_are_the_displayed_sums_and_their_constants_leave_a_probability(root):
    experiments = read_yaml(root / "workflow/papers/rmbandit/experiments.yaml")["experiments"]
    base = {"rows": 400, "dimension": 100, "instances": 1600, "support": 3, "noise": 1.0}

    def bound(regime: str, **given) -> float:
        return RATES_OF_ERRORS["corollaries"]("Robust multitask", regime, {**base, **given})

    # Corollary 2 with psi, x_max and sigma 1, in the order of its parts.
    logs = np.log(400), np.log(1600), np.log(600)
    parts = 24 * np.sqrt(2 * logs[0]) * 3, 15 * np.sqrt(logs[1]), 60 * np.sqrt(logs[1] * logs[2] / 1600)
    assert bound("poor") == pytest.approx(sum(parts) / 20)
    dimensions = [40, 60, 80, 120]
    slope = np.polyfit(np.log(dimensions), np.log([bound("poor", dimension=d) for d in dimensions]), 1)[0]
    assert slope == pytest.approx(0.08, abs=0.005)
    for name, values in experiments["enough"]["regression"].items():
        for given in ({**base, name: value} for value in values):
            room = 0.5 - np.sqrt(given["support"] / given["dimension"]) - C["standard"], 0.5 - C["poor"]
            assert min(given["instances"] * one**2 / 9 for one in room) > np.log(6 * given["dimension"])


def test_every_headline_has_controls_of_all_kinds_or_says_why_it_needs_none(paper):
    for key, headline in paper.headlines.items():
        kinds = {control.kind for control in paper.controls.values() if key in control.headlines}
        assert kinds == (set() if headline.without_controls else {"mechanism", "alike", "plain"}), key


def test_the_best_number_of_instances_is_the_played_one_that_is_nearest_to_the_stated_one(paper):
    played, d = np.array([2, 4, 8, 16, 32, 64]), instances.SETTINGS["dimension"]
    for claim in cells(paper, "corollary4_optimum"):
        alpha = paper.experiments[claim.experiment].parts[0].with_["alpha"]
        nearest = played[np.abs(np.log(played) - np.log(d) / (1 + alpha)).argmin()]
        assert claim.selection.where == {"instances": nearest}
        assert [rival.where["instances"] for rival in claim.rivals] == [2, 64]


def test_cells_of_pooling_are_copies_of_those_of_averaging(paper):
    for key in ("table1", "table1_poor"):
        by_id = {claim.id: claim for claim in cells(paper, key)}
        copies = [claim for claim in by_id.values() if claim.selection.of == "Pooling"]
        assert len(copies) == 4
        for claim in copies:
            original = by_id[f"rmbandit.{claim.copy_of}"]
            assert (original.selection.of, original.against) == ("Averaging", claim.against)


def test_least_squares_stands_apart_in_table_1_and_the_averaging_multitask_estimator_has_the_penalty_of_its_bound(
    paper,
):
    for claim in [*cells(paper, "table1"), *cells(paper, "table1_poor")]:
        if claim.selection.of == "Averaging multitask":
            assert (claim.experiment, claim.stands) == ("theory", "")
        else:
            assert claim.stands


def test_every_bound_that_can_fail_has_a_control(paper):
    bounds = [claim for claim in paper.claims if claim.bound and not claim.stands]
    assert len(bounds) > 20
    assert [claim.id for claim in bounds if not claim.controls] == []


def test_every_bandit_of_a_headline_is_tuned_over_the_same_number_of_points_with_its_winner_s_neighbours_offered(
    headlined, plan
):
    played = {claim.experiment for claim in headlined}
    figures = [one for one in plan.figures if one.experiment in played and one.plays]
    assert len(figures) >= 6
    for figure in figures:
        grids = {play.spec.title: play.spec.grid for play in figure.plays if play.spec.algorithm != "random"}
        points = {title: int(np.prod([len(values) for values in grid.values()])) for title, grid in grids.items()}
        assert len(set(points.values())) == 1, (figure.name, points)
        tuned = [(name, values) for grid in grids.values() for name, values in grid.items() if len(values) > 1]
        # q of RMBandit has its natural end and one value more, as regret is the same in between (decisions, tuning).
        assert all(len(values) >= 4 or (name == "q" and values == [0, 0.01]) for name, values in tuned), figure.name


def test_batch_0_leaves_rounds_to_play_at_every_point_of_every_grid(plan):
    batched = ("rmbandit", "am_bandit", "averaged_bandit", "pooled_bandit")
    seen = 0
    for play in (play for figure in plan.figures for play in figure.plays if play.spec.algorithm in batched):
        made = flags(play)
        if "by" in made:  # Adult, whose size is that of its data
            continue
        given = {name: int(made.get(name, instances.SETTINGS[name])) for name in ("instances", "arms", "dimension")}
        scale = given["instances"] * given["arms"] * given["dimension"] * np.log(play.spec.horizon)
        assert max(play.spec.grid.get("q", [0.0])) * scale < play.spec.horizon, play.name
        seen += 1
    assert seen > 50


def test_claims_that_were_missing_are_made(paper):
    made = {claim.id.removeprefix("rmbandit."): claim for claim in paper.claims if claim.reading == PAPER}
    assert (made["theorem2.2"].against, made["theorem3_sparsity"].published) == ("arms", "theorem3")
    assert {"lemma1", "proposition2", "updates", "corollary4_dense", "corollary4_apart.1"} <= made.keys()
    assert made["proposition2"].outside
    assert made["updates"].stands


def test_reasons_read_rows_that_the_tables_of_their_targets_have(paper, plan):
    figures = {figure.name: figure for figure in plan.figures}
    used = {claim.because for claim in paper.claims} - {""}
    assert used == set(paper.reasons)
    for reason in paper.reasons.values():
        for number in (one for one in reason.numbers.values() if one.stated is None):
            figure = figures[number.table or reason.target]
            if figure.plays:
                rows = {(play.spec.game, play.spec.title) for play in figure.plays}
                assert (number.row["environment"], number.row["algorithm"]) in rows
            else:
                regimes = {regression.settings["regime"]: regression.sweeps for regression in figure.regressions}
                assert number.row["swept"] in regimes[number.row["regime"]]
                assert number.row["estimator"] in ESTIMATORS


def test_the_quickstart_has_rounds_left_after_the_first_batch_of_every_point(root, monkeypatch):
    """A control once had a first batch of more rounds than are played there."""
    monkeypatch.chdir(root)
    plays = [play for play in checkout_of("embedded").run.plays.values() if play.paper == "rmbandit"]
    assert plays
    for play in plays:
        given = play.environment.arguments
        sizes = {key: int(given[given.index(f"--{key}") + 1]) for key in ("instances", "dimension")}
        problem = contract.Problem(sizes["instances"], 1, 2, sizes["dimension"], play.spec.horizon)
        algorithm = catalogue.load(play.spec.algorithm)
        for point in expand_grid(algorithm, play.spec.grid, play.name):
            algorithm.start(problem, point, seeds.words(np.arange(1), "policy")[0])
