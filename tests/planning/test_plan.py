"""The plan: everything a user can write is checked before a job runs, and the message names the cure."""

from __future__ import annotations

import copy
import shutil

import pytest

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.base.sources import modules_of
from manybandits.papers.experiment import Games
from manybandits.papers.files import names
from manybandits.planning.configuration import checked
from manybandits.planning.jobs import check_settings, environments_of
from manybandits.planning.plan import make_plan
from tests.planted.papers import read_content, save_paper


@pytest.fixture(scope="module")
def of_m_cnb(root):
    return make_plan({**read_yaml(root / "config.yaml"), "papers": ["m_cnb"]}, root)


@pytest.fixture
def config(root):
    smoke = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))
    return smoke | {"algorithms": "all"}


@pytest.mark.parametrize("name", ["smoke", "embedded", "paper-scale"])
def test_every_configuration_of_the_project_makes_a_plan(root, name):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / f"configs/{name}.yaml"))
    plan = make_plan(config, root)
    assert plan.figures
    assert plan.name == name


def test_the_default_plan_has_the_figures_of_two_papers_at_paper_scale(root):
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["meta_ban", "m_cnb"]}, root)
    names = [figure.name for figure in plan.figures]
    assert {"meta_ban_fig1", "meta_ban_fig2", "m_cnb_fig2", "m_cnb_fig3", "m_cnb_fig4"} <= set(names)
    plays = [play for figure in plan.figures for play in figure.plays]
    assert {play.spec.horizon for play in plays} == {10_000}
    assert {play.spec.seeds for play in plays} == {tuple(range(10)), tuple(range(30))}  # thirty on M-CNB's public pairs
    tuned = [play for play in plays if play.spec.algorithm == "club"]
    assert all(len(play.spec.grid["alpha"]) * len(play.spec.grid["lambda"]) >= 9 for play in tuned)


def test_the_multi_agent_paper_is_planned_whole(root):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml"))
    figures = {figure.name: figure for figure in make_plan(config, root).figures}
    panels = {play.environment.name for play in figures["sclb_pmlb_fig1"].plays}
    assert len(panels) == 12
    assert {play.spec.seeds for play in figures["sclb_pmlb_fig1"].plays} == {tuple(range(30))}
    assert {play.spec.tuning_rounds for play in figures["sclb_pmlb_fig1"].plays} == {500}
    titles = {play.spec.title: play for play in figures["sclb_pmlb_fig2"].plays}
    assert titles["PMLB, index difference"].spec.grid["index"] == ["difference"]
    assert titles["PMLB"].name != titles["PMLB, index difference"].name
    pools = {(play.environment.arguments[-1], play.spec.algorithm) for play in figures["sclb_pmlb_fig1e"].plays}
    assert ("common", "cmlb") in pools
    assert ("listened", "cmlb") not in pools
    assert "--x" in figures["sclb_pmlb_theorem1"].arguments
    assert figures["sclb_pmlb_theorem1"].kind == "sweep"


def test_public_pairs_are_played_with_the_settings_of_their_code_on_the_data_that_it_has(root):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml"))
    config |= {"families": ["released"], "experiments": ["meta_ban_public", "m_cnb_pair2024"], "league": False}
    config |= {"per_paper": {}}
    plays = make_plan(config, root).plays.values()
    assert {play.environment.protocol for play in plays} == {"released"}
    assert {play.spec.title for play in plays if play.spec.tuned} == {
        f"{name}, our grid" for name in ("M-CNB 2024", "NeuUCB-ONE 2022", "NeuUCB-IND 2022")
    }
    assert {play.environment.datasets for play in plays} == {("movielens-1m",), ("yelp-2000x10000",)}


def test_the_games_of_the_text_and_of_the_public_code_have_settings(config, root):
    use = {**config["data"]["use"], "movielens": "movielens-1m", "facebook": "facebook-ego"}
    config = {**config, "data": {"use": use}}

    def made(game, **settings):
        games = Games(game=game, data=("movielens", "facebook"), with_=settings)
        return environments_of(games, "", checked(config, names(root)), "here")

    movielens, facebook = made("m-cnb", context="both", middle="dropped")
    assert movielens.name == "m-cnb-paper-movielens-1m-context-both-middle-dropped"
    assert movielens.arguments[:2] == ("--game", "m-cnb")
    assert movielens.arguments[-4:] == ("--context", "both", "--middle", "dropped")
    assert facebook.datasets == ("facebook-ego",)
    (released,) = made("item-50", groups=100)  # nobody dislikes anything on Facebook
    assert released.name == "item-50-released-movielens-1m-groups-100"
    assert released.arguments == ("--game", "item-50", "--role", "movielens", "--groups", "100")
    assert (movielens.protocol, released.protocol) == ("paper", "released")


def test_a_plan_of_linear_algorithms_has_no_others(root):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml"))
    config |= {"families": ["linear"], "experiments": ["meta_ban_fig1", "m_cnb_fig2"], "league": False}
    config |= {"per_paper": {}}
    assert {play.module.split(".")[-2] for play in make_plan(config, root).plays.values()} == {"linear"}


def test_algorithms_that_are_named_play_alone_and_regressions_stay(config, root):
    config |= {"algorithms": ["club", "random"], "per_paper": {"meta_ban": {"algorithms": ["club"]}}}
    config |= {"experiments": ["meta_ban_fig1", "rmbandit_fig1", "rmbandit_regret"]}
    figures = {figure.name: figure for figure in make_plan(config, root).figures}
    assert {play.spec.algorithm for play in figures["meta_ban_fig1"].plays} == {"club"}
    assert {play.spec.algorithm for play in figures["rmbandit_regret"].plays} == {"random"}
    assert figures["rmbandit_fig1"].regressions


def test_a_paper_can_have_experiments_of_its_own_and_the_others_are_named(config, root):
    config |= {"experiments": "all", "papers": ["meta_ban", "rmbandit"]}
    config |= {"per_paper": {"meta_ban": {"experiments": ["meta_ban_fig1"]}}}
    plan = make_plan(config, root)
    assert [figure.name for figure in plan.figures if figure.paper == "meta_ban"] == ["meta_ban_fig1"]
    assert {"rmbandit_fig1", "rmbandit_regret"} <= {figure.name for figure in plan.figures}
    left_out = {one.name: one.reason for one in plan.omissions}
    assert left_out["meta_ban_fig2"] == "not part of this run"
    assert "meta_ban_fig1" not in left_out
    config["per_paper"]["meta_ban"]["experiments"] = ["rmbandit_fig1"]
    with pytest.raises(InputError, match=r"unknown experiment \(per_paper.meta_ban.experiments\) 'rmbandit_fig1'"):
        make_plan(config, root)


def test_an_arena_of_the_league_can_be_played_alone(config, root):
    assert [arena.name for arena in make_plan(config | {"league": ["agents"]}, root).arenas] == ["agents"]


def test_the_quickstart_downloads_nothing_and_has_five_families_and_a_claim_to_judge(root):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/embedded.yaml"))
    plan = make_plan(config, root)
    assert {name for game in plan.environments.values() for name in game.datasets} == {"embedded-ratings"}
    assert len({play.module.split(".")[-2] for play in plan.plays.values()}) >= 5
    judged = [one for one in plan.figures if one.name in plan.claims]
    assert [one for one in judged if not any(play.environment.datasets for play in one.plays)]


def test_the_networks_are_a_source_of_neural_plays_alone(root):
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["m_cnb"], "league": False}, root)
    users = "manybandits.numerics.networks.users"
    assert {play.spec.algorithm for play in plan.plays.values() if users in modules_of(*play.code)} == {
        *("m_cnb", "neuucb_one", "neuucb_ind", "neu_a_u", "neural_linear")
    }


def test_options_that_are_lists_are_tuned_and_not_named(of_m_cnb):
    figures = {figure.name: figure for figure in of_m_cnb.figures}
    plays = [play for play in figures["m_cnb_fig2"].plays if play.spec.algorithm == "m_cnb"]
    assert {play.spec.title for play in plays} == {"M-CNB", "M-CNB, gamma 1000"}
    assert all(len(play.spec.grid["alpha"]) * len(play.spec.grid["meta_rate"]) == 20 for play in plays)


def test_an_option_at_its_default_shares_the_play_without_it(of_m_cnb):
    plays = {figure.name: {play.spec.title: play for play in figure.plays} for figure in of_m_cnb.figures}
    assert set(plays["m_cnb_fig6nu"]) == {"M-CNB", *(f"M-CNB, nu {nu}" for nu in (1.1, 1.5, 3, 10))}
    assert plays["m_cnb_fig6nu"]["M-CNB"] == plays["m_cnb_fig6gamma"]["M-CNB"]


def with_horizons(root, tmp_path, **experiment):
    """Copy the workflow with one experiment of RMBandit that has horizons; return its folder."""
    shutil.copytree(root / "workflow", tmp_path / "workflow")
    folder = tmp_path / "workflow/papers/rmbandit"
    content = read_content(folder)
    given = {"place": "P", "title": "t", "band": "std", "algorithms": ["rmbandit"], "with": {"instances": 5}}
    content["experiments"]["lengths"] = {**given, "horizons": [500, 1000, 4000], **experiment}
    save_paper(folder, content)
    return tmp_path


def test_an_algorithm_plays_once_per_horizon_under_one_title(config, root, tmp_path):
    wanted = {**config, "experiments": ["rmbandit_lengths"], "settings": {"horizon": 1000, "seeds": "0-1"}}
    folder = with_horizons(root, tmp_path, settings={"horizon": 1000})
    (figure,) = make_plan(wanted, folder).figures
    assert [play.spec.horizon for play in figure.plays] == [500, 1000, 4000]
    assert {play.spec.title for play in figure.plays} == {"RMBandit"}
    names = [play.name.rpartition("/")[2] for play in figure.plays]
    assert names == ["rmbandit-horizon-500", "rmbandit", "rmbandit-horizon-4000"]
    assert (figure.kind, figure.table) == ("sweep", "horizons")
    assert figure.arguments[2:] == ("--x", "horizon")
    assert {stated.horizon for stated in figure.scale.games.values()} == {4000}
    halved = make_plan(overlay(wanted, {"settings": {"horizon": 500}}), folder).figures[0]
    assert [play.spec.horizon for play in halved.plays] == [250, 500, 2000]
    assert {stated.horizon for stated in halved.scale.games.values()} == {4000}


def test_several_horizons_are_drawn_as_a_sweep_and_nothing_else(config, root, tmp_path):
    folder = with_horizons(root, tmp_path, figure={"kind": "regret"})
    with pytest.raises(InputError, match=r"has `horizons`, so its figure is \{kind: sweep, x: horizon\}"):
        make_plan({**config, "experiments": ["rmbandit_lengths"]}, folder)


def test_what_is_measured_is_a_target_and_belongs_to_its_paper(root):
    config = {**read_yaml(root / "config.yaml"), "papers": ["m_cnb"]}
    plan = make_plan(config, root)
    found = {one.name: one for one in plan.measurements}
    assert {name: one.module.rpartition(".")[2] for name, one in found.items()} == {
        "m_cnb_probe": "probe",
        "m_cnb_table1": "m_cnb_parts",
        "m_cnb_times": "m_cnb_times",
    }
    for name, one in found.items():
        assert plan.targets[name] == [one]
        assert one in plan.targets["m_cnb"]
    assert not make_plan({**config, "families": ["linear"]}, root).measurements


def test_what_is_measured_is_measured_on_the_games_of_its_data(root):
    config = {**read_yaml(root / "config.yaml"), "papers": ["m_cnb"], "experiments": ["m_cnb_table1", "m_cnb_times"]}
    config["league"] = False
    plan = make_plan(config, root)
    timed = {one.name: [environment.name for environment in one.environments] for one in plan.measurements}
    assert timed == {
        "m_cnb_table1": ["m-cnb-paper-movielens-25m"],
        "m_cnb_times": ["m-cnb-paper-movielens-25m", "classification-mnist-user-arm"],
    }
    assert set(plan.environments) == {name for names in timed.values() for name in names}
    assert all(one.scale.originals["movielens"] == "movielens-25m" for one in plan.measurements)


@pytest.mark.parametrize("article", ["none", "yahoo-r6a"])
def test_a_measurement_makes_its_data_only_where_those_of_the_paper_are_unavailable(root, article):
    config = overlay(read_yaml(root / "config.yaml"), {"data": {"use": {"article": article}}})
    plan = make_plan({**config, "papers": ["lnucb_ta"], "experiments": ["lnucb_ta_fig8"]}, root)
    (measured,) = plan.measurements
    assert [one.datasets for one in measured.environments] == ([] if article == "none" else [("yahoo-r6a",)])
    assert measured.scale.originals["article"] == "yahoo-r6a"


def test_what_has_no_data_is_left_out_and_named(root, monkeypatch, capsys):
    config = {**read_yaml(root / "config.yaml"), "papers": ["lnucb_ta"]}
    plan = make_plan(config, root)
    left_out = {one.name: one.reason for one in plan.omissions}
    assert set(left_out) == {"lnucb_ta_table7", "lnucb_ta_table7at2500", "lnucb_ta_table7at5000"}
    assert set(left_out.values()) == {
        "data are unavailable (data.use.article is none); yahoo-r6a can be used (Yahoo! Webscope agreement: given out "
        "on request for research, no redistribution)"
    }
    assert not set(left_out) & set(plan.targets)
    assert "lnucb_ta_fig8" in plan.targets


def test_what_has_no_data_cannot_be_asked_for_by_name(root):
    config = {**read_yaml(root / "config.yaml"), "papers": ["lnucb_ta"], "experiments": ["lnucb_ta_table7"]}
    with pytest.raises(InputError, match=r"lnucb_ta_table7 \(experiments\) is not testable here: .*data.use.article"):
        make_plan(config, root)


def test_what_had_no_data_is_planned_once_it_has(root):
    config = overlay(read_yaml(root / "config.yaml"), {"data": {"use": {"article": "yahoo-r6a"}}})
    figures = {figure.name: figure for figure in make_plan({**config, "papers": ["lnucb_ta"]}, root).figures}
    for name, horizon in (("table7at2500", 2_500), ("table7at5000", 5_000), ("table7", 7_500)):
        plays = figures[f"lnucb_ta_{name}"].plays
        assert {play.spec.algorithm for play in plays} == {"linucb", "knn_ucb", "lin_knn_ucb", "lnucb_ta"}
        assert {play.spec.horizon for play in plays} == {horizon}
        assert {play.environment.datasets for play in plays} == {("yahoo-r6a",)}


def test_two_data_sets_share_a_game_of_classes(of_m_cnb):
    both = of_m_cnb.environments["classification-mnist-notmnist-small-user-arm"]
    assert both.datasets == ("mnist", "notmnist-small")
    assert both.arguments == ("--role", "mnist+notmnist", "--user", "arm")


def test_a_network_is_explored_from_both_starts_within_a_budget_of_its_own(root):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml"))
    plays = next(f.plays for f in make_plan(config, root).figures if f.name == "lnucb_ta_fig7")
    assert {play.environment.arguments for play in plays} == {
        ("--role", "astroph", "--start", start) for start in ("walk", "nodes")
    }
    assert {play.spec.horizon for play in plays} == {500}
    assert {play.spec.seeds for play in plays} == {tuple(range(20))}
    with pytest.raises(InputError, match="seen is 2, a share of the nodes"):
        check_settings("exploration", {"seen": 2}, "here")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"families": ["linea"]}, "unknown family of algorithms (families) 'linea': did you mean 'linear'?"),
        ({"algorithms": ["clubb"]}, "unknown algorithm (algorithms) 'clubb': did you mean 'club'?"),
        ({"algorithms": []}, "'all' or a list of algorithms, such as [club, random]"),
        ({"league": ["recomendation"]}, "unknown arena (league) 'recomendation': did you mean 'recommendation'?"),
        ({"device": "gpu"}, "'device' is 'gpu'; did you mean"),
        ({"thread": 2}, "unknown key 'thread'; did you mean 'threads'?"),
        ({"data": {"uses": {}}}, "unknown key 'uses' in 'data'; did you mean 'use'?"),
        ({"settings": {"horizn": 10}}, "unknown key 'horizn' in 'settings'; did you mean 'horizon'?"),
        ({"settings": {"horizon": "long"}}, "'settings.horizon' is 'long'; expected a whole number of rounds"),
        ({"settings": {"seeds": [1, 2]}}, "'settings.seeds' is [1, 2]; expected seeds in quotes"),
        ({"settings": {"seeds": "1-x"}}, "'1-x' is not a list of seeds"),
        ({"settings": {"tuning": "best"}}, "'settings.tuning' is 'best'; did you mean 'best-of-grid'?"),
        ({"settings": {"tuning_seeds": "0-3"}}, "fig1: seeds [0, 1] are both tuning seeds"),
        ({"settings": {"seeds": ""}}, "experiment fig1: seeds '' is not a list of seeds"),
        ({"settings": {"grid": {"alpha": ["big"]}}}, "alpha is 'big', which is not a number"),
        ({"settings": {"grid": {"alpha": [float("inf")]}}}, "alpha is inf, which is not a number"),
        ({"settings": {"grid": {"alpha": [-1]}}}, "alpha is -1; give a value from 0"),
        (
            {"settings": {"grid": {"alfa": [1]}}},
            "no algorithm has the option 'alfa' of the grid; did you mean 'alpha'?",
        ),
        ({"settings": {"grid": {"alpha": []}}}, "expected a list of values"),
        ({"papers": ["m_cbn"]}, "unknown paper (papers) 'm_cbn': did you mean 'm_cnb'?"),
        ({"experiments": ["meta_ban_fig9"]}, "unknown experiment (experiments) 'meta_ban_fig9'"),
        ({"data": {"use": {"movielens": "movielens-1b"}}}, "unknown data set (data.use.movielens) 'movielens-1b'"),
        ({"name": "My Run"}, "'name' is 'My Run'; expected a short name of lower-case letters"),
        ({"threads": 0}, "'threads' is 0; expected a whole number of threads"),
    ],
)
def test_a_bad_configuration_stops_with_the_key_and_the_cure(config, root, change, words):
    with pytest.raises(InputError) as error:
        make_plan(overlay(config, change), root)
    assert words in str(error.value)


def test_a_missing_key_is_named(config, root):
    del config["threads"]
    with pytest.raises(InputError, match="the key 'threads' is missing"):
        make_plan(config, root)


def test_a_role_without_data_names_the_line_to_add(config, root):
    del config["data"]["use"]["movielens"]
    with pytest.raises(InputError, match=r"needs data for 'movielens': add the key to data\.use"):
        make_plan(config, root)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"experiments": {"fig1": {"algorithms": ["clubb"]}}}, "'clubb': did you mean 'club'?"),
        (
            {"experiments": {"fig1": {"bands": "std"}}},
            "unknown key 'bands' in 'experiments.fig1'; did you mean 'band'?",
        ),
        ({"experiments": {"fig1": {"band": "sd"}}}, "'experiments.fig1.band' is 'sd'; did you mean 'std'?"),
        ({"game": "m-cmb"}, "unknown game"),
        (
            {"experiments": {"fig9": {"place": "x", "title": "y", "measurement": "m_cnb_part"}}},
            "did you mean 'm_cnb_parts'?",
        ),
        ({"experiments": {"fig9": {"place": "x", "title": "y"}}}, "'experiments.fig9' is"),
        ({"refrence": "x"}, "unknown key 'refrence'; did you mean 'reference'?"),
    ],
)
def test_a_bad_paper_file_stops_with_the_file_the_key_and_the_cure(config, root, tmp_path, change, words):
    stops_with("meta_ban", config, root, tmp_path, change, words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"with": {"agent": 50}}, "unknown setting of agents"),
        ({"with": {"agents": 3}}, "5 clusters of 3 agents"),
        ({"with": {"agents": "many"}}, "agents is 'many', but a value such as 50 is needed"),
        ({"with": {"population": "cluster"}}, "did you mean 'clusters'?"),
        ({"game": "agent"}, "unknown game"),
        ({"algorithms": [{"cmlb": {"p_star": 2}}]}, "p_star is 2; give a value from 0 to 1"),
        ({"algorithms": [{"cmlb": {"exponent": 0.6}}]}, "exponent is 0.6; give a value from 0 to 0.5"),
        ({"figure": {"kind": "pie"}}, "'experiments.fig1.figure.kind' is 'pie'"),
    ],
)
def test_a_bad_game_of_agents_stops_before_any_job(config, root, tmp_path, change, words):
    wanted = {**config, "papers": ["sclb_pmlb"], "experiments": ["sclb_pmlb_fig1"]}
    stops_with("sclb_pmlb", wanted, root, tmp_path, {"experiments": {"fig1": change}}, words)


def stops_with(paper, config, root, tmp_path, change, words):
    shutil.copytree(root / "workflow", tmp_path / "workflow")
    folder = tmp_path / f"workflow/papers/{paper}"
    save_paper(folder, overlay(read_content(folder), change))
    with pytest.raises(InputError) as error:
        make_plan(config, tmp_path)
    assert words in str(error.value)


def test_a_run_cannot_have_two_grids(config, root, tmp_path):
    other = {"algorithms": [{"club": {"alpha": [5.0]}}]}
    words = "plays CLUB on meta-ban-paper-embedded-ratings with another grid"
    stops_with("meta_ban", {**config, "experiments": "all"}, root, tmp_path, {"experiments": {"fig4": other}}, words)


def test_a_file_that_is_no_yaml_is_named(tmp_path):
    (tmp_path / "x.yaml").write_text("a: [1, 2")
    with pytest.raises(InputError, match=r"x\.yaml cannot be read"):
        read_yaml(tmp_path / "x.yaml")


def test_overlay_changes_only_what_it_names(config):
    before = copy.deepcopy(config)
    after = overlay(config, {"data": {"mirror": "here"}})
    assert after["data"]["use"] == before["data"]["use"]
    assert config == before


def test_regressions_are_planned_a_table_a_regime_and_nothing_is_played(root):
    plan = make_plan({**read_yaml(root / "config.yaml"), "papers": ["rmbandit"]}, root)
    figures = {figure.name: figure for figure in plan.figures}
    assert figures["rmbandit_table1"].inputs == [
        f"regressions/rmbandit/table1-regime-{regime}.parquet" for regime in ("standard", "poor")
    ]
    assert figures["rmbandit_fig1"].inputs == ["regressions/rmbandit/fig1.parquet"]
    arguments = plan.regressions["rmbandit/table1-regime-poor"].arguments()
    assert "regime=poor" in arguments
    assert arguments[arguments.index("--sweep") + 1].startswith("rows=100,200,")
    assert arguments[arguments.index("--seeds") + 1 : arguments.index("--tuning-seeds")] == [*map(str, range(30))]
    linear = {**read_yaml(root / "config.yaml"), "papers": ["rmbandit"], "families": ["linear"]}
    assert not make_plan(linear, root).regressions


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"with": {"desing": "worst"}}, "experiment table1: unknown setting of a regression 'desing'"),
        ({"with": {"design": "best"}}, "unknown design 'best'"),
        ({"with": {"rows": "many"}}, "rows is 'many', but a value such as 400 is needed"),
        ({"regression": {"rows": [50, 400]}}, "50 rows cannot have the covariance I in 100 dimensions"),
        ({"regression": {"rows": [400]}}, "'experiments.table1.regression.rows' is [400]; expected a list of two"),
        ({"regression": {"suport": [1, 2]}}, "unknown setting of a regression 'suport': did you mean 'support'?"),
    ],
)
def test_a_bad_regression_stops_before_any_job(config, root, tmp_path, change, words):
    wanted = {**config, "papers": ["rmbandit"], "experiments": "all"}
    stops_with("rmbandit", wanted, root, tmp_path, {"experiments": {"table1": change}}, words)


def test_settings_of_one_paper_leave_the_others_as_they_are(root):
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/paper-scale.yaml"))
    config |= {"papers": ["meta_ban", "m_cnb", "sclb_pmlb", "rmbandit"]}
    plan = make_plan(config, root)
    horizons = {
        paper: {play.spec.horizon for play in plan.plays.values() if play.name.startswith(f"{paper}/")}
        for paper in plan.papers
    }
    assert horizons["meta_ban"] == {2000, 10_000}  # of images and of ratings
    assert horizons["m_cnb"] == {10_000}
    assert horizons["sclb_pmlb"] >= {1000, 10_000}
    with pytest.raises(InputError, match=r"unknown paper \(per_paper\) 'm_cnbb': did you mean 'm_cnb'"):
        make_plan({**config, "per_paper": {"m_cnbb": {}}}, root)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "claim meta_ban.lead: a claim of kind order needs the key 'than'; add it."),
        ({"off": "x"}, "unknown key 'off' in 'claims.lead'"),
    ],
)
def test_a_claim_is_checked_before_any_job(config, root, tmp_path, change, words):
    claim = {"place": "Figure 1", "says": "it is", "experiment": "fig1", "kind": "order", "of": "Meta-Ban", **change}
    stops_with("meta_ban", config, root, tmp_path, {"claims": {"lead": claim}}, words)
