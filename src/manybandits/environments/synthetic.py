"""Synthetic game of clustered linear users, in which the true clusters are known.

n users in m clusters of equal size; the users of a cluster share a unit vector theta. K different items are
offered per round; the reward of item x for user u is theta_u' x plus Gaussian noise. The vectors of the clusters
are drawn again until the distance of all pairs is at least `separation`.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import Provenance, save_arrays
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.seeds import stream
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.users import Rounds, UserGame, alike
from manybandits.environments.layout import indices, reals
from manybandits.features.factors import unit_rows
from manybandits.numerics.subsets import distinct

ATTEMPTS = 10_000
LAYOUT = {
    "theta": reals("users", "dimension"),
    "cluster": indices("users", into="users"),
    "item_table": reals("items", "dimension"),
    "user_table": reals(1, 0),
    "noise": reals(),
}


def build(
    users: int = 50,
    clusters: int = 5,
    items: int = 1000,
    dimension: int = 10,
    noise: float = 0.1,
    separation: float = 0.0,
    seed: int = 0,
) -> dict[str, np.ndarray]:
    """Return the arrays of the game: item_table (I, d), user_table (1, 0), theta (n, d), cluster (n,), noise ()."""
    if not 1 <= clusters <= users:
        raise InputError(f"{clusters} clusters of {users} users: give from 1 to {users} clusters.")
    if dimension < 1:
        raise InputError(f"{dimension} dimensions: give a whole number from 1 on.")
    random = stream("synthetic", users, clusters, items, dimension, str(separation), seed)
    cluster = np.arange(users) % clusters
    return {
        "item_table": unit_rows(random.normal(size=(items, dimension))),
        "user_table": np.zeros((1, 0)),
        "theta": separated_centres(clusters, dimension, separation, random)[cluster],
        "cluster": cluster,
        "noise": np.array(float(noise)),
    }


SETTINGS: dict[str, Any] = {name: one.default for name, one in inspect.signature(build).parameters.items()} | {
    "arms": 10
}
"""The settings of the game, with their defaults."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings."""
    check_arms(settings["arms"], build(**{name: value for name, value in settings.items() if name != "arms"}))


def check_arms(arms: int, arrays: dict[str, np.ndarray]) -> None:
    """Raise InputError if there are no arms, or fewer items than arms per round."""
    if arms < 1:
        raise InputError(f"{arms} arms a round: give a whole number from 1 on.")
    if arms > len(arrays["item_table"]):
        raise InputError(f"{arms} arms a round, but only {len(arrays['item_table'])} items: offer fewer arms.")


def separated_centres(count: int, dimension: int, separation: float, random: np.random.Generator) -> np.ndarray:
    """Draw `count` unit vectors, (count, d), all pairs at least `separation` apart.

    Raises InputError if none are found in `ATTEMPTS` draws.
    """
    for _ in range(ATTEMPTS):
        centres = unit_rows(random.normal(size=(count, dimension)))
        gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)[~np.eye(count, dtype=bool)]
        if gaps.size == 0 or gaps.min() >= separation:
            return centres
    raise InputError(
        f"no {count} unit vectors in {dimension} dimensions were found {separation:g} apart: ask for less."
    )


def groups(arrays: dict[str, np.ndarray]) -> np.ndarray | None:
    """Return the true group of each user, (n,)."""
    return arrays["cluster"]


def draw_block(arrays: dict[str, np.ndarray], arms: int, count: int, random: np.random.Generator) -> Rounds:
    """Draw `count` rounds."""
    users = random.integers(len(arrays["theta"]), size=count)
    return rounds_of(arrays, arms, users, random)


def draw_first(arrays: dict[str, np.ndarray], arms: int, random: np.random.Generator) -> tuple[np.ndarray, Rounds]:
    """Return all users, (n,), and a round of each."""
    users = np.arange(len(arrays["theta"]))
    return users, rounds_of(arrays, arms, users, random)


def rounds_of(arrays: dict[str, np.ndarray], arms: int, users: np.ndarray, random: np.random.Generator) -> Rounds:
    """Draw a round of each of these users, (B,)."""
    theta, table = arrays["theta"], arrays["item_table"]
    items = distinct(np.full(len(users), len(table)), arms, random).astype(np.int32)
    expected = np.einsum("bd,bkd->bk", theta[users], table[items])
    rewards = expected + arrays["noise"] * random.normal(size=(len(users), arms))
    return Rounds(alike(users, arms), items, np.zeros_like(items), rewards, expected)


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> UserGame:
    check_arms(facts["arms"], arrays)
    shape = facts["users"], facts["arms"]
    return UserGame(name, facts, arrays, *shape, draw_block, groups(arrays), draw_first=draw_first)


def freeze(path: Path, arms: int = 10, **settings: float) -> None:
    """Build the game and write it to `path`. settings: the parameters of `build`."""
    provenance = Provenance({"game": "synthetic", "arms": arms, **settings})
    arrays = build(**settings)  # pyrefly: ignore[bad-argument-type]
    check_arms(arms, arrays)
    facts = {
        "kind": "synthetic",
        "users": len(arrays["theta"]),
        "items": len(arrays["item_table"]),
        "arms": arms,
        "dimension": arrays["theta"].shape[1],
        "protocol": "paper",
        "role": "synthetic",
        "dataset": {"name": "synthetic", "title": "synthetic clustered linear users", "completeness": "generated"},
        "stand_in": False,
        "data_note": "synthetic users with known clusters",
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    meanings = {
        "noise": "standard deviation of the noise of rewards",
        "separation": "minimum distance of the vectors of two clusters",
        "seed": "seed with which users and items are drawn",
    }
    freeze(**read_settings(argv, "Freeze a game of synthetic clustered linear users.", SETTINGS, meanings))


if __name__ == "__main__":
    run_script(main)
