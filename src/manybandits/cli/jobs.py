"""Snakemake, called with the project's rules in the folder of a user."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from manybandits.base.printing import remark
from manybandits.interface.extras import demand


def run_workflow(
    root: Path, folder: Path, targets: Sequence[str], config: Path, cores: int, failed: str, dry: bool = False
) -> None:
    """Make targets by the rules in `root`, in `folder`. config: the file with the whole configuration.

    What Snakemake prints goes to stderr. If a job failed, the program says so, in a sentence that begins with `failed`,
    and exits with status 1.
    """
    demand("workflow")
    command = [sys.executable, "-m", "snakemake", *targets, "--snakefile", str((root / "Snakefile").resolve())]
    command += ["--workflow-profile", str((root / "profiles/default").resolve()), "--cores", str(cores)]
    command += ["--dry-run", "--quiet", "rules"] if dry else ["--quiet", "rules", "host"]
    command += ["--configfile", str(config.resolve())]
    if subprocess.run(command, cwd=folder, stdout=sys.stderr, check=False).returncode:
        remark(f"error: {failed}: Snakemake says why above; its configuration is {config}.")
        sys.exit(1)
