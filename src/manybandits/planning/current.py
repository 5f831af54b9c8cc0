"""Which run tables would be made again as they are, so that they need not be: in a fresh clone, in another run.

A table says of itself what was asked for, on which game, and by which code. It is current if all three are the same
here, down to the bytes of the game, from which the rounds follow.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from manybandits.base.artifacts import load_provenance, provenance_path, sha256
from manybandits.base.sources import digest
from manybandits.estimators import comparison
from manybandits.planning.figures import Regression
from manybandits.planning.jobs import Play


def asked(one: Regression) -> comparison.Asked:
    """Return what a table of errors is made by."""
    return comparison.read_arguments([*one.arguments(), "--out", one.file])


def asked_alike(job: Play | Regression, settings: Mapping[str, Any]) -> bool:
    """Whether a table with these settings was asked for as it is now."""
    if isinstance(job, Regression):
        return bool(json.loads(json.dumps(asked(job).settings)) == settings)
    now = json.loads(job.spec.to_json())
    return all(settings.get(key) == value for key, value in now.items() if value or key not in ("game", "title"))


def digest_of(job: Play | Regression) -> str:
    """Return the digest of the code that makes a table here."""
    return job.digest if isinstance(job, Play) else digest(comparison.MODULE)


def made_alike(job: Play | Regression, table: Path, any_code: bool = False) -> bool:
    """Whether a table is there, and was asked for and made by code as it is now; on which game is not compared.

    any_code: whichever code made it.
    """
    made = load_provenance(table) if table.is_file() and provenance_path(table).is_file() else {}
    if not {"code", "settings", "inputs"} <= set(made):
        return False
    return (any_code or made["code"].get("digest") == digest_of(job)) and asked_alike(job, made["settings"])


def other_game(table: Path, games: Path) -> str:
    """Return the name of the file of a table's game if it has other bytes in this folder of games, or is not there.

    The rounds of a game follow from the bytes of its file. These are others where zlib packs arrays otherwise, and for
    features that libraries compute, where the processor is of another kind: sums in another order end in other digits.
    """
    inputs = load_provenance(table)["inputs"]
    return next((name for name, known in inputs.items() if known != _sha256(games / name)), "")


@cache
def _sha256(game: Path) -> str:
    return sha256(game) if game.is_file() else ""
