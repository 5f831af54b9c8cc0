"""What papers leave open: every choice touches what it says it touches, and every headline has readings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import overlay, read_yaml
from manybandits.papers.files import names, read_papers
from manybandits.papers.openings import touching
from manybandits.planning.configuration import Configuration, checked
from manybandits.planning.readings import PlannedReading, readings_of, scope_of

CONFIG = "configs/readings.yaml"


@pytest.fixture(scope="module")
def papers(root):
    return read_papers(root)


@pytest.fixture(scope="module")
def config(root) -> Configuration:
    return checked(overlay(read_yaml(root / "config.yaml"), read_yaml(root / CONFIG)), names(root))


def played(reading: PlannedReading) -> tuple[list, list]:
    """Return what a reading plays and measures."""
    figures = reading.figures.values()
    return [play for one in figures for play in one.plays], [one.regressions for one in figures]


def headlines_of(papers) -> list[tuple[str, str]]:
    return [(name, key) for name, paper in papers.items() for key in paper.headlines]


def test_every_answer_changes_what_is_played_for_every_headline_that_it_is_said_to_touch(papers, config):
    same = []
    for name, key in headlines_of(papers):
        paper, own = papers[name], config.for_paper(name)
        if not touching(paper.openings, key):
            continue
        scope = replace(scope_of(paper, key, own), most=1)
        default, *singles = readings_of(paper, key, own, scope)
        same += [f"{name}.{key}: {one.name}" for one in singles if played(one) == played(default)]
    assert not same


def test_every_headline_that_can_be_judged_and_does_not_rest_on_seconds_alone_has_readings(papers, config):
    measured = []
    for name, key in headlines_of(papers):
        paper = papers[name]
        members = paper.headlines[key].members(paper.claims, key)
        claims = [claim for claim in paper.claims if claim.id in members]
        if all(claim.selection.measure in ("seconds", "cpu_seconds") for claim in claims):
            measured.append(f"{name}.{key}")
            assert not touching(paper.openings, key)
        elif not all(claim.outside for claim in claims):  # what no run can meet no set-up can, either
            assert touching(paper.openings, key), f"{name}.{key}"
            assert f"{name}.{key}" in config.readings, f"{name}.{key} is not in {CONFIG}"
    assert measured == ["lnucb_ta.faster", "m_cnb.time", "m_cnb.scaling"]


def test_readings_are_played_with_runs_enough_to_decide(papers, config):
    for name, key in headlines_of(papers):
        paper, own = papers[name], config.for_paper(name)
        if not touching(paper.openings, key):
            continue
        default = readings_of(paper, key, own, replace(scope_of(paper, key, own), most=1))[0]
        plays, tables = played(default)
        assert plays or any(tables), f"{name}.{key}"
        assert all(len(play.spec.seeds) >= 6 for play in plays)
        assert all(len(one.seeds) >= 6 for group in tables for one in group)
