"""Write papers as their two files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from manybandits.base.artifacts import save_text
from manybandits.papers.files import CLAIMS, EXPERIMENTS

IN_CLAIMS = ("claims", "divergences")


def save_paper(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write the two files of a paper, named after its folder; return the folder."""
    claims = {"claims": {}, **{key: value for key, value in content.items() if key in IN_CLAIMS}}
    experiments = {key: value for key, value in content.items() if key not in IN_CLAIMS}
    save_text(folder / EXPERIMENTS, yaml.safe_dump(experiments, sort_keys=False))
    save_text(folder / CLAIMS, yaml.safe_dump(claims, sort_keys=False))
    return folder
