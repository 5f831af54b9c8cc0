"""The networks of LNUCB-TA's Table 2 are trained as in their source, and its controls change nothing else."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._learning import trains_in
from manybandits.base.configuration import read_yaml
from manybandits.harness.arguments import expand_grid
from manybandits.papers.claim import PAPER, Claim, Control
from manybandits.papers.files import Paper, read_paper
from manybandits.planning.jobs import Play
from manybandits.planning.plan import make_plan

NETWORKS = ("bootstrap_nn", "neural_eps_greedy", "neuucb_one", "neural_ts")
STATED = {"steps": 100, "rate": 0.001, "width": 100, "layers": 2}
"""Section 5.1, after Zhang et al. 2021: one hidden layer of 100 neurons, 100 iterations, and a rate of 0.001."""
SCHEDULE = {"early": 1, "until": 2000, "late": 100}
"""Public code of NeuralUCB (uclaml/NeuralUCB, 9a74044): train.py, lines 44 to 47."""
CODE_RATE = 0.01
"""Public code of Zhang et al. (ZeroWeight/NeuralTS, 3eaada0): learner_diag.py, line 49; neural_boost.py, line 48."""
LADDER = {
    "NeuralTS": [{"early": 1}, {"nu": 0.001}, {"network": "plain"}, {"rate": CODE_RATE}],
    "NeuUCB-ONE": [{"early": 1}, {"alpha": 0.001}, {"network": "plain"}, {"rate": CODE_RATE}],
}
"""What each row of "schedule" changes of the one before."""
FROM_PLAIN = {"every round throughout": {"late": 1}, "all rounds in a step": {"batch": 0}}
"""What the last rows of NeuralTS change of that with the plain network."""


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(root / "workflow/papers/lnucb_ta")


@pytest.fixture(scope="module")
def plays(root) -> dict[str, tuple[Play, ...]]:
    """The plays of each experiment of the default run."""
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["lnucb_ta"], "league": False}, root)
    return {figure.experiment: figure.plays for figure in plan.figures}


def points(play: Play) -> list[dict[str, Any]]:
    """Return the points of the grid of a play, with all options."""
    algorithm = catalogue.load(play.spec.algorithm)
    return [contract.complete(algorithm, one, "test") for one in expand_grid(algorithm, play.spec.grid, "test")]


def difference(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: other[name] for name in one if one[name] != other[name]}


def test_networks_of_table_2_are_trained_as_often_and_with_the_steps_of_their_source(plays):
    networks = [play for play in plays["table2"] if play.spec.algorithm in NETWORKS]
    assert len(networks) == len(NETWORKS) * 4
    for play in networks:
        for point in points(play):
            assert {name: point[name] for name in {**STATED, **SCHEDULE}} == {**STATED, **SCHEDULE}, play.name
            assert point["network"] == "plain"
    schedule = SCHEDULE["early"], SCHEDULE["until"], SCHEDULE["late"]
    assert sum(trains_in(t, schedule) for t in range(1, 10_001)) == 2000 + 80


def test_grids_of_networks_have_the_points_of_section_5_1_and_networks_are_ten(plays):
    grids = {play.spec.algorithm: points(play) for play in plays["table2"] if play.spec.algorithm in NETWORKS}
    assert {len(grid) for grid in grids.values()} == {20}
    assert {point["networks"] for point in grids["bootstrap_nn"]} == {10}
    assert 0.8 in {point["keep"] for point in grids["bootstrap_nn"]}
    assert {0.01, 0.05, 0.1} <= {point["epsilon"] for point in grids["neural_eps_greedy"]}


def test_algorithms_of_table_2_are_tuned_over_all_rounds_but_on_mnist(plays):
    for play in (*plays["table2"], *plays["coding"], *plays["schedule"]):
        if "mnist" not in play.spec.game:
            assert play.spec.tuning_rounds is None, play.name
            assert len(play.spec.tuning_seeds) == 5, play.name


@pytest.mark.parametrize("title", LADDER)
def test_each_row_of_the_ladder_changes_one_thing_of_the_row_before(plays, title):
    for game in {play.spec.game for play in plays["schedule"]}:
        rows = {
            play.spec.title.partition(", ")[2]: points(play)
            for play in plays["schedule"]
            if play.spec.game == game and play.spec.title.startswith(title)
        }
        assert {len(row) for row in rows.values()} == {1}  # nothing is tuned
        first = [row[0] for label, row in rows.items() if label not in FROM_PLAIN]
        assert [difference(one, other) for one, other in pairwise(first)] == LADDER[title]
        assert first[0]["early"] == 10
        plain = rows["plain network"][0]
        for label in FROM_PLAIN.keys() & rows.keys():
            assert difference(plain, rows[label][0]) == FROM_PLAIN[label]
        (tuned,) = (one for one in plays["table2"] if one.spec.game == game and one.spec.title == title)
        assert plain in points(tuned)


@pytest.mark.parametrize(("choice", "value"), [("network", "scaled"), ("rate", "tenfold")])
def test_an_open_choice_of_networks_is_made_for_all_of_them_alike(paper, choice, value):
    changed = paper.openings[choice].values[value].options
    assert set(changed) == set(NETWORKS)
    assert dict.fromkeys(NETWORKS, changed["neural_ts"]) == changed
    assert set(changed["neural_ts"]) == {choice}
    assert next(iter(paper.openings[choice].values)) in ("plain", "stated")


def claims_of(paper: Paper, control: Control) -> list[Claim]:
    """Return the claims of the text that compare a method with others, in the headlines of a control."""
    members = {name for key in control.headlines for name in paper.headlines[key].members(paper.claims, key)}
    found = [one for one in paper.claims if one.id in members and one.kind == "order" and one.reading == PAPER]
    assert found
    return found


def test_every_control_is_played_on_the_games_of_its_claims_and_tuned_on_as_many_points(paper, plays):
    for key, control in paper.controls.items():
        for claim in claims_of(paper, control):
            played = {(play.spec.game, play.spec.title): play for play in plays[claim.experiment]}
            for game in {game for game, title in played if title == claim.selection.of}:
                method = played[game, claim.selection.of]
                for title in control.runs_for(claim.selection.of):
                    other = played[game, title]
                    sizes = {prod(map(len, one.spec.grid.values())) for one in (method, other)}
                    assert len(sizes) == 1, (key, claim.id, title)
                    same = ("seeds", "tuning", "tuning_seeds", "tuning_rounds", "horizon", "protocol")
                    assert [getattr(method.spec, one) for one in same] == [getattr(other.spec, one) for one in same]


SWITCHED = {
    "no_attention": {"attention": "no"},
    "no_neighbours": {"neighbours": "no"},
    "even_attention": {"gamma": 0},
    "only_attention": {"theta_min": 1000, "theta_max": 1000},
    "plain_neighbours": {"gamma": 0, "theta_min": 5},
}


@pytest.mark.parametrize("key", SWITCHED)
def test_a_control_of_the_mechanism_changes_the_switch_of_its_method_and_nothing_else(paper, plays, key):
    for claim in claims_of(paper, paper.controls[key]):
        played = {(play.spec.game, play.spec.title): play for play in plays[claim.experiment]}
        for (game, title), method in played.items():
            if title == claim.selection.of:
                for run in paper.controls[key].runs_for(title):
                    pairs = zip(points(method), points(played[game, run]), strict=True)
                    assert [difference(one, other) for one, other in pairs] == [SWITCHED[key]] * len(points(method))


def test_every_headline_that_says_better_has_controls_of_all_three_kinds(paper):
    for key, headline in paper.headlines.items():
        kinds = {control.kind for control in paper.controls.values() if key in control.headlines}
        assert kinds == (set() if headline.without_controls else {"mechanism", "alike", "plain"}), key
