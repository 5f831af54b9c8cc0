"""The multi-agent paper: what is played of OFUL, and that theorems are played where their conditions hold."""

from __future__ import annotations

import pytest

from manybandits.base.configuration import read_yaml
from manybandits.environments.agent_conditions import conditions
from manybandits.environments.agents import SETTINGS, build
from manybandits.planning.jobs import Environment, Play
from manybandits.planning.plan import make_plan


@pytest.fixture(scope="module")
def plays(root) -> dict[str, tuple[Play, ...]]:
    """Map every experiment to what is played for it at paper scale."""
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["sclb_pmlb"]}, root)
    return {figure.name.removeprefix("sclb_pmlb_"): figure.plays for figure in plan.figures}


def settings_of(environment: Environment) -> dict[str, object]:
    """Return the settings with which a game of agents is made."""
    given = dict(zip(environment.arguments[::2], environment.arguments[1::2], strict=True))
    return {name: type(default)(given.get(f"--{name}", default)) for name, default in SETTINGS.items()}


def least_horizons(environment: Environment) -> dict[str, float | int | None]:
    settings = settings_of(environment)
    cluster = build(**settings)["cluster"]
    return conditions(settings, max((cluster == one).sum() for one in set(cluster.tolist())))


@pytest.mark.parametrize(
    ("experiment", "condition"),
    [
        ("theorem1met", "sclb_theorem1"),
        ("theorem1rounds", "sclb_theorem1"),
        ("corollary1", "pmlb_corollary1"),
        ("corollary1rounds", "pmlb_corollary1"),
    ],
)
def test_a_theorem_is_played_where_its_conditions_hold(plays, experiment, condition):
    for play in plays[experiment]:
        least = least_horizons(play.environment)
        assert play.spec.horizon >= least[condition]
        assert play.spec.grid.get("delta", [0.4]) == [least["delta"]]


@pytest.mark.parametrize("experiment", ["theorem1", "theorem1total"])
def test_they_do_not_hold_in_the_games_of_a_thousand_rounds(plays, experiment):
    for play in plays[experiment]:
        assert least_horizons(play.environment)["sclb_theorem1"] is None


@pytest.mark.parametrize("experiment", ["fig1", "noise", "fig2", "fig2noise", "readings"])
def test_nothing_of_oful_is_tuned_in_a_figure_and_club_is(plays, experiment):
    for play in plays[experiment]:
        assert "width" not in play.spec.grid
        assert (play.spec.grid.keys() >= {"alpha", "alpha_2"}) == (play.spec.algorithm == "club")


def test_a_tuned_cmlb_has_as_many_points_as_club(plays):
    tuned = next(play.spec.grid for play in plays["readings"] if play.spec.title == "CMLB, tuned")
    club = next(play.spec.grid for play in plays["readings"] if play.spec.title == "CLUB")
    assert len(tuned["constant"]) * len(tuned["threshold"]) == len(club["alpha"]) * len(club["alpha_2"])


def test_last_fm_is_played_with_the_settings_of_section_6_2(plays):
    titles = {play.spec.title for play in plays["fig1e"]}
    assert {"CMLB, delta 0.3, exponent 0.5, constant 0.5", "CLUB, graph erdos-renyi, alpha 1, alpha_2 2"} <= titles
