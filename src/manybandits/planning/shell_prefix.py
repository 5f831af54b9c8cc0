"""The shell text that precedes the command of every job."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def shell_prefix(config: Mapping[str, Any]) -> str:
    """Return what finds the Python and the mirror of a configuration.

    Jobs run with the Python that runs Snakemake, whether or not its virtual environment is activated, or with that of a
    container. The mirror is no parameter of a rule: where raw data come from changes no result.
    """
    folder, mirror = shlex.quote(str(Path(sys.executable).parent)), config["data"].get("mirror")
    prefix = f"printenv APPTAINER_CONTAINER > /dev/null || export PATH={folder}:$PATH; "
    return prefix + (f"export MANYBANDITS_MIRROR={shlex.quote(str(mirror))}; " if mirror else "")
