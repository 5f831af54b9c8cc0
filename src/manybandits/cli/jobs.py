"""Snakemake, called with the project's rules in the folder of a user."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from manybandits.base.exceptions import InputError
from manybandits.cli.extras import demand


def run_workflow(
    root: Path, folder: Path, targets: Sequence[str], config: Path, cores: int, failed: str, dry: bool = False
) -> None:
    """Make targets by the rules in `root`, in `folder`. config: the file with the whole configuration.

    What Snakemake prints goes to stderr. Raises InputError, which begins with `failed`, if a job failed.
    """
    demand("workflow")
    command = [sys.executable, "-m", "snakemake", *targets, "--snakefile", str((root / "Snakefile").resolve())]
    command += ["--workflow-profile", str((root / "profiles/default").resolve()), "--cores", str(cores)]
    command += ["--dry-run", "--quiet", "rules"] if dry else ["--quiet", "rules", "host"]
    command += ["--configfile", str(config.resolve())]
    if subprocess.run(command, cwd=folder, stdout=sys.stderr, check=False).returncode:
        raise InputError(f"{failed}: Snakemake says why above; its configuration is {config}.")
