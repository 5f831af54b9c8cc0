"""What rules ask of a run: files, arguments, digests; and the two prefixes of every command."""

from __future__ import annotations

import re
import subprocess
from types import SimpleNamespace

import pytest

from manybandits.base.configuration import overlay, read_yaml
from manybandits.planning.plan import Plan, make_plan
from manybandits.planning.workflow import PLAY_MEMORY, Run


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
def small(root) -> Run:
    """Two figures, one that is played and one of regressions, and a measurement."""
    return run_of(root, {"experiments": ["meta_ban_fig1", "rmbandit_fig1", "m_cnb_table1"]})


def test_a_figure_stands_for_its_run_tables_and_for_itself_in_every_format(small):
    files = small.evidence_of([small.figures["meta_ban_fig1"]])
    runs = [file for file in files if file.endswith(".parquet")]
    assert runs == small.runs_of(Wildcards(figure="meta_ban_fig1"))
    assert set(runs) == {f"artifacts/smoke/runs/{play.name}.parquet" for play in small.figures["meta_ban_fig1"].plays}
    assert files[len(runs) :] == [
        *(f"reports/smoke/figures/meta_ban_fig1.{ending}" for ending in ("png", "svg", "csv")),
        *(f"reports/smoke/tables/meta_ban_fig1.{ending}" for ending in ("csv", "md", "tex")),
    ]


def test_a_run_table_of_two_figures_is_named_once(root):
    run = run_of(root, {"experiments": ["meta_ban_fig1", "meta_ban_fig2"]})
    files = run.evidence_of(run.plan.figures)
    assert len(files) == len(set(files))


def test_a_measurement_stands_for_its_table_and_is_judged_on_it(small):
    table = ["reports/smoke/tables/m_cnb_table1.csv"]
    assert small.evidence_of(small.plan.measurements) == table
    assert small.judged_on(Wildcards(judged="m_cnb_table1")) == table


def test_verdicts_rest_on_run_tables_and_where_nothing_is_swept_on_a_table(small):
    judged = Wildcards(judged="meta_ban_fig1")
    assert small.judged_on(judged) == small.runs_of(Wildcards(figure="meta_ban_fig1"))
    assert not small.figures["rmbandit_fig1"].regressions[0].sweeps
    assert small.judged_on(Wildcards(judged="rmbandit_fig1")) == ["reports/smoke/tables/rmbandit_fig1.csv"]


def test_the_reason_of_a_claim_changes_nothing_that_is_judged_and_its_number_does(small):
    config = small.config
    job = Wildcards(judged="meta_ban_fig1")
    before, gathered = small.claims_about(job), small.all_claims
    claims = small.plan.claims["meta_ban_fig1"]
    kept = list(claims)
    try:
        object.__setattr__(claims[0], "because", "of another reason")
        assert Run(small.plan, config).claims_about(job) == before
        assert Run(small.plan, config).all_claims != gathered
        claims.pop()
        assert Run(small.plan, config).claims_about(job) != before
    finally:
        claims[:] = kept
        object.__setattr__(claims[0], "because", "")


def test_the_device_is_one_of_neural_plays_alone(small):
    for play in small.plays.values():
        paper, environment, algorithm = play.name.split("/")
        command = small.play_command(Wildcards(paper=paper, environment=environment, algorithm=algorithm))
        assert command[0] == play.module
        assert ("--device" in command) == play.batched


def test_a_play_is_given_room_for_its_batch_and_more_when_it_is_tried_again(root):
    run = run_of(root, {"memory": 3 * 2**30})
    assert run.play_memory(None, 1) == PLAY_MEMORY + 3 * 1024
    assert run.play_memory(None, 2) == 2 * run.play_memory(None, 1)


def test_a_wildcard_matches_every_name_whole_and_nothing_else(root):
    run = run_of(root, {"experiments": ["sclb_pmlb_theorem1"], "algorithms": "all", "papers": ["sclb_pmlb"]})
    pattern = re.compile(run.constraints["environment"])
    for name in run.environments:
        assert pattern.fullmatch(name)
        assert "." not in name or not pattern.fullmatch(name.replace(".", "x"))
    assert run.constraints["measurement"] == "none"


def test_commands_find_this_python_and_the_mirror_that_is_configured(small, tmp_path):
    import sys
    from pathlib import Path

    def printed(run: Run, words: str, **environment: str) -> str:
        prefix = run.shell_prefix.format()  # as Snakemake does
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
    assert printed(small, "$PATH", APPTAINER_CONTAINER="x.sif") == "/usr/bin:/bin"
    assert printed(small, "${{MANYBANDITS_MIRROR:-none}}".format()) == "none"
    mirrored = Run(small.plan, {**small.config, "data": {"mirror": f"{tmp_path}/a b"}})
    assert printed(mirrored, '"$MANYBANDITS_MIRROR"') == f"{tmp_path}/a b"


def test_a_run_without_plays_has_neither_costs_nor_league(root):
    run = Run(Plan("none"), configured(root))
    assert (run.run_tables, run.league_tables, run.league_file) == ([], [], [])
    assert (run.figure_stems, run.table_stems, run.site_evidence) == ([], [], [])


def test_the_site_links_to_notebooks_where_they_are_wanted(root, small):
    assert small.site_notebooks == []
    wanted = Run(small.plan, {**small.config, "notebooks": True})
    assert wanted.site_notebooks == [f"reports/smoke/notebooks/{paper}.html" for paper in ("meta_ban", "rmbandit")]


def test_settings_that_replace_those_of_a_paper_are_told_in_words(root):
    own = {"per_paper": {"rmbandit": {"settings": {"horizon": 50}}}}
    run = run_of(root, own)
    assert run.scale_of("meta_ban") == ["--scale", "horizon 200, seeds 0-1, tuning_seeds 100"]
    assert run.scale_of("rmbandit") == ["--scale", "horizon 50, seeds 0-1, tuning_seeds 100"]
    assert Run(run.plan, {}).scale_of("meta_ban") == []
