"""What rules ask of a run: files, arguments, digests; and the two prefixes of every command."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import overlay, read_yaml
from manybandits.datasets.base import TIDY_FILES
from manybandits.papers.claim import Claim
from manybandits.planning.plan import Plan, make_plan
from manybandits.planning.shell_prefix import shell_prefix
from manybandits.planning.workflow import Run


class Wildcards(SimpleNamespace):
    """Wildcards of a job, which are asked for by name and by place."""

    def __getitem__(self, place: int) -> str:
        return list(vars(self).values())[place]


def configured(root, *overlays: dict) -> dict:
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))
    for one in overlays:
        config = overlay(config, one)
    return config


def run_of(root, *overlays: dict) -> Run:
    config = configured(root, *overlays)
    return Run(make_plan(config, root), config)


@pytest.fixture(scope="module")
def timed(root) -> Run:
    """A figure of what runs cost, and one of which a claim judges that."""
    return run_of(root, {"experiments": ["m_cnb_fig5", "lnucb_ta_fig1a"], "algorithms": "all"})


@pytest.fixture(scope="module")
def small(root) -> Run:
    """Two figures, one that is played and one of regressions, and a measurement."""
    return run_of(root, {"experiments": ["meta_ban_fig1", "rmbandit_fig1", "m_cnb_table1"]})


def test_a_figure_stands_for_its_run_tables_and_for_itself_in_every_format(small):
    files = small.evidence_of([small.figures["meta_ban_fig1"]])
    runs = [file for file in files if file.endswith(".parquet")]
    assert runs == small.runs_of(Wildcards(figure="meta_ban_fig1"))
    assert set(runs) == {f"artifacts/smoke/runs/{play.name}.parquet" for play in small.figures["meta_ban_fig1"].plays}
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
    assert small.judged_on(Wildcards(judged="m_cnb_table1")) == [table]


def test_a_measurement_is_made_from_the_games_that_it_times(small):
    games = small.timed_games(Wildcards(measurement="m_cnb_table1"))
    assert games == [f"artifacts/data/environments/{name}.npz" for name in small.environments if "m-cnb-" in name]
    assert len(games) == 1


def test_verdicts_rest_on_run_tables_and_where_nothing_is_swept_on_a_table(small):
    judged = Wildcards(judged="meta_ban_fig1")
    assert small.judged_on(judged) == small.runs_of(Wildcards(figure="meta_ban_fig1"))
    assert not small.figures["rmbandit_fig1"].regressions[0].sweeps
    assert small.judged_on(Wildcards(judged="rmbandit_fig1")) == ["reports/smoke/tables/rmbandit_fig1.csv"]


def test_a_figure_is_titled_by_the_verdicts_on_it_unless_they_rest_on_its_own_table(small):
    assert small.verdicts_on(Wildcards(figure="meta_ban_fig1")) == ["reports/smoke/verdicts/meta_ban_fig1.jsonl"]
    assert small.verdicts_on(Wildcards(figure="rmbandit_fig1")) == []  # judged on the table that is made with it


def test_provenance_is_read_for_a_verdict_on_seconds_or_on_a_table_of_text(small, timed):
    assert small.judged_beside(Wildcards(judged="meta_ban_fig1")) == []
    assert small.judged_beside(Wildcards(judged="m_cnb_table1")) == ["reports/smoke/tables/m_cnb_table1.csv.json"]
    figure = Wildcards(figure="lnucb_ta_fig1a", judged="lnucb_ta_fig1a")
    assert timed.judged_beside(figure) == [f"{table}.json" for table in timed.runs_of(figure)] != []


def test_what_runs_cost_is_read_for_a_figure_of_seconds_alone(timed):
    figure = Wildcards(figure="m_cnb_fig5")
    assert timed.costs_of(figure) == [f"{table}.json" for table in timed.runs_of(figure)] != []
    assert timed.costs_of(Wildcards(figure="lnucb_ta_fig1a")) == []


def test_a_game_is_made_from_all_tidy_files_of_its_data(root):
    used = {"data": {"use": {"amazon-fashion": "amazon-fashion-4000"}}, "algorithms": "all"}
    run = run_of(root, {"experiments": ["m_cnb_fig2", "sclb_pmlb_fig1e", "sclb_pmlb_recovery"]}, used)
    rated = Wildcards(environment="m-cnb-paper-amazon-fashion-4000")
    folder = "artifacts/data/tidy/amazon-fashion-4000"
    assert run.inputs.tidy_tables(rated) == [f"{folder}/ratings.parquet", f"{folder}/features.npz"]
    assert run.inputs.tidy_folders(["bucket/tidy/a/x", "bucket/tidy/a/y"]) == ["--tidy", "bucket/tidy/a"]
    tagged = run.inputs.tidy_tables(Wildcards(environment="lastfm-agents-lastfm-hetrec2011-pool-common"))
    assert {Path(file).name for file in tagged} == set(TIDY_FILES["tags"])
    drawn = next(one.name for one in run.environments.values() if not one.datasets)
    assert run.inputs.tidy_folders(run.inputs.tidy_tables(Wildcards(environment=drawn))) == []
    files = {kind: {data.tidy_files for data in alike} for kind, alike in run.inputs.kinds.items()}
    assert set(files) == {"ratings", "ratings_with_features", "tags"}
    assert all(len(alike) == 1 for alike in files.values())


def test_the_reason_of_a_claim_changes_nothing_that_is_judged_and_its_number_does(small):
    job, name = Wildcards(judged="meta_ban_fig1"), "meta_ban_fig1"
    first, *others = small.plan.claims[name]

    def with_claims(*claims: Claim) -> Run:
        plan = replace(small.plan, claims={**small.plan.claims, name: list(claims)})
        return Run(plan, small.config)

    explained = with_claims(replace(first, because="of another reason"), *others)
    assert explained.claims_about(job) == small.claims_about(job)
    assert explained.all_claims != small.all_claims
    assert with_claims(*others).claims_about(job) != small.claims_about(job)


def test_the_device_is_one_of_neural_plays_alone(small):
    for play in small.plays.values():
        paper, environment, algorithm = play.name.split("/")
        command = small.play_command(Wildcards(paper=paper, environment=environment, algorithm=algorithm))
        assert command[0] == play.module
        assert ("--device" in command) == play.batched


def test_a_wildcard_matches_every_name_whole_and_nothing_else(root):
    run = run_of(root, {"experiments": ["sclb_pmlb_theorem1"], "algorithms": "all", "papers": ["sclb_pmlb"]})
    pattern = re.compile(run.constraints["environment"])
    for name in run.environments:
        assert pattern.fullmatch(name)
        assert "." not in name or not pattern.fullmatch(name.replace(".", "x"))
    assert run.constraints["measurement"] == "none"


def test_commands_find_this_python_and_the_mirror_that_is_configured(small, tmp_path):
    def printed(run: Run, words: str, **environment: str) -> str:
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
    mirrored = Run(small.plan, {**small.config, "data": {"mirror": f"{tmp_path}/a b"}})
    assert printed(mirrored, '"$MANYBANDITS_MIRROR"') == f"{tmp_path}/a b"


def test_files_beside_the_verdicts_are_where_a_job_finds_these(small):
    assert small.beside_verdicts(small.verdicts, ["reports/a", "artifacts/b"]) == ["reports/a", "artifacts/b"]
    copied = f".snakemake/storage/s3/bucket/{small.verdicts}"
    assert small.beside_verdicts(copied, ["reports/a"]) == [".snakemake/storage/s3/bucket/reports/a"]


def test_a_run_without_plays_has_neither_costs_nor_league(root):
    run = Run(Plan("none"), configured(root))
    assert (run.run_tables, run.league_tables, run.league_file) == ([], [], [])
    assert (run.figure_stems, run.table_stems, run.inputs.kinds) == ([], [], {})


def test_the_site_links_to_notebooks_where_they_are_wanted(root, small):
    assert small.site_notebooks == []
    wanted = Run(small.plan, {**small.config, "notebooks": True})
    assert wanted.site_notebooks == [f"reports/smoke/notebooks/{paper}.html" for paper in ("meta_ban", "rmbandit")]


def test_settings_that_replace_those_of_a_paper_are_told_in_words(root):
    own = {"per_paper": {"rmbandit": {"settings": {"horizon": 50}}}}
    run = run_of(root, own)
    assert run.changes_of(Wildcards(notebook="meta_ban")) == ["--scale", "horizon 200, seeds 0-1, tuning_seeds 100"]
    assert run.changes_of(Wildcards(notebook="rmbandit")) == ["--scale", "horizon 50, seeds 0-1, tuning_seeds 100"]
    unchanged = run_of(root, {"settings": {}})
    unchanged.plan.changes["meta_ban"] = ""
    assert unchanged.changes_of(Wildcards(notebook="meta_ban")) == []


def test_every_table_and_measurement_is_packed_once_with_its_paper(small):
    tables = [table for pack in small.packed for table in small.tables_in(pack)]
    made = [f"artifacts/smoke/regressions/{name}.parquet" for name in small.regressions]
    assert sorted(tables) == sorted([*small.run_tables, *made])
    assert small.measured_in("m_cnb", ".csv") == ["reports/smoke/tables/m_cnb_table1.csv"]
    assert {file for file in small.packed_files if file.endswith(".parquet")} == {
        f"reports/smoke/runs/{pack}.parquet" for pack in ("meta_ban", "m_cnb", "rmbandit")
    }


def test_what_is_derived_is_all_evidence_and_all_verdicts(small):
    evidence = {file for file in small.evidence_of(small.made.values()) if file.startswith("reports")}
    others = set(small.derived) - evidence
    assert evidence <= set(small.derived)
    verdicts = [f"reports/smoke/verdicts/{name}.jsonl" for name in small.judged]
    tables = ["reports/smoke/tables/cost.csv", small.verdicts, small.headlines, *small.exports, *verdicts]
    assert others == {*tables, *small.beside(tables), "reports/smoke/tables/cost.md"}


def test_a_run_from_packed_tables_writes_nothing_that_is_committed(root, small):
    again = Run(small.plan, {**small.config, "from_packs": True})
    written = [*again.derived, *again.run_tables, *again.tables_in("meta_ban"), *again.measured_in("m_cnb", ".md")]
    for file in written:
        assert re.match(r"artifacts/verify/(artifacts|reports)/smoke/", file)
    assert again.packed_files == small.packed_files
    assert again.products == again.derived


def test_a_run_asks_for_every_file_that_its_jobs_make(small):
    made = [*small.site, *small.derived, *small.run_tables, *small.packed_files, *small.beside(small.run_tables)]
    assert small.products[0] == "reports/smoke/index.html"
    assert set(made) < set(small.products)
    assert "artifacts/smoke/regressions/rmbandit/fig1.parquet" in small.products
