"""The wheel alone, in an environment and a folder of its own: what it holds, and what it does outside of a checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

import manybandits
from manybandits.base.artifacts import sha256
from tests.planted.locks import locked, unmet

SOURCES = ("src", "configs", "notebooks", "profiles", "workflow", "docs")
FILES = ("Snakefile", "config.yaml", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")
FILES += ("CHANGELOG.md", "CITATION.cff", "SECURITY.md")


def python(code: str, folder: Path, *arguments: str) -> None:
    """Run a line of Python in a folder, without the sources of this checkout on its path."""
    subprocess.run([sys.executable, "-c", code, *arguments], cwd=folder, env=alone(), check=True, capture_output=True)


def alone() -> dict[str, str]:
    """The environment without what leads to this checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def sources(root, tmp_path_factory) -> Path:
    """A copy of the sources, with a test and a result that must not be packaged."""
    pytest.importorskip("setuptools", "77", reason="a wheel is built by setuptools, which is not installed")
    folder = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in FILES:
        shutil.copy(root / name, folder / name)
    for name in ("tests/test_it.py", "reports/paper/verdicts.csv", "artifacts/data/raw/ratings.csv"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    return folder


@pytest.fixture(scope="module")
def wheel(sources, tmp_path_factory) -> Path:
    """The wheel, built from the source distribution, as an installer without a wheel would."""
    folder = tmp_path_factory.mktemp("built")
    build = "import sys; from setuptools import build_meta; build_meta.{}(sys.argv[1])"
    python(build.format("build_sdist"), sources, str(folder))
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    assert not {"tests", "reports", "artifacts"} & {path.name for path in unpacked.iterdir()}
    python(build.format("build_wheel"), unpacked, str(folder))
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of scripts of an environment that has the wheel; all else is that of this environment."""
    folder = tmp_path_factory.mktemp("environment") / "with a space"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, env=alone())
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    hashed = folder / "wheel.lock"
    hashed.write_text(f"{wheel.as_uri()} --hash=sha256:{sha256(wheel)}\n")
    alone_with_hashes = ["--no-index", "--no-deps", "--require-hashes", "--requirement", hashed]
    subprocess.run([*pip, *alone_with_hashes], check=True, env=alone())
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


@pytest.fixture
def told(installed, tmp_path):
    """A function that runs the installed command in an empty folder outside of the checkout and returns its stdout."""

    def run(*arguments: str) -> str:
        command = [installed / "manybandits", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=alone(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_wheel_holds_the_project_and_neither_tests_nor_data_nor_reports(root, wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        facts = BytesParser().parse(archive.open(next(name for name in names if name.endswith("/METADATA"))))
    tops = {name.split("/")[0] for name in names}
    assert tops == {"manybandits", f"manybandits-{manybandits.__version__}.dist-info"}
    inside = {name.split("/")[2] for name in names if name.startswith("manybandits/project/")}
    assert inside == {"Snakefile", "config.yaml", "configs", "notebooks", "profiles", "workflow"}
    for path in (root / "workflow").rglob("*.*"):
        if path.suffix in (".yaml", ".smk", ".rst"):
            assert f"manybandits/project/{path.relative_to(root)}" in names
    for path in (root / "src/manybandits").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert str(path.relative_to(root / "src")) in names
    data = [name for name in names if name.endswith((".csv", ".parquet", ".npz", ".pyc"))]
    prices = [f"manybandits/planning/{name}.csv" for name in ("rates", "steps")]
    assert sorted(data) == ["manybandits/features/published_groups.npz", *prices]
    assert facts["Version"] == manybandits.__version__
    assert facts["License-Expression"] == "MIT"
    assert "do their claims hold?" in facts.get_payload()
    assert {"neural", "workflow", "report"} <= set(facts.get_all("Provides-Extra"))
    assert len(facts.get_all("Requires-Dist")) > 40
    assert unmet(facts.get_all("Requires-Dist"), locked(root)) == []


def test_the_version_is_the_one_that_is_cited(root):
    assert f"\nversion: {manybandits.__version__}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")


def test_papers_claims_and_experiments_are_those_of_the_package(told, root, tmp_path):
    papers = {row["name"] for row in json.loads(told("list", "papers", "--json"))["papers"]}
    assert papers == {path.name for path in (root / "workflow/papers").iterdir()}
    assert "M-CNB, Figure 2" in told("show", "m_cnb_fig2")
    assert len(json.loads(told("claims", "--paper", "m_cnb", "--json"))["claims"]) > 100
    assert list(tmp_path.iterdir()) == []


def test_a_figure_is_planned_and_another_made_in_an_empty_folder(told, root, tmp_path):
    told("reproduce", "m_cnb_fig2", "--cores", "1", "--dry-run", "--set", "papers=[m_cnb]", "--set", "league=false")
    assert not (tmp_path / "reports").exists()
    made = told("reproduce", "meta_ban_fig1", "--cores", "1", "--config", "smoke", "--set", "name=mine").split()
    assert made == ["reports/mine/figures/meta_ban_fig1.svg", "reports/mine/tables/meta_ban_fig1.csv"]
    assert all((tmp_path / path).stat().st_size > 500 for path in made)
    assert {path.name for path in tmp_path.iterdir()} == {"artifacts", "reports", ".snakemake"}
    for path in (tmp_path / "reports").rglob("*.*"):
        assert str(tmp_path).encode() not in path.read_bytes()
        assert b"site-packages" not in path.read_bytes(), path
