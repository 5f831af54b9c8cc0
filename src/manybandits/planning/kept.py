"""The plan of a configuration, made once and kept as JSON in ``artifacts/plans``.

Making a plan imports every algorithm that it plays, torch among what they need. It is read far more often than it
changes: by every call of Snakemake, and on a cluster by every job. What is kept says what it was made from; where any
of that has changed, or what is kept is damaged, the plan is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

import manybandits
from manybandits.base.artifacts import save_text
from manybandits.planning.plan import Plan, make_plan

PLACE = Path("artifacts/plans")


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan, and what it was made from."""

    made_from: str
    plan: msgspec.Raw  # decoded only where it is made from what there is


def load_plan(config: Mapping[str, Any], root: Path) -> Plan:
    """Return the plan of a configuration, as `make_plan` makes it. root: the folder that holds ``workflow``."""
    made_from = state_of(config, root)
    path = root / PLACE / f"{_sha256(str(config.get('name')).encode())[:16]}.json"
    with contextlib.suppress(OSError, msgspec.DecodeError):
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
        if kept.made_from == made_from:
            return msgspec.json.decode(kept.plan, type=Plan)
    plan = make_plan(config, root)
    text = msgspec.json.encode(Kept(made_from, msgspec.Raw(msgspec.json.encode(plan))))
    with contextlib.suppress(OSError):  # a folder that cannot be written costs time and nothing else
        save_text(path, text.decode())
    return plan


def state_of(config: Mapping[str, Any], root: Path) -> str:
    """Return a digest of all that a plan depends on: the configuration, the files of ``workflow``, and all sources."""
    folders = {root / "workflow": "*.yaml", Path(manybandits.__file__).parent: "*.py"}
    files = [
        [str(path.relative_to(folder)), _sha256(path.read_bytes())]
        for folder, pattern in folders.items()
        for path in sorted(folder.rglob(pattern))
    ]
    return _sha256(json.dumps([config, files], default=str).encode())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
