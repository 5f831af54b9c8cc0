"""A cache of plans, stored as JSON in ``artifacts/plans``.

Making a plan imports every algorithm that it plays, and with them torch. A plan is read far more often than it changes:
by every call of Snakemake, and on a cluster by every job. A plan is stored with a digest of everything that it was made
from; if the digest differs or the file is damaged, the plan is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import msgspec

import manybandits
from manybandits.base.artifacts import save_text
from manybandits.planning.plan import Plan, make_plan

PLACE = Path("artifacts/plans")


class StoredPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored plan. made_from: the digest of its inputs, see `state_of`."""

    made_from: str
    plan: msgspec.Raw  # decoded only if the digest is the current one


def load_plan(config: Mapping[str, object], root: Path, folder: Path | None = None) -> Plan:
    """Return the plan of a configuration, from the cache if possible.

    root: the folder that holds ``workflow``. folder: the one that holds ``artifacts`` (default: the same).
    """
    made_from = state_of(config, root)
    path = (folder or root) / PLACE / f"{_sha256(str(config.get('name')).encode())[:16]}.json"
    with contextlib.suppress(OSError, msgspec.DecodeError):
        stored = msgspec.json.decode(path.read_bytes(), type=StoredPlan)
        if stored.made_from == made_from:
            return msgspec.json.decode(stored.plan, type=Plan)
    plan = make_plan(config, root)
    text = msgspec.json.encode(StoredPlan(made_from, msgspec.Raw(msgspec.json.encode(plan))))
    with contextlib.suppress(OSError):  # without write access only time is lost
        save_text(path, text.decode())
    return plan


def state_of(config: Mapping[str, object], root: Path) -> str:
    """Return a digest of all inputs of a plan: the configuration, the YAML files in ``workflow``, and all sources."""
    folders = {root / "workflow": "*.yaml", Path(manybandits.__file__).parent: "*.py"}
    files = [
        [str(path.relative_to(folder)), _sha256(path.read_bytes())]
        for folder, pattern in folders.items()
        for path in sorted(folder.rglob(pattern))
    ]
    return _sha256(json.dumps([config, files], default=str).encode())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
