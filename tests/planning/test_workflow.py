"""What a run makes, and the list of its jobs: files, arguments, identities; and the prefix of every command."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.datasets.base import TIDY_FILES
from manybandits.papers.claim import Claim
from manybandits.planning.lookup import Lookup, lookups, shell_prefix
from manybandits.planning.plan import Plan, make_plan
from manybandits.planning.record import Job
from manybandits.planning.resources import Resources
from manybandits.planning.workflow import Workflow


def configured(root, *overlays: dict) -> dict:
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))
    for one in overlays:
        config = overlay(config, one)
    return config


def run_of(root, *overlays: dict) -> Workflow:
    config = configured(root, *overlays)
    return Workflow(make_plan(config, root), config)


def jobs_of(run: Workflow, rule: str) -> dict[str, Job]:
    """Return the jobs of a rule, by name."""
    return {job.name: job for job in run.jobs if job.rule.name == rule}


@pytest.fixture(scope="module")
def timed(root) -> Workflow:
    """A figure of what runs cost, and one of which a claim judges that."""
    return run_of(root, {"experiments": ["m_cnb_fig5", "lnucb_ta_fig1a"], "algorithms": "all"})


@pytest.fixture(scope="module")
def small(root) -> Workflow:
    """Two figures, one that is played and one of regressions, and a measurement."""
    return run_of(root, {"experiments": ["meta_ban_fig1", "rmbandit_fig1", "m_cnb_table1"]})


def test_a_figure_stands_for_its_run_tables_and_for_itself_in_every_format(small):
    files = small.evidence_of([small.figures["meta_ban_fig1"]])
    runs = [file for file in files if file.endswith(".parquet")]
    assert runs == small.tables_of(small.figures["meta_ban_fig1"])
    assert set(runs) == {f"reports/smoke/runs/{play.name}.parquet" for play in small.figures["meta_ban_fig1"].plays}
    assert files[len(runs) :] == [
        *(f"reports/smoke/figures/meta_ban_fig1.{ending}" for ending in ("svg", "csv", "csv.json")),
        *(f"reports/smoke/tables/meta_ban_fig1.{ending}" for ending in ("csv", "csv.json", "md", "tex")),
    ]


def test_a_run_table_of_two_figures_is_named_once(root):
    run = run_of(root, {"experiments": ["meta_ban_fig1", "meta_ban_fig2"]})
    files = run.evidence_of(run.plan.figures)
    assert len(files) == len(set(files))


def test_what_a_paper_leaves_open_is_one_of_its_files_if_it_is_listed(small, root, tmp_path, monkeypatch):
    for folder, names in ((root, ["experiments", "claims", "open"]), (tmp_path, ["experiments", "claims"])):
        monkeypatch.chdir(folder)
        assert small.files_of("m_cnb") == [f"workflow/papers/m_cnb/{name}.yaml" for name in names]


def test_a_measurement_stands_for_its_table_and_is_judged_on_it(small):
    table = "reports/smoke/tables/m_cnb_table1.csv"
    assert small.evidence_of(small.plan.measurements) == [table, f"{table}.json", table.replace(".csv", ".md")]
    assert jobs_of(small, "judge")["m_cnb_table1"].inputs == (table, f"{table}.json")


def test_a_measurement_is_made_from_the_games_that_it_times(small):
    games = jobs_of(small, "measurement")["m_cnb_table1"].inputs
    assert [*games] == [f"artifacts/data/environments/{name}.npz" for name in small.environments if "m-cnb-" in name]
    assert len(games) == 1


def test_verdicts_rest_on_run_tables_and_where_nothing_is_swept_on_a_table(small):
    judged = jobs_of(small, "judge")
    assert [*judged["meta_ban_fig1"].inputs] == small.tables_of(small.figures["meta_ban_fig1"])
    assert not small.figures["rmbandit_fig1"].regressions[0].sweeps
    assert judged["rmbandit_fig1"].inputs[0] == "reports/smoke/tables/rmbandit_fig1.csv"


def test_a_figure_is_titled_by_the_verdicts_on_it_unless_they_rest_on_its_own_table(small):
    drawn, verdicts = jobs_of(small, "figure"), "reports/smoke/verdicts/{}.jsonl"
    assert verdicts.format("meta_ban_fig1") in drawn["meta_ban_fig1"].inputs
    assert verdicts.format("meta_ban_fig1") in drawn["meta_ban_fig1"].steps[0]
    assert verdicts.format("rmbandit_fig1") not in drawn["rmbandit_fig1"].inputs  # judged on the table made with it


def test_provenance_is_read_for_a_verdict_on_seconds_or_on_a_table_of_text(small, timed):
    judged = jobs_of(small, "judge")
    assert not [one for one in judged["meta_ban_fig1"].inputs if one.endswith(".json")]
    assert judged["m_cnb_table1"].inputs[1:] == ("reports/smoke/tables/m_cnb_table1.csv.json",)
    tables = timed.tables_of(timed.figures["lnucb_ta_fig1a"])
    assert [*jobs_of(timed, "judge")["lnucb_ta_fig1a"].inputs] == [*tables, *(f"{table}.json" for table in tables)]


def test_what_runs_cost_is_read_for_a_figure_of_seconds_alone(timed):
    drawn = jobs_of(timed, "figure")
    costs = {name: {one for one in drawn[name].inputs if one.endswith(".parquet.json")} for name in drawn}
    assert costs["m_cnb_fig5"] == {f"{table}.json" for table in timed.tables_of(timed.figures["m_cnb_fig5"])} != set()
    assert costs["lnucb_ta_fig1a"] == set()


def test_a_game_is_made_from_all_tidy_files_of_its_data(root):
    used = {"data": {"use": {"amazon-fashion": "amazon-fashion-4000"}}, "algorithms": "all"}
    run = run_of(root, {"experiments": ["m_cnb_fig2", "sclb_pmlb_fig1e", "sclb_pmlb_recovery"]}, used)
    games, folder = jobs_of(run, "environment"), "artifacts/data/tidy/amazon-fashion-4000"
    rated = games["m-cnb-paper-amazon-fashion-4000-context-both"]
    assert rated.inputs == (f"{folder}/ratings.parquet", f"{folder}/features.npz")
    assert f"--tidy {folder} --out" in " ".join(rated.words())
    tagged = games["lastfm-agents-lastfm-hetrec2011-pool-common"]
    assert {Path(file).name for file in tagged.inputs} == set(TIDY_FILES["tags"])
    drawn = games[next(one.name for one in run.environments.values() if not one.datasets)]
    assert (drawn.inputs, "--tidy" in drawn.words()) == ((), False)
    made = {job.rule.name: job.outputs for job in run.jobs if job.rule.step == "tidy"}
    assert made.keys() == {"tidy_ratings", "tidy_ratings_with_features", "tidy_tags"}
    assert {file for game in games.values() for file in game.inputs} <= {
        file for files in made.values() for file in files
    }


def test_the_reason_of_a_claim_changes_nothing_that_is_judged_and_its_number_does(small):
    name = "meta_ban_fig1"
    first, *others = small.plan.claims[name]

    def identities(*claims: Claim) -> tuple[str, str]:
        run = Workflow(replace(small.plan, claims={**small.plan.claims, name: list(claims)}), small.config)
        return jobs_of(run, "judge")[name].identity, jobs_of(run, "verdicts")[""].identity

    judged, gathered = identities(first, *others)
    explained = identities(replace(first, because="of another reason"), *others)
    assert explained[0] == judged
    assert explained[1] != gathered
    assert identities(*others)[0] != judged


def test_the_device_is_one_of_neural_plays_alone(small):
    played = jobs_of(small, "play")
    for play in small.plays.values():
        words = played[play.name].words()
        assert words[:2] == ["manybandits.harness.command_line", play.spec.algorithm]
        assert ("--device" in words) == play.batched
    assert len({play.batched for play in small.plays.values()}) == 2


def test_a_wildcard_matches_every_name_whole_and_nothing_else(root):
    run = run_of(
        root, {"experiments": ["sclb_pmlb_theorem1", "sclb_pmlb_fig1"], "algorithms": "all", "papers": ["sclb_pmlb"]}
    )
    rules = {one.rule.name: one for one in lookups(run)}
    assert rules["environment"].constraints == {"name": ".+"}  # nothing else is made in its folder
    pattern = re.compile(rules["figure"].constraints["name"])
    for name in run.figures:
        assert pattern.fullmatch(name)
        assert not pattern.fullmatch(f"{name}x")
    assert rules["verdicts"].constraints == {}
    with pytest.raises(InputError, match="unknown environment 'agents-agent'"):
        rules["environment"].job({"name": "agents-agent"})


def test_commands_find_this_python_and_the_mirror_that_is_configured(small, tmp_path):
    def printed(run: Workflow, words: str, **environment: str) -> str:
        prefix = shell_prefix(run.config).format()  # as Snakemake does
        done = subprocess.run(
            ["bash", "-euc", prefix + f"echo {words}"],
            env={"PATH": "/usr/bin:/bin", **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    folder = str(Path(sys.executable).parent)
    assert printed(small, "$PATH").startswith(f"{folder}:")
    assert printed(small, "$PATH", APPTAINER_CONTAINER="manybandits.sif") == "/usr/bin:/bin"
    assert printed(small, "${{MANYBANDITS_MIRROR:-none}}".format()) == "none"
    mirrored = Workflow(small.plan, {**small.config, "data": {"mirror": f"{tmp_path}/a b"}})
    assert printed(mirrored, '"$MANYBANDITS_MIRROR"') == f"{tmp_path}/a b"


def test_a_job_that_reads_a_bucket_finds_all_files_of_the_run_in_one_folder_and_raw_data_and_papers_here(small):
    for job in small.jobs:
        first = job.outputs[0]
        assert job.words(first) == job.words()
        moved = [f"b/{word}" if word.startswith(("artifacts/", "reports/")) else word for word in job.words()]
        assert job.words(f"b/{first}") == moved
        assert moved != job.words()
    data = next(job for job in small.jobs if job.rule.step == "tidy").words("b/artifacts/data/tidy/embedded-ratings/x")
    assert data[data.index("--raw") + 1] == "./artifacts/data/raw"


def test_a_job_is_run_again_when_its_words_or_its_code_change(small):
    """Snakemake compares no parameter that depends on outputs, and the words of a job do."""
    (played,) = (one for one in lookups(small) if one.rule.name == "play")
    job = next(iter(jobs_of(small, "play").values()))
    changed = job._replace(steps=((*job.steps[0], "--device", "cuda"),)), job._replace(identity="other")
    found = {Lookup([one], Resources(small.config)).identity({"name": job.name}) for one in (job, *changed)}
    assert len(found) == 3
    assert played.identity({"name": job.name}) in found
    assert list(inspect.signature(played.identity).parameters) == ["wildcards"]


def test_a_run_without_plays_has_neither_costs_nor_league(root):
    run = Workflow(Plan("none"), configured(root))
    assert (run.run_tables, run.league_tables, run.league_file) == ([], [], [])
    assert [job.rule.name for job in run.jobs] == ["verdicts", "page"]


def test_the_site_links_to_notebooks_where_they_are_wanted(root, small):
    assert small.site_notebooks == []
    wanted = Workflow(small.plan, {**small.config, "notebooks": True})
    assert wanted.site_notebooks == [f"reports/smoke/notebooks/{paper}.html" for paper in ("meta_ban", "rmbandit")]


def test_settings_that_replace_those_of_a_paper_are_told_in_words(root):
    own = {"per_paper": {"rmbandit": {"settings": {"horizon": 50}}}}
    run = run_of(root, own)
    told = {name: job.words() for name, job in jobs_of(run, "notebook").items()}
    for paper, horizon in (("meta_ban", 200), ("rmbandit", 50)):
        place = told[paper].index("--scale")
        assert told[paper][place + 1] == f"{horizon} rounds, seeds 0-1, tuning seeds 100"
    unchanged = run_of(root, {"settings": {}})
    unchanged.plan.changes["meta_ban"] = ""
    assert "--scale" not in jobs_of(unchanged, "notebook")["meta_ban"].words()


def test_every_table_is_committed_once_with_its_paper(small):
    tables = {f"{small.report}/{table}": paper for paper, jobs in small.committed.items() for table in jobs}
    made = [f"reports/smoke/regressions/{name}.parquet" for name in small.regressions]
    assert sorted(tables) == sorted([*small.run_tables, *made])
    assert all(path.split("/")[3] == paper for path, paper in tables.items())


def test_what_is_derived_is_all_evidence_and_all_verdicts(small):
    evidence = {file for file in small.evidence_of(small.made.values()) if not file.endswith(".parquet")}
    others = set(small.derived) - evidence
    assert evidence <= set(small.derived)
    verdicts = [f"reports/smoke/verdicts/{name}.jsonl" for name in small.judged]
    tables = ["reports/smoke/tables/cost.csv", small.verdicts, small.headlines, *small.exports, *verdicts]
    assert others == {*tables, *(f"{table}.json" for table in tables), "reports/smoke/tables/cost.md"}


def test_a_run_from_committed_tables_writes_nothing_that_is_committed(root, small):
    again = Workflow(small.plan, {**small.config, "from_tables": True})
    assert not {job.rule.name for job in again.jobs} & {"play", "regression", "measurement"}
    for job in again.jobs:
        assert all(file.startswith("artifacts/verify/") for file in (*job.outputs, job.log))
    assert again.products == again.derived
    assert {Path(file).name for file in again.derived} == {Path(file).name for file in small.derived}


def test_a_run_asks_for_every_file_that_its_jobs_make(small):
    made = [
        *small.site,
        *small.derived,
        *small.run_tables,
        *(f"{one}.json" for one in small.run_tables),
    ]
    assert small.products[0] == "reports/smoke/index.html"
    assert set(made) < set(small.products)
    assert "reports/smoke/regressions/rmbandit/fig1.parquet" in small.products
