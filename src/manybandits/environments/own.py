"""Games from a user's own tables: `ratings`, `classification` and `log` freeze them as the games of papers are frozen.

The facts of such a game say that the data are the user's own, with an unknown licence, and hold the file's checksum.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, load_facts
from manybandits.base.exceptions import InputError
from manybandits.datasets.base import OWN, Dataset, Tidy
from manybandits.datasets.build import write
from manybandits.datasets.own import declare
from manybandits.datasets.own import log as own_log
from manybandits.datasets.own import ratings as own_ratings
from manybandits.datasets.own import rows as own_rows
from manybandits.datasets.own.tables import OwnTable, Source
from manybandits.environments import classification as classes
from manybandits.environments import recommendation, replay
from manybandits.environments.offpolicy import too_few
from manybandits.environments.opinions import LIMITS
from manybandits.environments.recipes import recipe_of

REMARKS = "remarks"
"""The fact of a game that was just made of a table, not of its file, with what was found in reading it."""
DOMINATED = 0.99
"""The share of the squared length of rows beyond which one column hides all others."""
FACTORS = 10
"""The factors of a matrix of ratings, if it has as many."""


def ratings(
    table: Source,
    out: Path,
    columns: Mapping[str, str | None] | None = None,
    *,
    users: int | None = None,
    items: int | None = None,
    liked_above: float | None = None,
    disliked_below: float | None = None,
    game: str = "m-cnb",
    **settings: Any,
) -> dict[str, Any]:
    """Freeze a recommendation game from a table of ratings, write it to `out`, and return its facts.

    columns: user, item, rating, timestamp -> their names in the table; users: the number of users of the game: groups
    of raters with similar ratings or, if the raters themselves are the users, the most active ones; items: the number
    of items, the most rated ones; liked_above, disliked_below: what counts as liked and disliked, needed unless ratings
    are stars or signs; game and settings as in `manybandits.environments.recommendation`. Raises InputError naming what
    is wrong.
    """
    _check_out(out)
    for option, count in (("users", users), ("items", items)):
        if count is not None and count < 2:
            raise InputError(f"{option} is {count}: give at least 2.")
    settings = _given(settings)
    recipe = recipe_of(game, settings)
    tidy, counted, said, _ = own_ratings.tidy(table, **_given(columns), liked_above=liked_above)
    if users is not None and counted["users"] < users:
        raise InputError(
            f"{_shown(table)} has {counted['users']} users, fewer than the {users} of the game: give at most "
            f"users={counted['users']}."
        )
    values = np.unique(tidy["ratings.parquet"]["rating"])
    if len(values) == 1:
        raise InputError(f"{_shown(table)}: all ratings are {values[0]:g}: give a table with those of both kinds.")
    dislikes_matter = recipe.pays == "disliked" or recipe.middle == "dropped"
    if liked_above is not None and disliked_below is None and dislikes_matter:
        raise InputError(f"disliked ratings matter in {game}: say which ones count by disliked_below=NUMBER.")
    settings |= _given({"groups" if recipe.pools == "groups" else "users": users, "items": items})
    limits = _limits(liked_above, disliked_below)
    with _written("ratings", [table], tidy, counted) as (folder, dataset):
        recommendation.freeze(out, game, folder, OWN, dataset, **limits, **settings)
    return _facts(out, said)


def classification(
    table: Source, out: Path, label: str = "label", drop: Sequence[str] = (), **settings: str
) -> dict[str, Any]:
    """Freeze a classification game from a table of features and a label, write it to `out`, and return its facts.

    label: the column of classes; drop: columns to leave out; settings: as in `manybandits.environments.classification`.
    Raises InputError naming what is wrong.
    """
    _check_out(out)
    chosen = {**classes.SETTINGS, **settings}
    classes.check(chosen)
    tidy, counted, said, _ = own_rows.tidy(table, label, drop)
    with _written("rows", [table], tidy, counted) as (folder, dataset):
        classes.freeze(out, [folder], OWN, dataset, **chosen)
    if chosen["numbers"] == "raw":
        said += _dominated(pd.DataFrame(tidy["rows.parquet"]).drop(columns="label"))
    return _facts(out, said)


def log(
    table: Source,
    out: Path,
    columns: Mapping[str, str] | None = None,
    *,
    drop: Sequence[str] = (),
    arm_features: Source | None = None,
    **settings: str,
) -> dict[str, Any]:
    """Freeze a replay game from a log, write it to `out`, and return its facts.

    columns: arm, reward, propensity -> their names in the table, or the propensity ``uniform``; drop: columns to leave
    out; arm_features: a table with one row per arm; settings: as in `manybandits.environments.replay`; the estimate
    of a log that was not uniform is self-normalised by default. Raises InputError naming what is wrong.
    """
    _check_out(out)
    replay.check({**replay.SETTINGS, **settings})
    tidy, counted, said, places = own_log.tidy(table, **(columns or {}), drop=drop, arm_features=arm_features)
    usual = {**replay.SETTINGS, **({"estimate": "self-normalised"} if "propensity" in tidy["log.npz"] else {})}
    files = [table, *([arm_features] if arm_features else [])]
    with _written("log", files, tidy, counted) as (folder, dataset):
        replay.freeze(out, folder, OWN, dataset, places, **{**usual, **settings})
    return _facts(out, said)


def _dominated(columns: pd.DataFrame) -> list[str]:
    """Return a remark if one column of numbers is all that is left of rows that are scaled to length 1."""
    squares = columns.select_dtypes("number") ** 2
    length = squares.sum(axis=1) + columns.shape[1] - squares.shape[1]  # a word is a 1 in a column of its own
    share = squares.div(length.where(length > 0, 1.0), axis=0).mean()
    if not len(share) or columns.shape[1] == 1 or share.max() < DOMINATED:
        return []
    return [
        f"Rows are scaled to length 1, of which column {share.idxmax()!r} alone makes up {share.max():.1%}, so that "
        "others hardly count: give numbers=standard, or scale it."
    ]


def remarks(facts: Mapping[str, Any]) -> list[str]:
    """Return what the maker of a game from own data should know about it, in sentences."""
    counts, found = facts["counts"], list(facts.get(REMARKS, []))
    if facts["settings"].get("estimate") == "replay" and "kept_by_replay" in counts:
        found.append(
            f"Replay keeps about {counts['kept_by_replay']:,.0f} of {counts['events']:,} events, so that every arm is "
            f"shown equally often: enough for about {counts['kept_by_replay'] / facts['arms']:,.0f} rounds."
        )
    elif "least_effective_events" in counts:
        whose = "a policy that always picks the arm for which it is smallest"
        found.append(too_few(counts["least_effective_events"], whose))
    if "raters" in counts and facts["dimension"] < FACTORS:
        found.append(
            f"Users rate so much alike that the matrix of ratings has a low rank: contexts have "
            f"{facts['dimension']} entries, and not {FACTORS}."
        )
    if counts.get("users_ever_served", facts["users"]) < facts["users"]:
        found.append(
            f"{facts['users'] - counts['users_ever_served']} of {facts['users']} users are never served: "
            "they lack an item that pays, or enough items that do not."
        )
    return [sentence for sentence in found if sentence]


def _facts(out: Path, said: Sequence[str]) -> dict[str, Any]:
    """Return the facts of a game, and what was found in reading its table."""
    return {**load_facts(out), **({REMARKS: said} if said else {})}


def _shown(table: Source) -> str:
    """Return what messages call a table."""
    return str(table.path if isinstance(table, OwnTable) else table)


def _limits(liked_above: float | None, disliked_below: float | None) -> dict[str, Any]:
    """Return what counts as liked and disliked, where it was given; nothing is both."""
    if liked_above is not None and disliked_below is None:
        disliked_below = min(LIMITS["disliked_below"], liked_above)
    most = LIMITS["liked_above"] if liked_above is None else liked_above
    if disliked_below is not None and disliked_below > most:
        raise InputError(
            f"a rating between {most:g} and {disliked_below:g} would be both liked and disliked: give at most "
            f"disliked_below={most:g}, or a larger liked_above."
        )
    return _given({"liked_above": liked_above, "disliked_below": disliked_below})


@contextlib.contextmanager
def _written(
    kind: str, files: Sequence[Source], tidy: Tidy, counted: Mapping[str, int]
) -> Iterator[tuple[Path, Dataset]]:
    """Write tidy data to a folder that lasts as long as the block, and yield it with the declaration of the data."""
    dataset = declare(kind, *files)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / dataset.name
        yield write(dataset, tidy, counted, place, Provenance({"dataset": dataset.name})), dataset


def _given(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (values or {}).items() if value is not None}


def _check_out(out: Path) -> None:
    if out.suffix != ".npz":
        raise InputError(f"--out {out}: the file of a game ends in .npz; write for example --out {out.stem}.npz.")
