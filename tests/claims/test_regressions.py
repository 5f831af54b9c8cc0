"""Claims about tables of errors: what n is, which limits and flags there are, and that bounds discriminate."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from manybandits.base.exceptions import InputError
from manybandits.claims.judge import judge
from manybandits.claims.regressions import CONDITIONS, Regressions
from manybandits.claims.rules import boundedness
from manybandits.claims.verdict import Flag
from manybandits.estimators.comparison import CONSTANTS, DEFAULTS, ESTIMATORS
from manybandits.papers.claim import Claim, Selection
from manybandits.papers.scale import Scale, Stated
from manybandits.results.error_table import RATES, load_errors, log_failure, stated_rate
from tests.planted.claims import FAILS, HOLDS, NEAR, OUTSIDE, UNCLEAR
from tests.planted.errors import plant_errors, plant_powers

ROWS = (100, 400, 1600)
DRAWS = 12


def evidence(
    tmp_path, powers: Mapping[str, float], draws: int = DRAWS, stated: int = DRAWS, constant: float = 2.0, **settings
) -> Regressions:
    """Errors that are powers of the number of rows, of 3 % noise, and a paper that states so many draws."""
    rng = np.random.default_rng(0)
    noise = {(value, seed): 0.03 * rng.normal() for value in ROWS for seed in range(draws)}
    rows = [
        ("rows", float(value), name, seed, value ** powers.get(name, 0.0) * (1 + noise[value, seed]))
        for name in ESTIMATORS
        for value in ROWS
        for seed in range(draws)
    ]
    facts = {"constants": {"rows": {"Robust multitask": constant}}, "ridged": {}}
    path = plant_errors(tmp_path / "t.parquet", rows, {**DEFAULTS, "seeds": list(range(draws)), **settings}, facts)
    return Regressions(load_errors([path]), Scale(kind="errors", games={"t": Stated(1, stated)}))


def slope(bound: str = "at-most", controls: tuple[str, ...] = (), **given) -> Claim:
    claim = Claim(
        id="p.it",
        paper="p",
        experiment="e",
        place="Table 1",
        says="",
        kind="slope",
        selection=Selection(of="Robust multitask"),
        published="table1",
        against="rows",
        bound=bound,
        controls=tuple(Selection(of=title) for title in controls),
    )
    return replace(claim, **given)


def test_a_bound_that_errors_meet_exactly_holds_and_one_that_all_of_the_interval_is_beyond_does_not(tmp_path):
    errors = evidence(tmp_path, {"Robust multitask": -0.5})
    assert judge(slope(published=-0.5), errors).answer is HOLDS
    assert judge(slope(published=-0.4), errors).answer is HOLDS
    beyond = judge(slope(published=-0.56), errors)
    assert beyond.low > -0.56
    assert beyond.answer is NEAR


@pytest.mark.parametrize("tolerance", [0.0, 0.1, 10.0])
def test_no_tolerance_lets_a_bound_hold_that_all_of_the_interval_is_beyond(tolerance):
    rng = np.random.default_rng(1)
    for measured, width, bound in rng.normal(size=(300, 3)):
        low, high = measured - abs(width), measured + abs(width)
        answer = boundedness(measured, low, high, bound, tolerance)
        assert (answer is HOLDS) == (low <= bound and high <= bound + tolerance)
        assert (answer in (NEAR, FAILS)) == (low > bound)


def test_n_is_the_number_of_draws_and_fewer_than_the_paper_s_are_a_limit(tmp_path):
    found = judge(slope(published=-0.4), evidence(tmp_path, {"Robust multitask": -0.5}, stated=30))
    assert (found.n, found.answer, list(found.limits)) == (DRAWS, HOLDS, ["12 of 30 draws"])
    few = judge(slope(published=-0.4), evidence(tmp_path, {"Robust multitask": -0.5}, draws=5, stated=5))
    assert (few.n, few.answer) == (5, UNCLEAR)


def test_a_control_is_held_to_the_bound_of_the_claim_and_not_to_its_own_stated_rate(tmp_path):
    # Table 1 states another rate for the mean, which it keeps: but not that of the robust estimator.
    settings = {**DEFAULTS, "regime": "standard"}
    assert stated_rate("Averaging", "standard", settings) > stated_rate("Robust multitask", "standard", settings)
    powers = {"Robust multitask": -0.6, "Averaging": -0.3, "Independent": -0.6}
    found = judge(slope(controls=("Averaging", "Independent")), evidence(tmp_path, powers))
    assert found.answer is HOLDS
    assert list(found.flags) == [Flag("not discriminating", "Independent")]


def test_a_constant_at_the_edge_of_its_grid_is_flagged_and_zero_is_no_edge(tmp_path):
    assert min(CONSTANTS) == 0.0
    flagged = {
        constant: list(judge(slope(), evidence(tmp_path, {"Robust multitask": -0.6}, constant=constant)).flags)
        for constant in (0.0, 2.0, max(CONSTANTS))
    }
    assert list(flagged.values()) == [
        [],
        [],
        [Flag("edge of the grid", "Robust multitask", "constant 6, sweep of rows")],
    ]


@pytest.mark.parametrize(
    ("instances", "constant", "answer", "words"),
    [(50, 7.0, OUTSIDE, "N = 50"), (1600, 2.0, OUTSIDE, "its penalty is 2 sqrt(log d / n)"), (1600, 7.0, HOLDS, "")],
)
def test_a_corollary_is_judged_where_it_has_a_probability_and_its_own_penalty(
    tmp_path, instances, constant, answer, words
):
    errors = evidence(tmp_path, {"Robust multitask": -0.6}, constant=constant, instances=instances)
    found = judge(slope(theorem=CONDITIONS), errors)
    assert found.answer is answer
    assert found.measured == pytest.approx(-0.6, abs=0.02)  # shown in all cases
    assert words in found.reason
    assert bool(words) == bool(found.reason)


def test_the_point_that_a_reason_names_does_not_depend_on_the_process(root, tmp_path):
    # Python draws a new order of sets for every process, or takes it from PYTHONHASHSEED.
    plant_powers(tmp_path, sweeps={"rows": [100, 400], "support": [1, 3], "dimension": [20, 40], "scale": [1, 2]})
    script = (
        "from tests.claims.test_regressions import named_point; from pathlib import Path; "
        f"print(named_point(Path({str(tmp_path / 'standard.parquet')!r})))"
    )
    environments = [{**os.environ, "PYTHONHASHSEED": str(seed)} for seed in range(4)]
    named = [
        subprocess.check_output([sys.executable, "-c", script], cwd=root, env=one, text=True) for one in environments
    ]
    assert set(named) == {named_point(tmp_path / "standard.parquet") + "\n"}
    assert "not above 0 at 8 of 8 points" in named[0]


def named_point(path: Path) -> str:
    """Return why the points of a table of errors are outside of the conditions of a corollary."""
    table = Regressions(load_errors([path]), Scale(kind="errors", games={path.stem: Stated(1, DRAWS)}))
    return table.outside(Selection(of="Robust multitask"), CONDITIONS)


def test_delta_of_corollary_1_is_that_of_its_formula():
    given = {"rows": 400, "dimension": 100, "instances": 1600, "support": 4}
    assert log_failure("standard", given) == pytest.approx(np.log(600 * np.exp(-1600 / 9 * (0.5 - 0.2) ** 2)))
    assert log_failure("poor", given) == pytest.approx(np.log(600 * np.exp(-1600 / 9 * 0.25)))
    assert log_failure("standard", {**given, "support": 49}) == pytest.approx(np.log(600))  # no room is left


def test_the_rates_of_the_corollaries_have_the_logarithms_that_table_1_leaves_out():
    def rate(name, regime, **point):
        return RATES[name]("Robust multitask", regime, {**DEFAULTS, "rows": 400, "support": 3, **point})

    many = 10**12  # instances, so that the last term is nothing
    least, most = (rate("corollaries", "poor", dimension=d, instances=many) for d in (10, 1000))
    logs = [3 * np.sqrt(np.log(4 * d)) + np.sqrt(np.log(many)) for d in (10, 1000)]
    assert most / least == pytest.approx(logs[1] / logs[0], rel=1e-4)
    assert rate("table1", "poor", dimension=10) == rate("table1", "poor", dimension=1000)
    falls = [rate("corollaries", "standard", instances=n) / rate("table1", "standard", instances=n) for n in (50, 1600)]
    assert falls[0] < falls[1]  # the logarithm of N
    with pytest.raises(InputError, match="are about Robust multitask, and not about Independent"):
        RATES["corollaries"]("Independent", "poor", {**DEFAULTS})
