"""Selections that are relative to another run: divided by it on the same game, seed by seed."""

from __future__ import annotations

import numpy as np
import pytest

from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.claims.sentences import quantity
from manybandits.claims.verdict import Verdict
from manybandits.claims.verdicts import judge_figure
from manybandits.papers.files import read_paper
from tests.planted.claims import FAILS, HOLDS, UNTESTABLE, paper, plant, scale_of

NOISE = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0, -0.2, 0.4, -0.3, 0.0])
"""Of ten seeds, with mean 0."""


def verdict_of(folder, claim: dict, tables: list) -> Verdict:
    path = paper(folder, {"it": claim})
    return judge_figure(read_paper(path), "fig2", scale_of(tables), tables)[0]


def pool(folder, name: str, **heights: float) -> list:
    """Plant runs on one game: title -> final regret."""
    titles = {"M_CNB": "M-CNB", "CLUB": "CLUB", "Random": "Random"}
    return [plant(folder, titles[key], height + NOISE, name=name) for key, height in heights.items()]


def test_two_pools_are_compared_by_the_ratio_to_random_in_each(tmp_path):
    tables = [
        *pool(tmp_path, "game-pool-common", M_CNB=90.0, Random=100.0),
        *pool(tmp_path, "game-pool-listened", CLUB=500.0, Random=1000.0),
    ]
    rival = {"of": "CLUB", "where": {"pool": "listened"}}
    claim = {"kind": "order", "of": "M-CNB", "where": {"pool": "common"}, "than": [rival]}
    plain = verdict_of(tmp_path, claim, tables)
    divided = verdict_of(tmp_path, {**claim, "relative": "Random"}, tables)
    assert (plain.answer, divided.answer) == (HOLDS, FAILS)
    assert divided.measured == pytest.approx((0.5 - 0.9) / 0.5, abs=0.01)
    assert "relative to Random" in quantity(divided)


def test_the_slope_of_a_ratio_is_the_difference_of_the_slopes(tmp_path):
    tables = [
        plant(tmp_path, title, n**power * (100 + NOISE), name=f"agents-agents-{n}", settings={"agents": n})
        for n in (10, 40, 160)
        for title, power in (("M-CNB", 0.1), ("CLUB", 0.5))
    ]
    claim = {"kind": "slope", "of": "M-CNB", "relative": "CLUB", "against": "agents", "published": -0.4}
    found = verdict_of(tmp_path, claim, tables)
    assert (found.answer, found.measured) == (HOLDS, pytest.approx(-0.4, abs=0.001))


def test_over_the_rounds_both_sides_are_cut_at_the_same_round(tmp_path):
    tables = pool(tmp_path, "game", M_CNB=90.0, Random=100.0)
    claim = {"kind": "slope", "of": "M-CNB", "relative": "Random", "against": "rounds", "published": 0.0}
    found = verdict_of(tmp_path, claim, tables)
    assert (found.answer, found.measured) == (HOLDS, pytest.approx(0.0, abs=1e-9))


def test_what_it_is_relative_to_must_be_played_and_must_not_be_zero(tmp_path):
    claim = {"kind": "value", "of": "M-CNB", "relative": "Random", "published": 0.9}
    missing = verdict_of(tmp_path, claim, pool(tmp_path / "a", "game", M_CNB=90.0))
    assert (missing.answer, missing.reason) == (UNTESTABLE, "Random was not played on game")
    nothing = [*pool(tmp_path / "b", "game", M_CNB=90.0), plant(tmp_path / "b", "Random", 0 * NOISE, name="game")]
    assert "is 0" in verdict_of(tmp_path, claim, nothing).reason


def test_a_measurement_has_no_run_to_be_relative_to(tmp_path):
    path = tmp_path / "seconds.csv"
    save_text(path, "part,users,seconds\nclustering,500,0.01\n")
    (tmp_path / "seconds.csv.json").write_text('{"facts": {}}')
    claim = {"kind": "value", "of": "clustering", "measure": "seconds", "relative": "meta", "published": 1}
    with pytest.raises(InputError, match="leave `relative` out"):
        judge_figure(read_paper(paper(tmp_path, {"it": claim})), "fig2", scale_of([path], "rows"), [path])
