"""A probe in a plan: the games of text and code that it plays, its ladder, and the pairs that show its regret."""

from __future__ import annotations

import pytest

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.planning.plan import make_plan
from manybandits.planning.workflow import Workflow
from tests.planted.papers import save_paper

PAPER = {
    "title": "Ladders",
    "short": "Ladder",
    "reference": "Author. Ladders. 2024",
    "settings": {
        **{"horizon": 10_000, "seeds": "0-9", "tuning_seeds": "100", "tuning": "tuning-seeds"},
        "grid": {"alpha": [0.1, 1]},
    },
    "decisions": {},
    "game": "m-cnb",
    "experiments": {
        "probe": {
            **{"place": "Section 6", "title": "a ladder", "measurement": "probe", "data": ["movielens", "yelp"]},
            "panels": [{"with": {"middle": "dropped"}}, {"game": "item-50"}, {"game": "both-100"}],
            "figure": {"kind": "ladder", "stated": "table2"},
        },
        "pairs": {
            **{"place": "Table 2", "title": "pairs", "band": "std", "game": "item-50", "data": ["yelp"]},
            **{"algorithms": ["club", "random"], "table": "pairs"},
        },
        "plain": {"place": "Table 3", "title": "text", "band": "std", "data": ["yelp"], "algorithms": ["club"]},
    },
    "claims": {
        "table2": {
            **{"place": "Table 2", "says": "Regret per round.", "kind": "value", "experiment": "pairs"},
            **{"of": "CLUB", "measure": "regret_per_round"},
            "cells": [
                {"where": {"data": "yelp"}, "at": 2_000, "published": 0.7532},
                {"where": {"data": "yelp"}, "at": 10_000, "published": 0.7269},
            ],
        }
    },
}


def run_of(root, tmp_path, **changes) -> Workflow:
    config = {**overlay(read_yaml(root / "config.yaml"), changes), "league": False, "notebooks": False}
    config["papers"] = [str(save_paper(tmp_path / "ladder", PAPER))]
    return Workflow(make_plan(config, root), config, root)


def test_a_probe_plays_the_games_of_text_and_code_in_the_order_given(root, tmp_path):
    run = run_of(root, tmp_path, data={"use": {"movielens": "movielens-1m", "yelp": "yelp-2000x10000"}})
    (probe,) = run.measurements.values()
    assert [one.name for one in probe.environments] == [
        *("m-cnb-paper-movielens-1m-middle-dropped", "m-cnb-paper-yelp-2000x10000-middle-dropped"),
        *("item-50-released-movielens-1m", "item-50-released-yelp-2000x10000"),
        *("both-100-released-movielens-1m", "both-100-released-yelp-2000x10000"),
    ]
    assert {one.name for one in probe.environments} <= set(run.environments)


def test_the_ladder_of_a_probe_is_drawn_from_its_table_with_the_last_number_that_is_stated(root, tmp_path):
    run = run_of(root, tmp_path)
    (probe,) = run.measurements.values()
    assert (probe.kind, probe.arguments) == ("ladder", ("--stated", "yelp=0.7269"))
    assert list(run.drawn) == ["ladder_probe"]
    drawn = [f"{run.report}/figures/ladder_probe.{ending}" for ending in ("svg", "csv", "csv.json")]
    assert set(drawn) <= set(run.evidence_of([probe]))
    assert set(drawn) <= set(run.derived)
    (page,) = (job for job in run.jobs if job.rule.name == "page")
    assert f"{run.report}/figures/ladder_probe" in page.words()


def test_a_ladder_names_a_claim_of_its_paper(root, tmp_path, monkeypatch):
    monkeypatch.setitem(PAPER["experiments"]["probe"]["figure"], "stated", "table4")
    with pytest.raises(
        InputError, match=r"unknown claim \(stated, .*experiment probe\) 'table4': did you mean 'table2'"
    ):
        run_of(root, tmp_path)


def test_a_table_of_pairs_is_made_from_verdicts_and_the_probe_and_no_other_table_is(root, tmp_path):
    run = run_of(root, tmp_path)
    jobs = {job.name: job for job in run.jobs if job.rule.name == "figure"}
    given = [
        "--verdicts",
        f"{run.report}/verdicts/ladder_pairs.jsonl",
        "--probes",
        f"{run.report}/tables/ladder_probe.csv",
    ]
    table = jobs["ladder_pairs"].steps[1]
    assert [word for word in table if word in given] == given
    assert set(given[1::2]) <= set(jobs["ladder_pairs"].inputs)
    assert not {*given} & {*jobs["ladder_plain"].steps[1]}
    assert given[3] not in jobs["ladder_plain"].inputs
