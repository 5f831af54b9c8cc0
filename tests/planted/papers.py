"""Papers as their files: written, and read unchecked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from manybandits.base.artifacts import save_text
from manybandits.base.configuration import read_yaml
from manybandits.papers.files import CLAIMS, EXPERIMENTS, OPEN

IN_CLAIMS = ("claims", "headlines", "controls", "story", "reasons", "divergences")


def copy_paper(folder: Path, of: Path) -> Path:
    """Copy a paper to a folder with another name, which is then that of what its sentences rest on and speak of."""
    shutil.copytree(of, folder)
    claims = folder / CLAIMS
    text = re.sub(rf"((?:target|table|headline|setups): ){of.name}\b", rf"\1{folder.name}", claims.read_text("utf-8"))
    text = re.sub(rf"((?:target|table): ){of.name}_", rf"\1{folder.name}_", text)
    claims.write_text(text, encoding="utf-8")
    return folder


def save_paper(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write the files of a paper, named after its folder; return the folder. open: what it leaves open, if anything."""
    claims = {"claims": {}, **{key: value for key, value in content.items() if key in IN_CLAIMS}}
    experiments = {key: value for key, value in content.items() if key not in (*IN_CLAIMS, "open")}
    save_text(folder / EXPERIMENTS, yaml.safe_dump(experiments, sort_keys=False))
    save_text(folder / CLAIMS, yaml.safe_dump(claims, sort_keys=False))
    if "open" in content:
        save_text(folder / OPEN, yaml.safe_dump({"open": content["open"]}, sort_keys=False))
    return folder


def read_content(folder: Path) -> dict[str, Any]:
    """Return the content of the two files of a paper, unchecked."""
    return {**read_yaml(folder / EXPERIMENTS), **read_yaml(folder / CLAIMS)}
