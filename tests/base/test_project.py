"""The files of the project are found in a checkout, and elsewhere beside the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from manybandits.base import project
from manybandits.base.exceptions import InputError


def test_a_checkout_is_its_own_root_and_its_paths_are_relative(root, monkeypatch):
    monkeypatch.chdir(root)
    assert project.find_root() == Path()


def test_another_folder_uses_the_files_beside_the_package_even_if_it_has_a_snakefile(root, tmp_path, monkeypatch):
    (tmp_path / "Snakefile").touch()  # of another project
    monkeypatch.chdir(tmp_path)
    assert project.find_root() == project.CHECKOUT == root
    (tmp_path / "project" / "workflow" / "papers").mkdir(parents=True)
    (tmp_path / "project" / "Snakefile").touch()
    monkeypatch.setattr(project, "INSIDE", tmp_path / "project")
    assert project.find_root() == tmp_path / "project"


def test_a_package_without_these_files_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(project, "CHECKOUT", tmp_path)
    with pytest.raises(InputError, match="install the package again"):
        project.find_root()


def test_an_overlay_is_a_file_or_a_configuration_of_the_project(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for given in ("smoke", "smoke.yaml", "configs/smoke.yaml"):
        assert project.overlay_file(Path(given), root) == root / "configs/smoke.yaml"
    Path("smoke.yaml").touch()
    assert project.overlay_file(Path("smoke.yaml"), root) == Path("smoke.yaml")
    with pytest.raises(
        InputError, match=r"^smok is neither a file nor a configuration of the project: did you mean 'smoke'\?"
    ):
        project.overlay_file(Path("smok"), root)
