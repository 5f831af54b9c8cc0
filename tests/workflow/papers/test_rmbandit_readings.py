"""What RMBandit's text leaves open: every answer can be played or drawn, with equal tuning, and none is a collapse."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.environments import instances
from manybandits.estimators.comparison import DEFAULTS, points_of
from manybandits.harness.replicas import play_replicas
from manybandits.papers.claim import PAPER
from manybandits.papers.experiment import Experiment, PanelSpec
from manybandits.papers.files import Paper, read_paper
from manybandits.papers.openings import Admissible, OpenChoice, touching
from manybandits.planning.changed_experiments import needed
from manybandits.planning.jobs import grid_of, name_of
from manybandits.planning.settings import merge
from tests.environments.test_instances import game

PLAYED = ("alone", "dimension", "poor_regret", "network")
ESTIMATED = ("estimator", "root", "poor_error")


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(root / "workflow/papers/rmbandit")


def experiments_of(paper: Paper, headline: str) -> list[Experiment]:
    ids = paper.headlines[headline].members(paper.claims, headline)
    claims = [claim for claim in paper.claims if claim.id in ids and claim.reading == PAPER]
    about = {claim.experiment: [one for one in claims if one.experiment == claim.experiment] for claim in claims}
    return [needed(paper.experiments[key], found) for key, found in about.items()]  # without controls


def played_with(paper: Paper, headline: str) -> list[tuple[Experiment, PanelSpec]]:
    return [(one, panel) for one in experiments_of(paper, headline) for panel in one.parts]


def grid(paper: Paper, experiment: Experiment, panel: PanelSpec, entry, **options) -> dict[str, list]:
    """The values that an entry of a panel is tuned over, if some of its options are others."""
    name = name_of(entry)
    given = {} if isinstance(entry, str) else dict(entry[name])
    common = merge(paper.settings, experiment.settings, panel.settings).grid
    return grid_of(catalogue.load(name), {**given, **options}, common, "test")[0]


def choices(paper: Paper, headlines: tuple[str, ...]) -> dict[str, OpenChoice]:
    return {key: one for name in headlines for key, one in touching(paper.openings, name).items()}


def combinations_of(openings: dict[str, OpenChoice]) -> list[list[Admissible]]:
    """All answers to the choices that change settings."""
    asked = [list(one.values.values()) for one in openings.values() if any(v.with_ for v in one.values.values())]
    return [list(answers) for answers in product(*asked)]


def test_choices_about_bandits_change_no_regression_and_the_reverse(paper):
    bandits, regressions = choices(paper, PLAYED), choices(paper, ESTIMATED)
    assert not bandits.keys() & regressions.keys()
    assert bandits.keys() | regressions.keys() == paper.openings.keys()
    for one in regressions.values():
        assert all(not value.options and value.with_.keys() <= DEFAULTS.keys() for value in one.values.values())


@pytest.mark.parametrize("headline", ESTIMATED)
def test_every_combination_of_answers_about_regressions_can_be_drawn(paper, headline):
    """A covariance and the design that has its own are answers to one question."""
    for experiment in experiments_of(paper, headline):
        given = {name: value for name, value in experiment.with_.items() if not isinstance(value, list)}
        for answers in combinations_of(touching(paper.openings, headline)):
            changed = {name: value for one in answers for name, value in one.with_.items()}
            assert not changed.keys() & experiment.regression.keys()
            points_of({**given, **changed}, experiment.regression)


@pytest.mark.parametrize("headline", PLAYED)
def test_every_combination_of_answers_about_games_makes_one(paper, headline):
    answered = combinations_of(touching(paper.openings, headline))
    assert len(answered) > 20
    for _, panel in played_with(paper, headline):
        given = {name: value for name, value in panel.with_.items() if not isinstance(value, list)}
        swept = {name: value[0] for name, value in panel.with_.items() if isinstance(value, list)}
        for answers in answered:
            changed = {name: value for one in answers for name, value in one.with_.items()}
            assert not changed.keys() & swept.keys()
            instances.check({**instances.SETTINGS, **given, **swept, **changed})


@pytest.mark.parametrize("headline", PLAYED)
def test_an_answer_gives_a_bandit_as_many_points_to_tune_as_it_had(paper, headline):
    for key, one in touching(paper.openings, headline).items():
        for value in one.values.values():
            for experiment, panel in played_with(paper, headline):
                for entry in panel.algorithms:
                    before = grid(paper, experiment, panel, entry)
                    after = grid(paper, experiment, panel, entry, **value.options.get(name_of(entry), {}))
                    sizes = [int(np.prod([len(values) for values in found.values()])) for found in (before, after)]
                    assert sizes[0] == sizes[1], (key, entry)


@pytest.mark.parametrize("headline", PLAYED)
def test_no_answer_makes_batch_0_as_long_as_a_run(paper, headline):
    asked = touching(paper.openings, headline)
    values = [value.options["rmbandit"] for one in asked.values() for value in one.values.values() if value.options]
    for experiment, panel in played_with(paper, headline):
        stated = merge(paper.settings, experiment.settings, panel.settings)
        sizes = [panel.with_.get(name, instances.SETTINGS[name]) for name in ("instances", "arms", "dimension")]
        scale = np.prod([max(size) if isinstance(size, list) else size for size in sizes])
        for horizon in panel.horizons or (stated.horizon,):
            for options in values:
                for entry in (one for one in panel.algorithms if name_of(one) == "rmbandit"):
                    most = max(grid(paper, experiment, panel, entry, **options)["q"])
                    assert most * scale * np.log(horizon) < horizon


def test_no_answer_lets_a_bandit_fall_to_random_choices(paper):
    """On a game with as many rounds an instance and dimension as the figures have."""
    horizon, seeds = 10_000, [0, 1]

    def regret(name: str, **options) -> float:
        algorithm = catalogue.load(name)
        full = [contract.complete(algorithm, options, "test")] * len(seeds)
        table = play_replicas(played, algorithm, full, seeds, horizon=horizon, progress=False)
        return float(table.loc[table["round"] == horizon, "regret"].mean())

    for one in choices(paper, PLAYED).values():
        for value in one.values.values():
            played = game(**{"instances": 20, "dimension": 50, **value.with_})
            chance = regret("random")
            for name in ("rmbandit", "ols_bandit"):
                given = value.options.get(name, {})
                options = {option: found[-1] if isinstance(found, list) else found for option, found in given.items()}
                assert regret(name, **options) < 0.8 * chance, (name, options, value.with_)
