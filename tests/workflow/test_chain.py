"""The whole chain on tiny inputs: same bytes on one core and two, and after a kill; bad input stops it early."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

PLACES = ("Snakefile", "config.yaml", "configs", "profiles", "workflow", "notebooks")
# Sidecars and pages tell seconds and memory, and so does the table of costs.
VARIES = (".json", ".html", ".log", "cost.csv", "cost.md")


def checkout(root: Path, folder: Path) -> Path:
    folder.mkdir()
    for place in PLACES:
        (shutil.copytree if (root / place).is_dir() else shutil.copy)(root / place, folder / place)
    overlay = folder / "configs/smoke.yaml"
    overlay.write_text(overlay.read_text().replace("protocols: [paper, released]", "protocols: [paper]"))
    return folder


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "snakemake", "--configfile", "configs/smoke.yaml", *arguments]


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    told = {"env": {**os.environ, **environment}, "capture_output": True, "text": True, "timeout": 600}
    return subprocess.run(command(*arguments), cwd=folder, check=False, **told)


def results(folder: Path) -> dict[str, bytes]:
    files = [*folder.glob("artifacts/**/*"), *folder.glob("reports/**/*")]
    kept = [path for path in files if path.is_file() and not path.name.endswith(VARIES)]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}


@pytest.fixture(scope="module")
def whole(root, tmp_path_factory):
    folder = checkout(root, tmp_path_factory.mktemp("chain") / "one")
    (folder.parent / "audit").mkdir()
    places = [str(root / "tests/workflow/audit"), *filter(None, [os.environ.get("PYTHONPATH")])]
    audit = {"AUDIT": str(folder.parent / "audit"), "PYTHONPATH": os.pathsep.join(places)}
    done = run(folder, "--cores", "1", **audit)
    assert done.returncode == 0, done.stderr
    return folder


def declared(folder: Path) -> list[tuple[set[str], set[str]]]:
    """Return the inputs and outputs of every job that makes a file."""
    printed = run(folder, "--cores", "1", "--dry-run", "--forceall").stdout
    found = re.findall(r"^ *rule \w+:\n(?: +input: (.*)\n)? +output: (.*)\n", printed, re.MULTILINE)
    return [(set(inputs.split(", ")), set(outputs.split(", "))) for inputs, outputs in found]


@pytest.mark.slow
def test_jobs_read_and_write_what_they_declare_and_nothing_else(whole):
    jobs, seen = declared(whole), []
    for path in (whole.parent / "audit").glob("*.json"):
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


@pytest.mark.slow
def test_the_chain_makes_figure_table_and_site(whole):
    for name in ("figures/meta_ban_fig1.png", "figures/meta_ban_fig1.svg", "figures/meta_ban_fig1.csv"):
        assert (whole / "reports/smoke" / name).stat().st_size > 1000
    assert "STAND-IN" not in (whole / "reports/smoke/tables/meta_ban_fig1.tex").read_text()
    assert len((whole / "reports/smoke/index.html").read_text()) < 2_000_000
    assert "Stand-in data" in (whole / "reports/smoke/papers/meta_ban.html").read_text()
    for page in (whole / "reports/smoke").rglob("*.html"):
        assert not re.search(r"src=.(http|//)|<link[^>]*href=.(http|//)", page.read_text()), page


@pytest.mark.slow
def test_two_cores_give_the_same_bytes(whole, root, tmp_path):
    folder = checkout(root, tmp_path / "two")
    done = run(folder, "--cores", "2")
    assert done.returncode == 0, done.stderr
    one, two = results(whole), results(folder)
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


@pytest.mark.slow
def test_a_killed_run_goes_on_and_gives_the_same_bytes(whole, root, tmp_path):
    folder = checkout(root, tmp_path / "killed")
    process = subprocess.Popen(
        command("--cores", "1"),
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while not any(folder.glob("artifacts/smoke/runs/*/*/*.parquet")):
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    first = {path: path.stat().st_mtime_ns for path in folder.glob("artifacts/data/tidy/*/*.parquet")}
    done = run(folder, "--cores", "2")
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in first} == first, "finished work was done again"
    one, two = results(whole), results(folder)
    left = [name for name in two if name not in one and not Path(name).name.startswith(".")]
    assert left == []
    assert [name for name in one if one[name] != two.get(name)] == []


@pytest.mark.slow
def test_one_figure_can_be_named_and_a_second_call_does_nothing(whole):
    done = run(whole, "--cores", "1", "--dry-run", "meta_ban_fig1")
    assert done.returncode == 0, done.stderr
    assert "figure" not in done.stdout


@pytest.mark.slow
def test_figures_that_came_with_the_code_are_made_again(whole, tmp_path):
    folder = tmp_path / "committed"
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("runs", ".snakemake"))
    done = run(folder, "--cores", "1", "--dry-run", "meta_ban_fig1")
    assert done.returncode == 0, done.stderr
    assert "rule play" in done.stdout
    assert "rule figure" in done.stdout


@pytest.mark.slow
def test_the_report_of_snakemake_has_figures_and_captions_and_needs_no_network(whole, tmp_path, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody listens
    done = run(whole, "--cores", "1", "--report", str(tmp_path / "report.html"))
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "report.html").read_text()
    for name in ("figures/meta_ban_fig1.png", "tables/meta_ban_fig1.csv", "figures/rmbandit_fig1.png"):
        assert f'"reports/smoke/{name}": {{' in report
    assert "Meta-Ban, Figure 1: regret on MovieLens.</strong>" in report
    assert "reports/smoke/figures/meta_ban_fig1.csv.json" in report
    assert "How this run was made" in report
    assert re.findall(r"""(?:src|href)=["']https?:""", report) == []


@pytest.mark.slow
def test_notebooks_are_made_of_papers_that_have_a_figure(whole):
    done = run(whole, "--cores", "1", "--dry-run", "notebooks")
    assert done.returncode == 0, done.stderr
    made = set(re.findall(r"output: (reports/smoke/notebooks/\w+\.html)", done.stdout))
    assert made == {f"reports/smoke/notebooks/{paper}.html" for paper in ("meta_ban", "rmbandit")}
    assert "rule play" not in done.stdout


def reviewers_copy(whole: Path, folder: Path) -> Path:
    """Return a copy of what is committed after a run: no caches, no data."""
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("artifacts", ".snakemake"))
    return folder


def verified(folder: Path) -> subprocess.CompletedProcess[str]:
    told = [sys.executable, "-m", "manybandits.planning.verify", "smoke", "--cores", "2"]
    return subprocess.run(told, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.slow
def test_all_results_are_made_again_from_packed_run_tables_with_the_same_bytes(whole, tmp_path):
    folder = reviewers_copy(whole, tmp_path / "reviewer")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("reports/**/*.*")}
    done = verified(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "files have the committed bytes" in done.stdout
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("reports/**/*.*")} == before
    assert not (folder / "artifacts/data").exists()
    assert len(list(folder.glob("artifacts/verify/smoke/report/figures/*.svg"))) == 2


@pytest.mark.slow
def test_a_changed_number_in_a_packed_table_is_found_with_all_that_rests_on_it(whole, tmp_path):
    folder = reviewers_copy(whole, tmp_path / "reviewer")
    packed = folder / "reports/smoke/runs/meta_ban.parquet"
    content = parquet.read_table(packed)
    rows = content.to_pandas()
    club = rows["path"].str.endswith("/club.parquet") & (rows["stage"] == "evaluation") & rows["chosen"].eq(True)
    rows.loc[club, "regret"] += 1
    parquet.write_table(pa.Table.from_pandas(rows, content.schema, preserve_index=False), packed)
    (folder / "reports/smoke/tables/rmbandit_fig1.csv").write_text("lost\n")
    done = verified(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"runs/meta_ban\.parquet: the rows of \S+/club\.parquet are not those", done.stdout)
    for file in (
        "figures/meta_ban_fig1.svg: is another",
        "tables/meta_ban_fig1.csv: line",
        "tables/rmbandit_fig1.csv:",
    ):
        assert f"reports/smoke/{file}" in done.stdout
    assert "figures/rmbandit_fig1" not in done.stdout


def test_a_bad_configuration_stops_before_any_job_with_one_sentence(root, tmp_path):
    folder = checkout(root, tmp_path / "bad")
    with (folder / "configs/smoke.yaml").open("a") as file:
        file.write("thread: 2\n")
    done = run(folder, "--cores", "1")
    assert done.returncode != 0
    assert "unknown key 'thread'; did you mean 'threads'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "artifacts").exists()
