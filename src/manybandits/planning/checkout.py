"""A run in the checkout of the working folder: the configuration files that make it, its jobs, and Snakemake for it.

Whoever verifies, resumes or carries over a run works in the folder of its Snakefile, to which all paths are relative.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from manybandits.base.exceptions import pick
from manybandits.planning.configuration import configurations, load_configuration
from manybandits.planning.plan_cache import load_plan
from manybandits.planning.workflow import Workflow


class Checkout(NamedTuple):
    """A run. overlays: the files in ``configs`` that make it, on top of ``config.yaml``."""

    overlays: Sequence[Path]
    run: Workflow

    def from_tables(self) -> Checkout:
        """Return the run that plays nothing, and makes all else of the committed run tables again."""
        return self._replace(run=Workflow(self.run.plan, {**self.run.config, "from_tables": True}))

    def snakemake(self, cores: int, *arguments: str) -> str:
        """Call Snakemake; return what it prints if it fails, and "" if it does not."""
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--quiet", "rules", "host"]
        command += ["--configfile", *map(str, self.overlays)] if self.overlays else []
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""


def checkout_of(name: str) -> Checkout:
    """Return a run by its name; raise InputError naming the nearest one if no configuration makes it."""
    known = configurations(Path())
    overlays = known[pick(name, known, "run")]
    config = load_configuration(Path(), overlays)
    return Checkout(overlays, Workflow(load_plan(config, Path()), config))
