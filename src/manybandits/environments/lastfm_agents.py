"""Last.FM game in which all users act in every round: arms are artists, and those that a user listened to pay.

Source: Ghosh, Sankararaman and Ramchandran 2021, section 6.2. An arm is an artist, its context 25 principal
components of the tf-idf matrix of artists and words of tags; it pays 1 if the user listened to it, else 0.

pool = common     25 random artists per round, the same for all users: for many users no arm pays (CMLB's pool)
pool = listened   24 of these 25, and for each user one artist drawn from those that the user listened to (CLUB's pool)
rows = unit       contexts of length 1, as the unit ball of section 3 needs; "raw": the principal components as they are
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import Provenance, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.base.sources import digest
from manybandits.datasets import of_folder
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.agents import PIECE, AgentGame
from manybandits.environments.layout import count, indices, reals, starts
from manybandits.features.factors import unit_rows
from manybandits.features.tags import tag_components
from manybandits.numerics.subsets import distinct

LAYOUT = {
    "contexts": reals("items", "dimension"),
    "heard": reals("users", "bytes of items"),
    "first": starts("users", into="listened"),
    "artist": indices("listened", into="items"),
    "arms": count("arms"),
    "own_table": reals("items", "dimension").maybe,
}
POOLS = ("common", "listened")
ROWS = ("unit", "raw")
SETTINGS = {"pool": "common", "arms": 25, "components": 25, "rows": "unit"}
"""The settings of the game, with their defaults."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings, whatever the data."""
    pick(settings["pool"], POOLS, "pool")
    pick(settings["rows"], ROWS, "rows")
    if settings["arms"] < 2 or settings["components"] < 1:
        raise InputError(f"{settings['arms']} arms, {settings['components']} components: give at least 2 and 1.")


def build(
    listeners: np.ndarray, artists: np.ndarray, contexts: np.ndarray, pool: str, arms: int = 25
) -> dict[str, np.ndarray]:
    """Return the arrays of the game.

    listeners, artists: (m,) int, who listened to whom, both numbered from 0; contexts: (I, d). Raises InputError if a
    user listened to no artist, or if there are fewer artists than arms.
    """
    pick(pool, POOLS, "pool")
    users = int(listeners.max()) + 1
    heard = np.zeros((users, len(contexts)), bool)
    heard[listeners, artists] = True
    silent = np.flatnonzero(~heard.any(axis=1))
    if len(silent):
        raise InputError(f"user {silent[0]} listened to no artist and cannot be offered one: leave the user out.")
    if not 2 <= arms <= len(contexts):
        raise InputError(f"{arms} arms of {len(contexts)} artists: offer from 2 to {len(contexts)}.")
    order = np.lexsort((artists, listeners))
    arrays = {
        "contexts": contexts,
        "heard": np.packbits(heard, axis=1),
        "artist": artists[order].astype(np.int32),
        "first": np.searchsorted(listeners[order], np.arange(users + 1)),
        "arms": np.array(arms),
    }
    return arrays | ({"own_table": contexts} if pool == "listened" else {})


def draw_population(arrays: dict[str, np.ndarray], random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors, (N, d), and clusters, (N,), of the users: NaN and -1, because both are unknown."""
    users = len(arrays["first"]) - 1
    return np.full((users, arrays["contexts"].shape[1]), np.nan), np.full(users, -1)


def draw_piece(arrays: dict[str, np.ndarray], theta: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw `PIECE` rounds, in the order of `AgentRounds`; both pools use the same random numbers."""
    first, table = arrays["first"], arrays["contexts"]
    users = len(first) - 1
    items = distinct(np.full(PIECE, len(table)), int(arrays["arms"]), random)
    place = random.random((PIECE, users))
    byte, bit = items // 8, 7 - items % 8
    expected = (arrays["heard"][:, byte] >> bit & 1).transpose(1, 0, 2).astype(np.float64)
    own = np.zeros((PIECE, 0), np.int32)
    if "own_table" in arrays:
        own = arrays["artist"][first[:-1] + (place * np.diff(first)).astype(np.int64)]
        expected[:, :, -1] = 1.0
    return table[items], own, expected, np.zeros((PIECE, users))


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> AgentGame:
    if arrays["heard"].shape[1] != -(-len(arrays["contexts"]) // 8) or not np.diff(arrays["first"]).all():
        raise InputError("the listeners are not those of the artists; freeze the game again.")
    shape = facts["users"], facts["arms"], facts["dimension"]
    return AgentGame(name, facts, arrays, *shape, draw_population, draw_piece)


def freeze(path: Path, tidy: Path, role: str, pool: str, arms: int, components: int, rows: str) -> None:
    """Build the game from the tidy tables of Last.FM and write it to `path`."""
    tables = {name: tidy / f"{name}.parquet" for name in ("user_artists", "tagged_artists", "tags", "artists")}
    settings = {"game": "lastfm-agents", "pool": pool, "arms": arms, "components": components, "rows": rows}
    provenance = Provenance(
        {**settings, "sources": digest("manybandits.environments.lastfm_agents")}, (*tables.values(),)
    )
    read = {name: load_table(table) for name, table in tables.items()}
    known = np.sort(read["artists"]["artist"].to_numpy())
    tagged = read["tagged_artists"].merge(read["tags"].rename(columns={"name": "words"}), on="tag")
    tagged = tagged[np.isin(tagged["artist"], known)]  # some tagged artists are not among the artists
    items = np.searchsorted(known, tagged["artist"])
    contexts = tag_components(items, tagged["words"].reset_index(drop=True), len(known), components)
    if pick(rows, ROWS, "rows") == "unit":
        contexts = unit_rows(contexts)
    users, listeners = np.unique(read["user_artists"]["user"], return_inverse=True)
    artists = np.searchsorted(known, read["user_artists"]["artist"])
    arrays = build(listeners, artists, contexts, pool, arms)
    dataset = of_folder(tidy)
    facts = {
        "kind": "lastfm_agents",
        "users": len(users),
        "items": len(known),
        "arms": arms,
        "dimension": components,
        "protocol": "paper",
        "role": role,
        "dataset": {"name": dataset.name, "title": dataset.title, "completeness": dataset.completeness},
        "stand_in": False,
        "data_note": f"{dataset.title}, {'25 random artists' if pool == 'common' else 'one artist is known to pay'}",
        "all_act": True,
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    about = "Freeze Last.FM as a game in which all users act in every round."
    freeze(**read_settings(argv, about, SETTINGS, {}, "folder"))


if __name__ == "__main__":
    run_script(main)
