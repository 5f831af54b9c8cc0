"""The readings of the multi-agent paper: equal tuning, theorems within their conditions, and who knows the noise."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from manybandits.base.configuration import overlay, read_yaml
from manybandits.claims.rules import RULES
from manybandits.claims.sentences import name_of
from manybandits.papers.claim import Claim
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.planning.configuration import Configuration, checked
from manybandits.planning.jobs import Play
from manybandits.planning.readings import PlannedReading, readings_of, scope_of
from tests.workflow.papers.test_multiagent_paper import meant, points, settings_of, theorems_of

ROOT = Path(__file__).parents[3]
SIMULATED = ["alone", "club", "alike", "unlike"]
PROVEN = ["separated", "close", "personal"]
CLUB_POINTS = {"simulated": 24, "lastfm": 8}


@cache
def paper() -> Paper:
    return read_paper(folder_of(ROOT, "sclb_pmlb"))


@cache
def readings(headline: str) -> list[PlannedReading]:
    """Return the readings of a headline, of what the configuration for readings plays."""
    config: Configuration = checked(
        overlay(read_yaml(ROOT / "config.yaml"), read_yaml(ROOT / "configs/readings.yaml")), names(ROOT)
    ).for_paper("sclb_pmlb")
    return readings_of(paper(), headline, config, scope_of(paper(), headline, config))


def compared(reading: PlannedReading) -> Iterator[tuple[Claim, list[Play]]]:
    """Yield the claims of a reading, each with the plays that it compares, without those of Random."""
    for claim in reading.claims:
        plays = reading.figures[claim.experiment].plays
        found = {play.name: play for one in claim.compared for play in meant(plays, one)}
        yield claim, [play for play in found.values() if play.spec.algorithm != "random"]


@pytest.mark.parametrize("headline", list(paper().headlines))
def test_a_reading_plays_all_that_its_claims_name_with_runs_enough_to_decide(headline):
    for reading in readings(headline):
        for claim in reading.claims:
            plays = reading.figures[claim.experiment].plays
            for one in claim.selections:
                assert meant(plays, one), f"{reading.name}: {name_of(one)}"
                assert not one.relative or one.relative in {play.spec.title for play in plays}
        assert min(len(play.spec.seeds) for _, plays in compared(reading) for play in plays) >= RULES.least


@pytest.mark.parametrize("headline", SIMULATED)
def test_where_more_than_club_is_tuned_all_have_as_many_points_whatever_else_is_answered(headline):
    for reading in readings(headline):
        tuned = dict(reading.answers).get("tuned", "club") != "club"
        for _, plays in compared(reading):
            for play in plays:
                many = tuned or play.spec.algorithm == "club"
                assert points(play) == (CLUB_POINTS["simulated"] if many else 1), f"{reading.name}: {play.name}"


def test_on_last_fm_both_are_tuned_on_as_many_points_or_neither_is():
    for reading in readings("lastfm"):
        both = dict(reading.answers).get("search") == "both"
        found = {points(play) for _, plays in compared(reading) for play in plays}
        assert found == {CLUB_POINTS["lastfm"] if both else 1}, reading.name


def test_on_last_fm_both_play_one_game_only_where_a_reading_says_so():
    for reading in readings("lastfm"):
        for _, plays in compared(reading):
            games = {play.environment.name for play in plays}
            assert (len(games) == 1) == (dict(reading.answers).get("pools") == "common"), reading.name


@pytest.mark.parametrize("headline", PROVEN)
def test_every_reading_of_a_theorem_is_within_its_conditions_but_for_phases_of_sclb(headline):
    """Elsewhere it would say nothing for or against the headline, as readings of SCLB do not."""
    for reading in readings(headline):
        for claim in reading.claims:
            for play in meant(reading.figures[claim.experiment].plays, claim.selection):
                known = settings_of(play.environment)
                first, last = theorems_of(play.environment)[claim.theorem] or pytest.fail(
                    f"{reading.name}: {play.name}"
                )
                assert first <= play.spec.horizon <= (last or float("inf")), f"{reading.name}: {play.name}"
                for option in ("delta", "exponent"):
                    assert play.spec.grid.get(option, [known[option]]) == [known[option]], reading.name


@pytest.mark.parametrize("headline", SIMULATED)
def test_oful_expects_the_noise_of_section_3_or_that_of_the_game(headline):
    for reading in readings(headline):
        known = dict(reading.answers).get("noise", "").endswith("known")
        for _, plays in compared(reading):
            for play in (one for one in plays if one.spec.algorithm != "club"):
                noise = settings_of(play.environment)["noise"]
                assert play.spec.grid.get("noise_scale", [1]) == [noise if known else 1], reading.name
