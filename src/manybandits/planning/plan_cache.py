"""A cache of plans, stored as JSON in ``artifacts/plans``.

Making a plan imports every algorithm that it plays, and with them torch. A plan is read far more often than it changes:
by every call of Snakemake, and on a cluster by every job. A plan is stored with a digest of everything that it was made
from; if the digest differs or the file is damaged, the plan is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

import manybandits
from manybandits import datasets
from manybandits.base.artifacts import save_text
from manybandits.base.exceptions import InputError
from manybandits.base.plugins import is_path, module_of
from manybandits.base.sources import digest
from manybandits.papers.files import folder_of
from manybandits.planning.plan import Plan, make_plan
from manybandits.planning.preferences import chosen

PLACE = Path("artifacts/plans")


class StoredPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored plan. state: the digest of its inputs, see `state_of`; plugins: those of its plug-ins, by name."""

    state: str
    plugins: dict[str, str]
    plan: msgspec.Raw  # decoded only if the digest is the current one


def load_plan(config: Mapping[str, object], root: Path, folder: Path | None = None) -> Plan:
    """Return the plan of a configuration, from the cache if possible.

    root: the folder that holds ``workflow``. folder: the one that holds ``artifacts`` (default: the same).
    """
    config = chosen(config, folder or root)
    state = state_of(config, root)
    path = (folder or root) / PLACE / f"{_sha256(str(config.get('name')).encode())[:16]}.json"
    with contextlib.suppress(OSError, msgspec.DecodeError):
        stored = msgspec.json.decode(path.read_bytes(), type=StoredPlan)
        if stored.state == state and stored.plugins == _digests(stored.plugins):
            return msgspec.json.decode(stored.plan, type=Plan)
    plan = make_plan(config, root)
    encoded = msgspec.Raw(msgspec.json.encode(plan))
    text = msgspec.json.encode(StoredPlan(state, _digests(plugins_of(plan)), encoded))
    with contextlib.suppress(OSError):  # without write access only time is lost
        save_text(path, text.decode())
    return plan


def state_of(config: Mapping[str, object], root: Path) -> str:
    """Return a digest of what a plan is made from: the configuration, files in ``workflow``, sources and data sets."""
    folders = {root / "workflow": "*.yaml", Path(manybandits.__file__).parent: "*.py"}
    folders[datasets.SOURCES.parent] = datasets.SOURCES.name
    papers = config.get("papers")
    named = [name for name in papers if isinstance(name, str)] if isinstance(papers, list) else []
    folders |= {folder_of(root, name): "*.yaml" for name in named if is_path(name)}
    files = [
        [str(path.relative_to(folder)), _sha256(path.read_bytes())]
        for folder, pattern in folders.items()
        for path in sorted(folder.rglob(pattern))
    ]
    return _sha256(json.dumps([_in_one_order(config), files], default=str).encode())


def _in_one_order(config: Mapping[str, object]) -> dict[str, object]:
    """Return a configuration with its keys, and those of `data`, sorted by name.

    No plan depends on their order, which Snakemake changes where it lays one configuration over another: without this,
    Snakemake and the commands beside it, such as `make verify`, would each time replace the other's plan. The order of
    settings stays, because it is that of the options in a grid.
    """
    ordered = {key: config[key] for key in sorted(config, key=str)}
    if isinstance(data := ordered.get("data"), Mapping):
        ordered["data"] = {
            key: dict(sorted(value.items(), key=str)) if isinstance(value, Mapping) else value
            for key, value in sorted(data.items(), key=str)
        }
    return ordered


def plugins_of(plan: Plan) -> set[str]:
    """Return the algorithms and data sets of a plan that are in files of their own."""
    played = [*plan.plays.values(), *(play for batch in plan.batches.values() for play in batch.plays)]
    used = {name for environment in plan.environments.values() for name in environment.datasets}
    named = {play.spec.algorithm for play in played} | used
    return set(filter(is_path, named))


def _digests(plugins: Iterable[str]) -> dict[str, str]:
    """Return the digest of the code of plug-ins, by name; "" for one that is no more."""
    found = dict.fromkeys(sorted(plugins), "")
    for name in found:
        with contextlib.suppress(InputError, ImportError):
            found[name] = digest(module_of(name, {}, "plug-in"))
    return found


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
