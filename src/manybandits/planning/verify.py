"""Make all files of committed runs again from their run tables, and compare the bytes.

    python -m manybandits.planning.verify paper-scale --cores 2
    python -m manybandits.planning.verify paper-scale --paper meta_ban

Nothing is downloaded or played. The rules of the workflow make each figure, table, verdict and notebook again below
``artifacts/verify``, and nothing in ``reports`` is written. The pages of the site show seconds and machines, which no
two runs share; a committed site is made of the committed files, which are compared themselves. What is in `COMMITTED`
must be there, all else is compared where it is. Every file that differs is named, with the first difference. Exit
status: 0 if all bytes are equal, 1 if some file differs or a run table is missing or damaged, 2 for a wrong argument.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from manybandits.base.artifacts import check_bytes, load_provenance, provenance_path
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.base.printing import print_json
from manybandits.claims.verdict_files import VERDICTS
from manybandits.planning.checkout import Checkout, checkout_of
from manybandits.planning.differences import difference
from manybandits.planning.options import add_verify_options
from manybandits.planning.running import hold
from manybandits.planning.workflow import VERIFIED, Workflow

COMMITTED = ("tables", "readings", "verdicts.jsonl", "verdicts.csv", "headlines.jsonl", "headlines.csv", "readings.csv")
"""The folders and files of a report that are always committed, with its run tables: its numbers.

Figures, notebooks and pages are large, and each of them follows from these: they are committed with a release alone.
"""
TABLES = ("runs", "regressions")
"""The folders of a report of which all else is made."""
FOLDERS = ("figures", "tables", "verdicts", "readings", "notebooks")
"""The folders of a report of which every file is derived."""
SITE = ("papers", "algorithms", "charts", "assets")
"""The folders of a report that have pages of the site, and what these load."""
CURE = "get it again from version control, or play it again"
DRAWN_BY = ("numpy", "scipy", "pandas", "pyarrow", "matplotlib")
"""The packages whose versions may change the bytes of what is derived."""


def committed_runs(root: Path) -> list[str]:
    """Return the names of the runs in ``reports`` whose run tables, or tables of readings, are there.

    A run of which no verdicts are there was committed before it ended.
    """
    held = [path.parent for path in (root / "reports").glob(f"*/{VERDICTS}")]
    tables = "runs/*/*/*.parquet", "readings/*.csv"
    return sorted(path.name for path in held if any(any(path.glob(one)) for one in tables))


def faults_of(run: Workflow, tables: Sequence[str]) -> list[str]:
    """Return which run tables of a run are missing or not as they were written, one sentence each."""
    faults, missing = [], []
    for table in tables:
        path = Path(run.kept, table)
        if not path.is_file():
            missing.append(table)
        elif not provenance_path(path).is_file():
            faults.append(f"{path}.json is missing, which proves the table: {CURE}.")
        else:
            try:
                check_bytes(path, CURE)
            except InputError as error:
                faults.append(str(error))
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        faults.append(
            f"{run.kept} lacks {missing[0]}{more}: it was committed before the run ended (make resume), or the "
            "configuration or the experiments were edited since; run them again, or verify the commit that has them."
        )
    return faults


def derive(again: Checkout, cores: int, files: Sequence[str] = ()) -> str:
    """Make files of a run from its run tables with the rules of the workflow; return why Snakemake failed.

    files: those that are made; all if none is named. Returns "" if all are made.
    """
    run = again.run
    for folder in (run.work, run.report):
        shutil.rmtree(folder, ignore_errors=True)
    for tables in TABLES:
        if (kept := Path(run.kept, tables)).is_dir():
            Path(run.report).mkdir(parents=True, exist_ok=True)
            Path(run.report, tables).symlink_to(kept.resolve())
    return again.snakemake(cores, "--config", "from_tables=True", *(["--", *files] if files else []))


def make_site(run: Workflow, again: Workflow) -> tuple[list[str], str]:
    """Make the pages of a site again of which some are committed; return the pages, and why that failed.

    again: the run from committed run tables, beside whose files they are written. They are made of these if nothing of
    the site is committed but what README.md shows, and else of the committed files.
    """
    if not any(Path(page).is_file() for page in run.site):
        return [], ""
    whole = Path(run.page).is_file()
    made = run if whole else again
    (page,) = (job for job in made.jobs if job.rule.name == "page")
    command = [sys.executable, "-m", *page.steps[0], *(["--again", again.report] if whole else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (again.site, "") if done.returncode == 0 else ([], done.stderr.strip().rpartition("\n")[2])


def compare(run: Workflow, files: Sequence[str], folders: Sequence[str], paper: str = "") -> list[str]:
    """Return how the files that were made differ from the committed ones, one sentence each.

    folders: those of the report that should have no other files, or no others about a paper.
    """
    report = Path(run.kept)
    wanted = {file.removeprefix(f"{run.report}/") for file in files}
    faults = []
    for file in sorted(wanted):
        committed, derived = report / file, Path(run.report, file)
        if not (committed.is_file() or _is_always_committed(file)):
            continue
        if found := difference(committed, derived):
            told = f": {log}" if not derived.is_file() and (log := _log(run, file)) else ""
            faults.append(f"{committed}: {found}{told}")
    for folder in folders:
        for path in sorted((report / folder).rglob("*")):
            file = str(path.relative_to(report))
            if path.is_file() and _is_about(paper, file) and file not in wanted:
                faults.append(f"{path}: is committed, but nothing makes it")
    return faults


def other_versions(run: Workflow) -> str:
    """Return which packages have other versions than those that made the committed files, in words; "" if none."""
    try:
        made = load_provenance(Path(run.kept, VERDICTS))["made_on"]["packages"]
    except (InputError, KeyError):
        return ""
    pairs = {name: (made.get(name), metadata.version(name)) for name in DRAWN_BY}
    return "; ".join(
        f"{name} {before} made the committed files, {now} is installed"
        for name, (before, now) in pairs.items()
        if before and before != now
    )


def verify(name: str, cores: int, paper: str = "") -> list[str]:
    """Verify a run, or one of its papers, and say on stdout what was found.

    Returns the differences and faults, one sentence each. Of one paper, the figures, tables and verdicts of its
    experiments are compared; those that several papers share, and pages, need the whole run.
    """
    started = time.monotonic()
    checkout = checkout_of(name)
    again = checkout.from_tables()
    run = again.run
    if paper:
        pick(paper, [name for name in run.committed if name in run.plan.papers], "paper of the run")
    tables = [table for name in run.committed for table in run.committed[name] if paper in ("", name)]
    if faults := faults_of(run, tables):
        _say(f"{name}: its run tables cannot be used.", faults)
        return faults
    files = [file for file in run.derived if _is_about(paper, file)]
    _say(f"{name}: making {len(files)} files from {len(tables)} run tables on {cores} cores ...")
    failed = derive(again, cores, files if paper else ())
    pages, unmade = ([], "") if paper else make_site(checkout.run, run)
    compared, folders = [*files, *pages], [*FOLDERS, *(SITE if pages else ())]
    faults = compare(run, compared, folders, paper)
    if failed and not faults:
        faults.append(f"Snakemake failed: {' '.join(failed.split())[-300:]}")
    if unmade:
        faults.append(f"{run.kept}: its pages could not be made again: {unmade}")
    spent = f"{time.monotonic() - started:.0f} s"
    if not faults:
        site = [f"Its site is {run.page}."] if pages else []
        _say(f"{name}: all {len(compared)} files have the committed bytes ({spent}).", site)
        return []
    _say(f"{name}: {len(faults)} differences in {len(compared)} files ({spent}).", faults)
    if versions := other_versions(run):
        _say(f"  Versions alone may explain differences: {versions}.")
    _say(f"  What was made is in {run.report}; a file that is committed from there takes its .json along.")
    return faults


def _is_always_committed(file: str) -> bool:
    """Return whether a file of a report is one of `COMMITTED`, or the provenance of one."""
    return Path(file).parts[0].removesuffix(".json") in COMMITTED


def _is_about(paper: str, file: str) -> bool:
    """Return whether a file is about an experiment of a paper; "": of any."""
    return not paper or Path(file).name.startswith(f"{paper}_")


def _log(run: Workflow, file: str) -> str:
    """Return the last line of the log of a file that could not be made; "" if it has none."""
    for job in run.jobs:
        if f"{run.report}/{file}" in job.outputs and (path := Path(job.log)).is_file():
            return path.read_text(encoding="utf-8").rstrip("\n").rpartition("\n")[2]
    return ""


def _say(line: str, items: Sequence[str] = ()) -> None:
    sys.stdout.write("\n".join([line, *(f"  {item}" for item in items)]) + "\n")
    sys.stdout.flush()


def main(argv: list[str] | None = None) -> None:
    """Verify what the command line names."""
    parser = argparse.ArgumentParser(description="Make figures, tables and verdicts again, and compare the bytes.")
    add_verify_options(parser)
    run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> None:
    """Verify some runs, see `manybandits.planning.options`; exit with status 1 if something differs."""
    with contextlib.chdir(args.root or Path()):
        names = args.runs or committed_runs(Path())
        if not names:
            raise InputError(f"{Path.cwd()}/reports has no run tables: run a configuration first.")
        hold("verification", Path(VERIFIED))
        with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
            faults = {name: verify(name, args.cores, args.paper) for name in names}
    if args.json:
        print_json({"runs": faults})
    if any(faults.values()):
        sys.exit(1)


if __name__ == "__main__":
    run_script(main)
