"""The recipes of the container images: they are linted, agree, and what they install works offline and without root."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chain import checkout, run

SOURCE, LOCKS, ENVIRONMENT = "/opt/source", "/opt/locks", "/opt/venv"
OFFLINE = ("unshare", "--map-root-user", "--net")
"""Runs a command in a network namespace of its own, which has no interface that is up."""
APPTAINER = f"""#!/bin/sh
# In place of Apptainer: runs the command of `exec` with this Python, and says in a file which image it was to be in.
case "$*" in *--version*) echo "apptainer version 1.3.0"; exit ;; esac
image= ; for word in "$@"; do case "$word" in *.sif) image=$word ;; esac; command=$word; done
echo "$image" >> "$IMAGES"
PATH={Path(sys.executable).parent}:$PATH APPTAINER_CONTAINER=$image exec bash -c "$command"
"""

building = pytest.mark.skipif(
    os.environ.get("MANYBANDITS_IMAGES") != "build",
    reason="it installs all packages anew, in minutes and from the network: make test-cloud",
)


@pytest.fixture(scope="module")
def dockerfile(root) -> list[str]:
    """The instructions of the Dockerfile."""
    return [line for line in (root / "envs/Dockerfile").read_text().splitlines() if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def sections(root) -> dict[str, list[str]]:
    """The sections of the definition for Apptainer, with their lines."""
    parts = re.split(r"^%(\w+)$", (root / "envs/manybandits.def").read_text(), flags=re.MULTILINE)
    lines = [[line.strip() for line in text.splitlines() if line] for text in parts[2::2]]
    return dict(zip(parts[1::2], lines, strict=True))


def installing(lines: list[str]) -> list[str]:
    """Return the steps that install, of both recipes."""
    return [line.removeprefix("RUN ") for line in lines if re.match(r"(RUN )?python3 -m ", line)]


def copied(root: Path) -> list[str]:
    """Return the files and folders of the checkout that are copied into the image."""
    lines = (root / "envs/Dockerfile.dockerignore").read_text().splitlines()
    return [line.removeprefix("!") for line in lines if line.startswith("!")]


def test_hadolint_has_no_complaint(root):
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if hadolint is None:
        pytest.skip("hadolint is not installed: make test-cloud installs it")
    done = subprocess.run([hadolint, root / "envs/Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_is_that_of_a_user_without_privileges(dockerfile):
    users = [line.split()[1] for line in dockerfile if line.startswith("USER ")]
    assert int(users[-1]) > 0


def test_both_recipes_take_the_same_steps_on_the_same_files(root, dockerfile, sections):
    assert installing(dockerfile) == installing(sections["post"])
    assert len(installing(dockerfile)) == 4
    files = dict(line.split() for line in sections["files"])
    assert set(files) == set(copied(root))
    for name, place in files.items():
        assert place == (f"{LOCKS}/{Path(name).name}" if name.endswith(".lock") else f"{SOURCE}/{name}")
    assert all((root / name).exists() for name in copied(root))


@building
def test_the_steps_of_the_image_give_an_environment_that_works_offline_with_a_mirror(
    root, dockerfile, mirror, tmp_path
):
    if subprocess.run([*OFFLINE, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine gives no process a network namespace of its own")
    for name in copied(root):
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy
        (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        copy(root / name, tmp_path / "source" / name)
    places = {SOURCE: tmp_path / "source", LOCKS: root / "envs", ENVIRONMENT: tmp_path / "venv"}
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    alone = {**bare, "PATH": f"{tmp_path}/venv/bin:{os.environ['PATH']}"}
    for step in installing(dockerfile):
        for place, here in places.items():
            step = step.replace(place, str(here))
        if "-m venv" in step:
            step = step.replace("python3", sys.executable)
        subprocess.run(["bash", "-c", step], env=alone, check=True, capture_output=True)
    (tmp_path / "work").mkdir()
    told = {"cwd": tmp_path / "work", "check": True, "capture_output": True, "text": True}
    offline = {**alone, "MANYBANDITS_MIRROR": str(mirror)}
    tidy = ["-m", "manybandits.datasets", "tidy", "magic", "--raw", "raw", "--out", "tidy"]
    subprocess.run([*OFFLINE, "python3", *tidy], env=offline, **told)
    assert (tmp_path / "work/tidy/magic/rows.parquet").exists()
    listed = subprocess.run([*OFFLINE, "manybandits", "list", "papers"], env=offline, **told)
    assert "rmbandit" in listed.stdout


def builder() -> list[str] | None:
    """Return the command that builds images here, or None."""
    for tool in ("docker", "podman"):
        if shutil.which(tool) and subprocess.run([tool, "info"], capture_output=True, check=False).returncode == 0:
            return [tool, "build"]
    return ["buildah", "build"] if shutil.which("buildah") else None


@building
def test_the_image_is_built_where_a_builder_and_its_base_are_present(root, dockerfile):
    tool = builder()
    if tool is None:
        pytest.skip("neither docker, podman nor buildah can build an image here")
    base = next(line for line in dockerfile if line.startswith("ARG BASE=")).removeprefix("ARG BASE=")
    pulled = subprocess.run([tool[0], "pull", base], capture_output=True, text=True, check=False)
    if pulled.returncode != 0:
        pytest.skip(f"{base} cannot be pulled here: {pulled.stderr.strip().splitlines()[-1][:200]}")
    ignore = ["--ignorefile", "envs/Dockerfile.dockerignore"] if tool[0] != "docker" else []
    subprocess.run([*tool, *ignore, "--file", "envs/Dockerfile", "--tag", "manybandits", "."], cwd=root, check=True)


def test_jobs_run_in_the_image_if_snakemake_is_told_to(root, tmp_path, monkeypatch):
    folder = checkout(root, tmp_path / "contained")
    (tmp_path / "bin").mkdir()
    stand_in = tmp_path / "bin/apptainer"
    stand_in.write_text(APPTAINER)
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    told = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "IMAGES": str(tmp_path / "images")}
    done = run(folder, "--software-deployment-method", "apptainer", "--", "rmbandit_fig1", cores=1, **told)
    assert done.returncode == 0, done.stderr
    used = (tmp_path / "images").read_text().split()
    assert used == [f"{folder}/envs/manybandits.sif"] * 2  # the regression and its figure
