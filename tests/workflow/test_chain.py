"""The whole chain on tiny inputs: same bytes on two cores after a kill as on one; bad input stops it early."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from pathlib import Path

import pytest

from manybandits.base.artifacts import load_facts, load_provenance, load_table, provenance_path, save_table, sha256
from manybandits.planning import verify
from manybandits.planning.checkout import checkout_of
from manybandits.planning.resources import FIRST
from tests.chain import checkout, copied, differences, planned, run, started, verified


@pytest.fixture(scope="module")
def whole(finished, tmp_path_factory):
    """A copy of the finished run, of which Snakemake is asked what it would do."""
    return copied(finished, tmp_path_factory.mktemp("chain") / "whole")


def declared(folder: Path) -> list[tuple[set[str], set[str]]]:
    """Return the inputs and outputs of every job that makes a file."""
    printed = planned(folder, "--forceall")
    found = re.findall(r"^ *rule \w+:\n(?: +input: (.*)\n)? +output: (.*)\n", printed, re.MULTILINE)
    return [(set(inputs.split(", ")), set(outputs.split(", "))) for inputs, outputs in found]


def test_jobs_read_and_write_what_they_declare_and_nothing_else(finished, whole):
    jobs, seen = declared(whole), []
    for path in (finished.parent / "audit").glob("*.json"):
        process = json.loads(path.read_text())
        read, written = set(process["read"]), set(process["written"])
        mine = [job for job in jobs if job[1] & written]
        if not mine or len(mine) > 1:  # Snakemake itself, or a process that makes nothing
            continue
        ((inputs, outputs),) = mine
        assert written <= outputs, f"{process['command']} writes what it does not declare"
        beside = {f"{path}.json" for path in inputs}  # read if it is there, to check the SHA-256 of an input
        assert read <= inputs | outputs | beside, f"{process['command']} reads what it does not declare"
        seen.append(outputs)
    assert len(seen) == len(jobs) > 10


def test_the_chain_makes_figure_table_and_site(finished):
    for name in ("figures/meta_ban_fig1.svg", "figures/meta_ban_fig1.csv"):
        assert (finished / "reports/tiny" / name).stat().st_size > 1000
    assert "STAND-IN" not in (finished / "reports/tiny/tables/meta_ban_fig1.tex").read_text()
    assert len((finished / "reports/tiny/index.html").read_text()) < 2_000_000
    assert "Other data replace the paper" in (finished / "reports/tiny/papers/meta_ban.html").read_text()
    for page in (finished / "reports/tiny").rglob("*.html"):
        assert not re.search(r"src=.(http|//)|<link[^>]*href=.(http|//)", page.read_text()), page


def test_a_killed_run_goes_on_upon_two_cores_and_gives_the_bytes_of_one_on_one_core(finished, root, tmp_path):
    folder = checkout(root, tmp_path / "killed")
    with started(folder) as process:
        deadline = time.monotonic() + 300
        while not any(folder.glob("reports/tiny/runs/*/*/[!.]*.parquet")):
            assert process.poll() is None, "the run ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.05)
    first = {path: path.stat().st_mtime_ns for path in folder.glob("artifacts/data/tidy/*/*.parquet")}
    assert first
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in first} == first, "finished work was done again"
    tables = [*folder.glob("reports/tiny/runs/*/*/[!.]*.parquet")]  # a killed job leaves files that begin with a dot
    threads = {load_provenance(path)["made_on"]["threads"] for path in tables}
    assert threads == {1}, "a play has the cores that the plan gives it, and not all of the run"
    assert differences(finished, folder) == []


def test_plays_start_after_all_that_others_wait_for(whole):
    told = re.findall(r"rule (\w+):(?:\n .*)*?\n +priority: (.*)", planned(whole, "--forceall"))
    assert {"environment", "figure", "page"} <= {rule for rule, priority in told if priority == str(FIRST)}
    assert all(0 < float(priority) < FIRST for rule, priority in told if rule == "play")
    assert "play" in dict(told)


def test_one_figure_can_be_named_and_a_second_call_does_nothing(whole):
    assert "figure" not in planned(whole, "meta_ban_fig1")


def test_figures_that_came_with_the_code_are_made_again(whole, tmp_path):
    folder = tmp_path / "committed"
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("runs", ".snakemake"))
    printed = planned(folder, "meta_ban_fig1")
    assert "rule play" in printed
    assert "rule figure" in printed


def test_the_report_of_snakemake_has_figures_and_captions_and_needs_no_network(whole, tmp_path, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody listens
    done = run(whole, "--report", str(tmp_path / "report.html"))
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "report.html").read_text()
    for name in ("figures/meta_ban_fig1.svg", "tables/meta_ban_fig1.csv", "figures/rmbandit_fig1.svg"):
        assert f'"reports/tiny/{name}": {{' in report
    assert "Meta-Ban, Figure 1: regret on MovieLens.</strong>" in report
    assert "reports/tiny/figures/meta_ban_fig1.csv.json" in report
    assert "How this run was made" in report
    assert re.findall(r"""(?:src|href)=["']https?:""", report) == []


def test_notebooks_are_made_of_papers_that_have_a_figure(whole):
    printed = planned(whole, "notebooks")
    made = set(re.findall(r"output: (reports/tiny/notebooks/\w+\.html)", printed))
    assert made == {f"reports/tiny/notebooks/{paper}.html" for paper in ("meta_ban", "rmbandit")}
    assert "rule play" not in printed


def test_all_results_are_made_again_from_run_tables_with_the_same_bytes(finished, tmp_path):
    folder = tmp_path / "reviewer"  # what is committed after a run: no caches, no data
    shutil.copytree(finished, folder, ignore=shutil.ignore_patterns("artifacts", ".snakemake"))
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("reports/**/*.*")}
    done = verified(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "files have the committed bytes" in done.stdout
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("reports/**/*.*")} == before
    assert not (folder / "artifacts/data").exists()
    derived = folder / "artifacts/verify/reports/tiny"
    assert len(list(derived.glob("figures/*.svg"))) == 2
    for page in ("index.html", "papers/rmbandit.html"):
        assert (derived / page).read_bytes() == (folder / "reports/tiny" / page).read_bytes()


def test_between_releases_numbers_and_what_the_readme_shows_are_committed_and_verified(finished, tmp_path, monkeypatch):
    folder = tmp_path / "reviewer"
    shutil.copytree(finished, folder, ignore=shutil.ignore_patterns("artifacts", ".snakemake", "*.html", "*.js"))
    for kind in ("figures", "verdicts", "papers", "algorithms", "charts", "assets"):
        shutil.rmtree(folder / "reports/tiny" / kind)
    (folder / "reports/tiny/site.json").unlink()
    done = verified(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Its site is artifacts/verify/reports/tiny/index.html" in done.stdout
    assert (folder / "artifacts/verify/reports/tiny/index.html").is_file()
    (folder / "reports/tiny/front.md").write_text("lost\n")
    (folder / "reports/tiny/tables/rmbandit_fig1.csv").unlink()
    monkeypatch.chdir(folder)
    run = checkout_of("tiny").from_tables().run
    front, table = verify.compare(run, [*run.derived, *run.site], verify.FOLDERS)
    assert front.startswith("reports/tiny/front.md: line 1: lost committed")
    assert table == "reports/tiny/tables/rmbandit_fig1.csv: is made, but not committed"


def test_pages_that_were_edited_or_are_of_an_older_build_are_found(finished, tmp_path, monkeypatch):
    folder = copied(finished, tmp_path / "edited")
    (folder / "reports/tiny/rules.html").write_text("lost\n")
    (folder / "reports/tiny/papers/old.html").write_text("of an older build\n")
    monkeypatch.chdir(folder)
    checkout = checkout_of("tiny")
    run = checkout.from_tables().run
    pages, failed = verify.make_site(checkout.run, run)
    assert failed == ""
    edited, old = verify.compare(run, pages, verify.SITE)
    assert old == "reports/tiny/papers/old.html: is committed, but nothing makes it"
    assert edited.startswith("reports/tiny/rules.html: line 1: lost committed, <!doctype html> derived (and")


def test_a_changed_number_in_a_run_table_is_found_with_all_that_rests_on_it(finished, tmp_path):
    folder = copied(finished, tmp_path / "changed")
    (club,) = folder.glob("reports/tiny/runs/meta_ban/*/club.parquet")
    rows, facts, whole = load_table(club), load_facts(club), club.read_bytes()
    rows.loc[(rows["stage"] == "evaluation") & rows["chosen"], "regret"] += 1
    save_table(club, rows, facts, small=True)
    done = verified(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"runs/meta_ban/\S+/club\.parquet is damaged \(its SHA-256 is not", done.stdout)
    beside = provenance_path(club)
    beside.write_text(beside.read_text().replace(hashlib.sha256(whole).hexdigest(), sha256(club)))
    (folder / "reports/tiny/tables/rmbandit_fig1.csv").write_text("lost\n")
    done = verified(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    for file in (
        "figures/meta_ban_fig1.svg: is another",
        "tables/meta_ban_fig1.csv: line",
        "tables/rmbandit_fig1.csv:",
    ):
        assert f"reports/tiny/{file}" in done.stdout
    assert re.search(r"reports/tiny: its pages could not be made again: error: .*fig1\.csv .*repair", done.stdout)
    assert "figures/rmbandit_fig1" not in done.stdout
    alone = verified(folder, "--paper", "rmbandit")
    assert alone.returncode == 1, alone.stdout + alone.stderr
    assert re.findall(r"reports/tiny/\S+: (?!making)", alone.stdout) == ["reports/tiny/tables/rmbandit_fig1.csv: "]
    unknown = verified(folder, "--paper", "rmbandits")
    assert "unknown paper of the run 'rmbandits': did you mean 'rmbandit'?" in unknown.stderr


def test_a_bad_configuration_stops_before_any_job_with_one_sentence(root, tmp_path):
    folder = checkout(root, tmp_path / "bad")
    with (folder / "configs/chain.yaml").open("a") as file:
        file.write("thread: 2\n")
    done = run(folder)
    assert done.returncode != 0
    assert "unknown key 'thread'; did you mean 'threads'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "artifacts").exists()


def test_another_workflow_can_use_this_one_and_makes_the_same_files(root, tmp_path):
    folder = checkout(root, tmp_path / "run")
    (folder / "other.smk").write_text(
        'configfile: "config.yaml"\n\n\nmodule manybandits:\n    snakefile:\n        "workflow/Snakefile"\n'
        "    config:\n        config\n\n\nuse rule * from manybandits\n"
    )
    made = [
        sorted(line for line in planned(folder, "--snakefile", name).split("\n") if line.startswith("    output:"))
        for name in ("Snakefile", "workflow/Snakefile", "other.smk")
    ]
    assert made[0]
    assert made[0] == made[1] == made[2]
