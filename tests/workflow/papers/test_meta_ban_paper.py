"""The paper file of Meta-Ban: equal tuning, claims that its text makes, bounds with controls, reasons with targets."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from math import log, prod, sqrt
from types import SimpleNamespace

import pytest

from manybandits.base.configuration import overlay, read_yaml
from manybandits.claims.rules import RULES
from manybandits.papers.claim import Claim, Selection
from manybandits.papers.files import Paper, read_paper
from manybandits.planning.jobs import Play
from manybandits.planning.plan import make_plan
from manybandits.results.sweeps import RATES

Plays = Mapping[str, tuple[Play, ...]]
SCALES = ["", "paper-scale"]
"""The default run, with the rounds of the papers, and the committed one."""
UNTUNED = {"Random"}


@pytest.fixture(scope="module")
def paper(root) -> Paper:
    return read_paper(root / "workflow/papers/meta_ban")


def plays_of(root, name: str) -> Plays:
    """Map every experiment of Meta-Ban to what is played for it. name: of a configuration."""
    config = read_yaml(root / "config.yaml")
    if name:
        config = overlay(config, read_yaml(root / f"configs/{name}.yaml"))
    changed = {"papers": ["meta_ban"], "per_paper": whole(config)}
    plan = make_plan(config | changed, root)
    return {figure.name.removeprefix("meta_ban_"): figure.plays for figure in plan.figures}


def whole(config: Mapping) -> dict:
    """Return the settings of single papers, with all experiments."""
    return {name: overlay(given, {"experiments": "all"}) for name, given in config.get("per_paper", {}).items()}


@pytest.fixture(scope="module", params=SCALES)
def plays(root, request) -> Plays:
    return plays_of(root, request.param)


def played(plays: Plays, claim: Claim, one: Selection) -> Iterator[Play]:
    """Yield what a selection of a claim is about."""
    for play in plays[claim.experiment]:
        words = play.environment.arguments
        given = dict(zip((word.removeprefix("--") for word in words[::2]), words[1::2], strict=True))
        given["data"] = given.get("role", "")
        if play.spec.title == one.of and all(given.get(name) == str(value) for name, value in one.where.items()):
            yield play


def points(play: Play) -> int:
    """Return the number of points of the grid of a play."""
    return prod(len(values) for values in play.spec.grid.values())


def test_every_comparison_has_equal_tuning(paper, plays):
    for claim in paper.claims:
        compared = [play for one in claim.compared for play in played(plays, claim, one)]
        assert compared, claim.id
        found = {play.spec.title: points(play) for play in compared if play.spec.title not in UNTUNED}
        assert len(set(found.values())) == 1, f"{claim.id}, {claim.reading}: {found}"
        for game in {play.environment.name for play in compared}:
            rounds = {play.spec.tuning_rounds for play in compared if play.environment.name == game}
            assert len(rounds) == 1, f"{claim.id}, {game}: {rounds}"


def test_every_method_has_as_many_points_as_any_other(plays):
    """Twenty; in the published grid the twelve of the paper, and one where nu alone differs or the code is public."""
    for experiment, played_there in plays.items():
        for play in played_there:
            if not experiment.startswith("public") and play.spec.title not in UNTUNED:
                held = experiment == "fig4" and "steps held" in play.spec.title
                assert points(play) == (12 if experiment == "published" else 1 if held else 20), play.name


def test_figure_4_holds_the_steps_that_tuning_chose_in_figure_1(root, plays):
    with (root / "reports/paper-scale/tables/meta_ban_fig1.csv").open(encoding="utf-8", newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["algorithm"] == "Meta-Ban")
    chosen = {name: float(value) for name, value in (word.split("=") for word in row["options"].split())}
    held = [play for play in plays["fig4"] if "steps held" in play.spec.title]
    assert held
    for play in held:
        assert {name: list(play.spec.grid[name]) for name in chosen} == {
            name: [value] for name, value in chosen.items()
        }


def test_the_published_grid_is_played_and_ours_reaches_beyond_it_at_both_ends(paper, plays):
    stated = {one.what.removeprefix("values of "): one.value for one in paper.setup if one.what.startswith("values of")}
    for play in plays["published"]:
        if play.spec.title not in UNTUNED:
            assert {name: play.spec.grid[name] for name in ("lambda", "alpha")} == {
                name: stated[name] for name in ("lambda", "alpha")
            }
    for name in ("lambda", "alpha"):
        ours = paper.settings.grid[name]
        assert min(ours) < min(stated[name])
        assert max(ours) > max(stated[name])


def test_six_runs_decide_and_three_would_not(root):
    reduced = read_yaml(root / "configs/paper-scale.yaml")["per_paper"]["meta_ban"]["per_data"]
    assert reduced
    for settings in reduced.values():
        first, last = map(int, settings["seeds"].split("-"))
        assert last - first + 1 >= RULES.least


def test_every_bound_has_controls_that_are_played_and_differ_from_what_it_bounds(paper, plays):
    bounds = [claim for claim in paper.claims if claim.bound]
    assert bounds
    for claim in bounds:
        assert {one.of for one in claim.controls} - UNTUNED, f"{claim.id}: Random alone breaks any bound"
        for control in claim.controls:
            assert control != claim.selection
            assert any(played(plays, claim, control)), f"{claim.id}: {control.of}"


def test_a_theorem_that_no_run_can_meet_is_outside_its_conditions_and_still_measured(paper):
    theorem = next(claim for claim in paper.claims if claim.key == "theorem5_3")
    assert theorem.outside
    assert not theorem.untestable
    rate = RATES[str(theorem.published)][1]
    assert rate(SimpleNamespace(rounds=[10_000])) == pytest.approx(sqrt(10_000 * log(10_000)))


def test_headlines_rest_on_claims_that_say_something_of_their_own(paper):
    assert 5 <= len(paper.headlines) <= 8
    known = {claim.id: claim for claim in paper.claims}
    for key, headline in paper.headlines.items():
        for name in headline.members(paper.claims, key):
            assert not known[name].stands, f"{key}: {name}"
    assert set(paper.headlines["outperforms"].claims) == {"fig1", "fig2", "fig3"}


def test_the_text_does_not_say_that_a_network_for_each_user_is_ahead_of_linear_methods(paper):
    linear = {"CLUB", "COFIBA", "SCLUB", "LOCB"}
    for claim in paper.claims:
        assert claim.selection.of != "NeuUCB-IND" or not linear & {one.of for one in claim.rivals}, claim.id


@pytest.mark.parametrize("left_out", ["LinUCB-ONE", "KernelUCB"])
def test_what_the_paper_leaves_out_as_outperformed_is_played_in_its_figures(paper, plays, left_out):
    for figure in ("fig1", "fig2", "fig3"):
        assert left_out in {play.spec.title for play in plays[figure]}
    key = left_out.split("-")[0].lower()
    claims = [claim for claim in paper.claims if claim.key == key and claim.reading == "paper"]
    assert {one.of for claim in claims for one in claim.rivals} == {left_out}
    assert {(claim.experiment, claim.selection.of) for claim in claims} == {
        (figure, rival)
        for figure in ("fig1", "fig2", "fig3")
        for rival in ("CLUB", "COFIBA", "SCLUB", "LOCB", "NeuUCB-ONE", "NeuUCB-IND")
    }


def test_reasons_rest_on_rows_of_targets_that_are_played(paper, plays):
    for key, reason in paper.reasons.items():
        assert key in {claim.because for claim in paper.claims}, f"no claim has the reason {key}"
        for target in reason.tables:
            assert target.removeprefix("meta_ban_") in plays, f"{key}: {target}"
        for name, number in reason.numbers.items():
            if number.stated is None:
                there = plays[(number.table or reason.target).removeprefix("meta_ban_")]
                row = reason.row | number.row
                rows = [
                    play
                    for play in there
                    if play.spec.title == row["algorithm"]
                    and row.get("environment", play.environment.name) == play.environment.name
                ]
                assert len(rows) == 1, f"{key}, {name}: {len(rows)} rows"
