"""The claims of LNUCB-TA and RMBandit: the numbers are the papers', and what they speak of can be made."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np
import pytest

from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay, read_yaml
from manybandits.environments import instance_conditions as conditions
from manybandits.environments import instances
from manybandits.estimators.comparison import ESTIMATORS
from manybandits.figures.alignment import PARTS
from manybandits.measurements import lnucb_ta_runtime as runtime
from manybandits.papers.claim import PAPER, Claim, Selection
from manybandits.papers.files import read_paper
from manybandits.planning.figures import Figure, Measurement
from manybandits.planning.jobs import Play
from manybandits.planning.plan import Plan, make_plan
from manybandits.results.error_table import TABLE_1
from tests.planted.papers import read_content

PAPERS = ("lnucb_ta", "rmbandit")
DATA = ("adult", "magic", "mnist", "mushroom")
TABLE2 = {  # regret, its standard deviation over 20 runs, and the second in percent of the first; columns as in DATA
    "LinUCB": (2097.5, 50.3, 2.40, 2604.4, 34.6, 1.33, 2544.0, 235.4, 9.25, 562.7, 23.1, 4.11),
    "LinThompson": (2154.7, 40.5, 1.88, 2700.5, 46.7, 1.73, 2781.4, 338.3, 12.16, 643.3, 30.4, 4.72),
    "KernelUCB": (2080.1, 44.8, 2.15, 2406.5, 79.4, 3.30, 3595.8, 580.1, 16.13, 199.0, 41.0, 20.60),
    "KernelTS": (2111.5, 87.4, 4.14, 2442.6, 64.5, 2.64, 3406.0, 411.7, 12.09, 291.2, 40.0, 13.74),
    "BootstrapNN": (2097.3, 39.3, 1.87, 2269.4, 27.9, 1.23, 1765.6, 321.1, 18.19, 132.3, 8.6, 6.50),
    "Neural epsilon-greedy": (2328.5, 50.4, 2.16, 2381.8, 37.3, 1.57, 1893.2, 93.7, 4.95, 323.2, 32.5, 10.06),
    "NeuUCB-ONE": (2061.8, 42.8, 2.08, 2033.0, 48.6, 2.39, 2071.6, 922.2, 44.49, 160.4, 95.3, 59.41),
    "NeuralTS": (2092.5, 48.0, 2.29, 2037.4, 61.3, 3.01, 1583.4, 198.5, 12.53, 115.0, 35.8, 31.13),
    "LNUCB-TA": (1673.1, 12.07, 0.72, 1931.6, 31.22, 1.62, 1561.6, 42.09, 2.69, 19.85, 1.98, 9.97),
}
TABLE3 = {  # cumulative reward, mean reward, seconds, standard deviation of the mean reward
    ("(Lin + k-NN)-UCB", 0.1): (662, 0.83, 715.02, 0.35),
    ("(Lin + k-NN)-UCB", 1): (617, 0.77, 733.72, 0.35),
    ("(Lin + k-NN)-UCB", 10): (160, 0.20, 758.82, 0.35),
    ("LinUCB", 0.1): (567, 0.71, 8.09, 0.30),
    ("LinUCB", 1): (424, 0.53, 8.73, 0.30),
    ("LinUCB", 10): (98, 0.12, 5.97, 0.30),
    ("k-NN UCB", 0.1): (195, 0.24, 459.71, 0.05),
    ("k-NN UCB", 1): (192, 0.24, 434.08, 0.05),
    ("k-NN UCB", 10): (260, 0.33, 457.07, 0.05),
    ("LNUCB-TA", 0.1): (741, 0.93, 324.5, 0.01),
    ("LNUCB-TA", 1): (752, 0.94, 293.83, 0.01),
    ("LNUCB-TA", 10): (752, 0.94, 297.28, 0.01),
}
TABLE5 = {  # best parameter, best mean reward, best cumulative reward, improvement by LNUCB-TA in percent
    "BetaThompson": ("4:4", 0.22, 176, 327.27),
    "Epsilon-greedy": (0.2, 0.26, 208, 262.98),
    "KL-UCB": (0.1, 0.25, 200, 276.50),
    "k-NN KL-UCB": (5, 0.76, 608, 23.87),
    "k-NN UCB": (10, 0.34, 272, 176.47),
    "LinThompson": (0.1, 0.42, 336, 124.11),
    "LinUCB": (0.01, 0.73, 584, 28.91),
    "UCB": (10, 0.14, 112, 572.32),
    "LNUCB-TA": (1, 0.94, 753, None),
}
TABLE6 = {  # best parameter, best mean and cumulative reward, improvement over the base and LNUCB-TA in percent
    "BetaThompson-enhanced": ("0.5:0.5", 0.79, 632, 259.09, -16.08),
    "Epsilon-greedy-enhanced": (0.25, 0.58, 464, 123.08, -38.38),
    "LinThompson-enhanced": (2, 0.69, 552, 64.29, -26.69),
}
TABLE7_COLUMNS = ("LinUCB", "k-NN UCB", "(Lin + k-NN)-UCB", "LNUCB-TA")
TABLE7 = {  # (rate, steps) -> cumulative reward and seconds of each column
    (0.1, 2500): (2089, 10.11, 1618, 14.79, 2126, 287.85, 2262, 26.21),
    (0.1, 5000): (4570, 12.36, 3763, 35.80, 4604, 1333.2, 4762, 92.01),
    (0.1, 7500): (7063, 19.79, 6004, 62.92, 7099, 3381.71, 7261, 102.00),
    (1, 2500): (1349, 5.80, 1607, 15.98, 1401, 295.59, 1997, 24.08),
    (1, 5000): (3720, 12.30, 3739, 36.17, 3785, 1331.09, 4497, 58.43),
    (1, 7500): (6149, 19.02, 5996, 62.03, 6186, 3226.52, 6996, 98.57),
    (10, 2500): (410, 6.53, 1595, 15.84, 410, 279.34, 1601, 21.65),
    (10, 5000): (1197, 13.37, 3721, 36.57, 1311, 1169.57, 4019, 55.50),
    (10, 7500): (2282, 18.07, 5966, 61.90, 2536, 3223.6, 6519, 95.48),
}
LETTERS = ("rows", "dimension", "instances", "support")


@pytest.fixture(scope="module")
def contents(root) -> dict[str, dict[str, Any]]:
    return {paper: read_content(root / f"workflow/papers/{paper}") for paper in PAPERS}


@pytest.fixture(scope="module")
def claims(root) -> dict[str, list[Claim]]:
    return {paper: list(read_paper(root / f"workflow/papers/{paper}").claims) for paper in PAPERS}


@pytest.fixture(scope="module")
def plan(root) -> Plan:
    """The default run, with the log of Table 7 as if it could be had."""
    config = overlay(read_yaml(root / "config.yaml"), {"data": {"use": {"article": "yahoo-r6a"}}})
    return make_plan({**config, "papers": list(PAPERS)}, root)


def cells(claims: dict[str, list[Claim]], key: str) -> list[Claim]:
    """Return the cells of a claim of LNUCB-TA as the paper has them."""
    return [one for one in claims["lnucb_ta"] if one.id.startswith(f"lnucb_ta.{key}.") and one.reading == PAPER]


def option(selection: Selection) -> Any:
    """Return the value of the one option that a selection names."""
    (value,) = selection.options.values()
    return value


def times(percent: float) -> float:
    """Return how many times a number is another that it is above by so many percent."""
    return round(1 + percent / 100, 4)


def rival(claim: Claim) -> str:
    (only,) = claim.rivals
    return only.of


@pytest.mark.parametrize(("place", "data"), list(enumerate(DATA)))
def test_every_cell_of_table_2_is_a_claim_and_quoted_rows_stand_apart(claims, place, data):
    found = {
        key: {one.selection.of: one for one in cells(claims, key) if one.selection.where["data"] == data}
        for key in ("table2", "table2_std", "table2_quoted")
    }
    rows = {title: row[3 * place : 3 * place + 2] for title, row in TABLE2.items()}
    means = found["table2"] | found["table2_quoted"]
    assert {title: (one.published, one.std) for title, one in means.items()} == rows
    assert {one.published for one in found["table2_std"].values()} == {rows["LNUCB-TA"][1]}
    assert {title for title, one in means.items() if "Zhang" in one.quoted} == TABLE2.keys() - {"LNUCB-TA"}


def test_every_cell_of_table_3_is_a_claim_of_the_log_in_its_own_order(claims):
    found = cells(claims, "table3")
    assert {(one.selection.measure, one.selection.where["order"]) for one in found} == {("reward", "logged")}
    wanted = {cell: row[0] for cell, row in TABLE3.items()}
    assert {(one.selection.of, option(one.selection)): one.published for one in found} == wanted


@pytest.mark.parametrize("table", [TABLE3, TABLE5, TABLE6])
def test_means_that_are_no_claims_are_clicks_over_800(table):
    """In Table 3 clicks come first and their mean second; in Tables 5 and 6 they are third and second."""
    for row in table.values():
        total, mean = (row[0], row[1]) if table is TABLE3 else (row[2], row[1])
        assert abs(total / 800 - mean) <= 0.011


def test_deviations_that_are_no_claims_are_those_of_three_means():
    for title in {title for title, _ in TABLE3}:
        means = [row[1] for (name, _), row in TABLE3.items() if name == title]
        assert np.isclose(np.std(means, ddof=1), TABLE3[title, 1][3], atol=0.011)


def test_every_cell_of_tables_5_and_6_is_a_claim_or_a_published_lead(claims):
    for key, table in (("table5", TABLE5), ("table6", TABLE6)):
        best, total = ({one.selection.of: one for one in cells(claims, name)} for name in (f"{key}_best", key))
        assert {title: one.published for title, one in total.items()} == {t: row[2] for t, row in table.items()}
        assert {title: option(one.selection) for title, one in total.items()} == {t: r[0] for t, r in table.items()}
        assert {title: option(one.selection) for title, one in best.items()} == {t: r[0] for t, r in table.items()}
    better = {one.selection.of: one for one in cells(claims, "table6_better")}
    assert {title: one.published for title, one in better.items()} == {t: times(r[3]) - 1 for t, r in TABLE6.items()}
    for one in cells(claims, "table6_behind"):
        (rival,) = one.rivals
        assert one.published == pytest.approx(TABLE5["LNUCB-TA"][2] / TABLE6[rival.of][2] - 1, abs=1e-4)


def lead_of(claim: Claim) -> float | None:
    """Return the lead over the closest rival that Tables 2, 3 and 7 state; None if a rival is not in them."""

    def stated(one: Selection) -> float | None:
        if claim.experiment == "table2":
            return TABLE2[one.of][3 * DATA.index(str(one.where["data"]))]
        if claim.experiment == "table3":
            return TABLE3.get((one.of, option(one)), (None,))[0]
        title, _, steps = one.of.partition(", ")
        return TABLE7[option(one), int(steps.split()[0]) if steps else 7500][2 * TABLE7_COLUMNS.index(title)]

    own, others = stated(claim.selection), [stated(one) for one in claim.rivals]
    if own is None or None in others:
        return None
    return 1 - own / min(others) if claim.experiment == "table2" else own / max(others) - 1


def test_the_published_lead_of_an_order_is_that_of_its_table(claims):
    compared = [
        (claim.id, claim.published, lead)
        for claim in claims["lnucb_ta"]
        if claim.kind == "order"
        and claim.reading == PAPER
        and claim.selection.measure in ("regret", "reward")
        and not claim.stands
        and (claim.experiment in ("table2", "table3") or claim.experiment.startswith("table7"))
        and (lead := lead_of(claim)) is not None
    ]
    assert len(compared) >= 20
    assert [one for one in compared if one[1] is None or abs(one[1] - one[2]) > 1e-4] == []


@pytest.mark.parametrize("steps", [2500, 5000, 7500])
def test_the_clicks_of_table_7_are_claims(claims, steps):
    key, label = ("table7", "") if steps == 7500 else (f"table7at{steps}", f", {steps} steps")
    found = cells(claims, key)
    assert {(one.selection.measure, one.experiment) for one in found} == {("reward", key)}
    wanted = {
        (title + label, rate): row[2 * place]
        for (rate, after), row in TABLE7.items()
        for place, title in enumerate(TABLE7_COLUMNS)
        if after == steps
    }
    assert {(one.selection.of, option(one.selection)): one.published for one in found} == wanted


def test_ratios_of_seconds_are_those_of_tables_3_and_7(claims):
    def mean(title: str) -> float:
        return float(np.mean([row[2] for (name, _), row in TABLE3.items() if name == title]))

    for one in cells(claims, "table3_faster"):
        assert one.published == pytest.approx(mean("LNUCB-TA") / mean(rival(one)), rel=2e-3)
    for one in cells(claims, "table7_faster"):
        row = TABLE7[1, one.selection.where["steps"]]
        assert one.published == pytest.approx(row[5] / row[7], rel=1e-3)


def members(root, key: str) -> list[Claim]:
    """Return the claims that test a headline of LNUCB-TA, as the paper has them."""
    paper = read_paper(root / "workflow/papers/lnucb_ta")
    named = paper.headlines[key].members(paper.claims, key)
    return [one for one in paper.claims if one.id in named and one.reading == PAPER]


@pytest.mark.parametrize("key", ["benchmarks", "news", "parts", "robust", "ablation", "faster", "enhanced", "theory"])
def test_a_headline_compares_algorithms_that_are_tuned_on_equally_many_points(root, plan, key):
    figures = {one.experiment: one for one in plan.figures if one.paper == "lnucb_ta"}
    for claim in members(root, key):
        assert not claim.stands
        if claim.kind == "slope" or claim.experiment not in figures:
            continue
        titles = {one.of for one in claim.compared}
        specs = [one.spec for one in figures[claim.experiment].plays if one.spec.title in titles]
        assert {spec.title for spec in specs} == titles
        games = {spec.game for spec in specs}
        for game in games:
            same = [spec for spec in specs if spec.game == game]
            points = {spec.title: int(np.prod([len(values) for values in spec.grid.values()])) for spec in same}
            assert len(set(points.values())) == 1, (claim.id, points)
            assert len({(spec.tuning, spec.tuning_rounds, spec.tuning_seeds) for spec in same}) == 1


def test_a_headline_is_not_judged_on_replays_in_the_logs_own_order_but_for_seconds(root):
    """A replay in the log's own order has n = 1, and decides no comparison."""
    for key in read_paper(root / "workflow/papers/lnucb_ta").headlines:
        for claim in members(root, key):
            assert claim.selection.measure == "seconds" or claim.selection.where.get("order") != "logged", claim.id


def test_published_grids_are_part_of_ours(plan):
    six = {"BetaThompson": ["1:1", "2:2", "0.5:0.5", "3:1", "1:3", "4:4"]}
    six |= {"Epsilon-greedy": [0.01, 0.05, 0.1, 0.2, 0.25, 0.5]}
    six |= {title: [0.01, 0.05, 0.1, 0.5, 1, 10] for title in ("LinUCB", "LNUCB-TA")}
    (figure,) = (one for one in plan.figures if one.name == "lnucb_ta_fig3")
    for play in figure.plays:
        if play.spec.title in TABLE5:
            (grid,) = play.spec.grid.values()
            assert set(six.get(play.spec.title, [0.1, 0.5, 1, 2, 5, 10])) <= set(grid)
    (figure,) = (one for one in plan.figures if one.name == "lnucb_ta_table2")
    grids = {play.spec.title: play.spec.grid for play in figure.plays}
    assert grids["NeuralTS"]["lambda"] == grids["NeuUCB-ONE"]["lambda"] == [1, 0.1, 0.01, 0.001]
    assert grids["NeuralTS"]["nu"] == grids["NeuUCB-ONE"]["alpha"] == [0.1, 0.01, 0.001, 0.0001, 0.00001]
    for title in ("LinUCB", "LinThompson", "KernelUCB", "KernelTS"):
        (grid,) = grids[title].values()
        assert {1, 0.1, 0.01} <= set(grid)


def test_phi_and_gamma_are_chosen_on_seeds_that_are_not_reported(plan):
    """VERDICTS 7.4: distances were counted fully, which put bandits with neighbours below chance."""
    figures = {one.name: one for one in plan.figures}
    tried = [play.spec for play in figures["lnucb_ta_phichosen"].plays]
    assert {spec.algorithm for spec in tried} == {"knn_ucb", "knn_kl_ucb", "lin_knn_ucb"}
    assert {tuple(spec.grid["phi"]) for spec in tried} == {(0, 0.001, 0.003, 0.01, 0.03, 0.1, 1)}
    for play in figures["lnucb_ta_fig1a"].plays:
        assert not set(play.spec.seeds) & set(tried[0].seeds)
    for name in ("knn_ucb", "knn_kl_ucb", "lin_knn_ucb"):
        (phi,) = (one.default for one in catalogue.load(name).OPTIONS if one.name == "phi")
        assert phi == 0.0
    tried = [play.spec for play in figures["lnucb_ta_gammachosen"].plays]
    assert {spec.algorithm for spec in tried} == {
        f"{name}_enhanced" for name in ("beta_thompson", "eps_greedy", "linthompson")
    }
    assert {spec.seeds for spec in tried} == {(100, 101, 102)}


def test_every_bound_has_a_control_that_is_played(plan, claims):
    made = {one.experiment: one for one in (*plan.figures, *plan.measurements) if one.paper == "lnucb_ta"}
    bounds = [claim for claim in claims["lnucb_ta"] if claim.bound]
    assert bounds
    for claim in bounds:
        lacks = [missing(control, claim.against, made[claim.experiment]) for control in claim.controls]
        assert lacks == [""] * len(lacks), claim.id


def test_every_rate_of_rmbandits_table_1_is_a_claim(claims):
    found = [
        one for one in claims["rmbandit"] if one.place == "Table 1" and one.kind == "slope" and one.reading == PAPER
    ]
    stated = {(one.selection.of, one.selection.where["regime"], one.against): one for one in found}
    assert stated.keys() == set(itertools.product(TABLE_1, ("standard", "poor"), LETTERS))
    assert {one.published for one in found if one.bound == "at-least"} == {"table1"}
    assert {one.published for one in found if one.bound == "at-most"} == {"corollaries"}  # which have the logarithms
    assert {title for (title, _, _), one in stated.items() if one.bound == "at-most"} == {"Robust multitask"}
    assert {one.bound for one in found} == {"at-least", "at-most"}


def test_all_bandits_of_an_experiment_of_rmbandit_are_tuned_over_equally_many_points(root):
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["rmbandit"], "league": False}, root)
    for figure in plan.figures:
        tuned = [play for play in figure.plays if play.spec.algorithm != "random"]
        points = {play.spec.title: np.prod([len(values) for values in play.spec.grid.values()]) for play in tuned}
        if figure.table != "grid":
            assert len(set(points.values())) <= 1, (figure.name, points)


def test_the_game_of_the_conditions_of_theorem_2_meets_them_up_to_its_longest_horizon(root):
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["rmbandit"], "league": False}, root)
    (figure,) = (one for one in plan.figures if one.name == "rmbandit_conditions")
    for play in figure.plays:
        made = flags(play)
        given = {name: type(value)(made[name]) for name, value in instances.SETTINGS.items() if name in made}
        facts = conditions.theorem2({**instances.SETTINGS, **given})
        assert facts.pop("d > 4 s")
        assert np.log(play.spec.horizon) < min(facts.values())
        if "zeta" in play.spec.grid:
            zeta, eta = np.sqrt(given["sparsity"] / given["dimension"]), np.sqrt(9 / given["instances"])
            assert play.spec.grid["zeta"] == play.spec.grid["omega_0"] == [round(zeta, 3)]
            assert play.spec.grid["eta"] == [round(eta, 3)]


def flags(play: Play) -> dict[str, str]:
    """Return what the game of a play is made with, by name; the role of its data as data, and the horizon."""
    given = play.environment.arguments
    named = {name.removeprefix("--"): value for name, value in zip(given[::2], given[1::2], strict=True)}
    return {("data" if name == "role" else name): value for name, value in named.items()} | {
        "horizon": str(play.spec.horizon)
    }


def missing(selection: Selection, against: str, one: Figure | Measurement) -> str:
    """Say what of a selection a figure or measurement does not have, "" if it has all."""
    if isinstance(one, Measurement) and one.paper == "rmbandit":
        return "" if selection.of in importlib.import_module(one.module).PARTS else "no such row of the measurement"
    if isinstance(one, Measurement):
        rows = {(title, k) for title in runtime.POLICIES for k in ((0,) if title == "LinUCB" else runtime.NEIGHBOURS)}
        if not any(title == selection.of and k == selection.where.get("neighbours", k) for title, k in rows):
            return "no such row of the measurement"
        return "" if selection.where.get("steps", runtime.STEPS[0]) in runtime.STEPS else "no such number of steps"
    if one.regressions and not any(regression.sweeps for regression in one.regressions):
        return "" if selection.of in PARTS.values() else "no such part"
    if one.regressions:
        if selection.of not in ESTIMATORS:
            return "no such estimator"
        for regression in one.regressions:
            points = {name: [value] for name, value in regression.settings.items()} | regression.sweeps
            if all(value in points.get(name, []) for name, value in selection.where.items()):
                return "" if not against or against in regression.sweeps else "no such sweep"
        return "no such regression"
    titled = [play for play in one.plays if play.spec.title == selection.of]
    if not titled:
        return "no such title"
    where = {name: str(value) for name, value in selection.where.items()}
    meant = [play for play in titled if where.items() <= flags(play).items()]
    if not meant:
        return "no such game"
    for play, (name, values) in itertools.product(meant, selection.options.items()):
        default = next(one.default for one in catalogue.load(play.spec.algorithm).OPTIONS if one.name == name)
        listed = values if isinstance(values, list) else [values]
        if play.spec.tuning != "best-of-grid" or not set(listed) <= set(play.spec.grid.get(name, [default])):
            return f"no such grid point of {name}"
    return "" if all((selection.at or 0) <= play.spec.horizon for play in meant) else "not so many rounds"


@pytest.mark.parametrize("paper", PAPERS)
def test_whatever_a_claim_speaks_of_can_be_made(plan, claims, paper):
    made = {(one.paper, one.experiment): one for one in (*plan.figures, *plan.measurements)}
    wrong = {
        (claim.id, claim.reading): f"{selection.name}: {lack}"
        for claim in claims[paper]
        if not claim.outside  # nothing need be played to say so
        for selection in claim.selections
        if (lack := missing(selection, claim.against, made[paper, claim.experiment]))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("change", "lack"),
    [
        ({"of": "NeuralUCB"}, "no such title"),
        ({"where": {"data": "news", "order": "sorted"}}, "no such game"),
        ({"options": {"alpha": 3}}, "no such grid point of alpha"),
        ({"at": 801}, "not so many rounds"),
    ],
)
def test_what_cannot_be_made_is_seen(plan, change, lack):
    one = next(figure for figure in plan.figures if figure.name == "lnucb_ta_table3")
    whole = {"of": "LinUCB", "where": {"data": "news", "order": "logged"}, "options": {"alpha": 10}, "at": 800}
    assert missing(Selection(**whole), "", one) == ""
    assert missing(Selection(**{**whole, **change}), "", one) == lack


def test_reasons_rest_on_targets_and_few_claims_share_one(root, plan):
    """VERDICTS 7.10: one reason was given for 47 cells, and others quoted runs that were no target."""
    paper = read_paper(root / "workflow/papers/lnucb_ta")
    for key, reason in paper.reasons.items():
        assert set(reason.tables) <= plan.targets.keys(), key
        sharing = {claim.key for claim in paper.claims if claim.because == key}
        assert 1 <= len(sharing) <= 6, (key, sharing)


def test_figure_1_has_the_enhanced_models_among_its_rivals(claims):
    """VERDICTS 7.11: section 5.2 names them."""
    (claim,) = (one for one in claims["lnucb_ta"] if one.id == "lnucb_ta.fig1" and one.reading == PAPER)
    assert {one.of for one in claim.rivals} == (TABLE5.keys() | TABLE6.keys()) - {"LNUCB-TA"}


def test_what_varies_over_grid_points_names_several(claims):
    varying = [one for one in claims["lnucb_ta"] if one.selection.measure == "across"]
    assert varying
    assert all(len(option(one)) > 1 for claim in varying for one in claim.compared)


@pytest.mark.parametrize("paper", PAPERS)
def test_readings_of_a_claim_are_told_apart(claims, paper):
    named = [(one.id, one.reading) for one in claims[paper]]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("paper", PAPERS)
def test_divergences_name_claims_experiments_and_tests_that_there_are(contents, paper, root):
    content = contents[paper]
    keys = [one["key"] for one in content["divergences"]]
    assert len(keys) == len(set(keys))
    for one in content["divergences"]:
        assert one["touches"]
        assert set(one["touches"]) <= content["claims"].keys(), one["key"]
        assert set(one.get("shown_by", [])) <= content["experiments"].keys(), one["key"]
        assert "tested_by" not in one or (root / one["tested_by"]).is_file(), one["key"]
