"""Puts the workflow into the wheel, as the folder ``manybandits/project``; see ``manybandits.base.project``.

Everything else about the package is in ``pyproject.toml``. An editable installation copies nothing: it reads these
files where they are.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PROJECT = ("Snakefile", "config.yaml", "configs", "notebooks", "profiles", "workflow")
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*")


class BuildWithProject(build_py):
    """Copies the files of the project beside the modules of the package."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        folder = Path(self.build_lib, "manybandits", "project")
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier build
        folder.mkdir(parents=True)
        for name in PROJECT:
            if Path(name).is_dir():
                shutil.copytree(name, folder / name, ignore=LEFT_OUT)
            else:
                shutil.copy2(name, folder / name)


setup(cmdclass={"build_py": BuildWithProject})
