"""What SECURITY.md states: no pickle, no code made of text, locks with hashes, an audit that says what it skipped."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import tomllib
from importlib import metadata

import pytest
from packaging.version import Version

from tests.planted.locks import locked, unmet

FORBIDDEN = re.compile(
    r"\bimport pickle\b|(?<![\w.])(?:eval|exec)\(|shell=True|os\.system\(|allow_pickle=True|yaml\.(?:unsafe|full)_load"
)
"""What makes code of a text, or objects of a file."""
OF_CUDA = ("nvidia-", "cuda-", "triton")
"""The names of libraries that PyTorch pins itself, where it is not the one for CPUs: `envs/torch.lock` says so."""


@pytest.fixture(scope="module")
def audit(root):
    spec = importlib.util.spec_from_file_location("audit", root / "workflow/audit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_file_of_the_package_makes_code_of_text(root):
    files = [path for folder in ("src", "workflow", "notebooks") for path in (root / folder).rglob("*.py")]
    found = {path.name: FORBIDDEN.findall(path.read_text(encoding="utf-8")) for path in files}
    assert len(found) > 100
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("lock", ["requirements.lock", "torch.lock", "torch-cpu.lock", "cloud.lock", "audit.lock"])
def test_every_package_of_a_lock_is_pinned_with_its_hashes(lock, root):
    text = (root / "envs" / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[\w.\[\]-]+==[\w.+]+ +(?:; [^#]+)?--hash=sha256:[0-9a-f]{64}", line), line[:80]


def test_the_locks_have_every_package_that_the_project_names_in_a_version_that_it_takes(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    assert unmet([*project["dependencies"], *extras], locked(root)) == []


def test_the_locks_have_every_package_that_their_packages_need(root):
    """With hashes, an installer refuses to fetch a package that a lock lacks; this reads what is installed here."""
    pins, read, lacking = locked(root), 0, {}
    for name, version in pins.items():
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if Version(package.version).public == version.public:
            needed = [one for one in package.requires or () if not one.startswith(OF_CUDA)]
            read, lacking[name] = read + 1, unmet(needed, pins, extra="")
    if read < 100:
        pytest.skip("what is installed here was not installed from the locks: make install")
    assert {name: needs for name, needs in lacking.items() if needs} == {}


def test_make_installs_with_hashes(root):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    installs = [
        line for line in makefile.splitlines() if ("pip install" in line or "HASHED" in line) and ".lock" in line
    ]
    assert len(installs) == 5
    assert all("$(HASHED)" in line or "--require-hashes" in line for line in installs)
    assert re.search(r"^HASHED = .*--require-hashes$", makefile, re.MULTILINE)


SOUND = {"name": "one", "version": "1.0", "vulns": []}
HOLE = {"name": "two", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}
UNKNOWN = {"name": "three", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("found", "words", "status"),
    [
        ([SOUND], "0 of 1 packages have known vulnerabilities", 0),
        ([SOUND, HOLE], "two 2.0: CVE-1, mended in 2.1", 1),
        ([SOUND, UNKNOWN], "three: not looked up: not found", 0),
        ([UNKNOWN], "skipped: none of 1 packages is in a database", 0),
    ],
)
def test_an_audit_says_what_it_found_and_what_it_could_not_look_up(audit, found, words, status):
    said, code = audit.report(found)
    assert words in said
    assert code == status


def test_an_audit_without_a_network_says_that_it_was_skipped(audit, monkeypatch, capsys):
    silent = subprocess.CompletedProcess([], 1, "", "ERROR\nconnection refused")
    monkeypatch.setattr(audit.subprocess, "run", lambda *given, **named: silent)
    assert audit.main(["envs/requirements.lock"]) == 0
    assert "skipped: the database of vulnerabilities cannot be reached" in capsys.readouterr().out
