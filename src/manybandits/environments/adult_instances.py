"""Adult as a game of instances: predict the class of a person's income; groups of persons are the instances.

This game is our own: Xu and Bastani, *Learning Across Bandits in High Dimension via Robust Statistics*, name hospitals
and shops but have no data. An instance is an occupation, or a country of birth (`by`); those with fewer than `least`
persons form one instance together. A round is a person, an arm is a class, and the arm of the person's class pays 1,
the other 0. Each seed passes over the data once, in an order of its own.

The context consists of the other attributes: a constant 1; numbers with mean 0 and variance 1 over the data, clipped at
3 standard deviations and divided by 3, so that contexts are bounded (Assumption 1); and one column for each word that
at least `SHARE` of the persons have, except for the most common word, which is the reference.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.instances import Arrivals, InstanceGame
from manybandits.environments.layout import indices, reals

LAYOUT = {
    "features": reals("rounds", "dimension"),
    "instance": indices("rounds", into="users"),
    "label": indices("rounds", into="arms"),
}
SETTINGS: dict[str, Any] = {"by": "occupation", "least": 300}
"""The settings of the game, with their defaults."""
MEANINGS = {
    "by": "what an instance is: occupation or native-country",
    "least": "minimum number of persons of an instance",
}
GROUPS = ("occupation", "native-country")
SHARE = 0.01
"""Share of the persons that must have a word for it to become a column."""
DEVIATIONS = 3.0
"""Numbers are clipped at this many standard deviations from their mean."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings, whatever the data."""
    pick(settings["by"], GROUPS, "by")
    if settings["least"] < 1:
        raise InputError(f"least is {settings['least']}, the persons of an instance: give at least 1.")


def build(table: pd.DataFrame, by: str, least: int) -> dict[str, np.ndarray]:
    """Return the arrays of the game: features, (n, d) float32; instance and label, (n,); names of instances.

    table: attributes and a column ``label``. Raises InputError if a column is missing, if a value is NaN, or if there
    are fewer than two instances or two classes.
    """
    for column in (by, "label"):
        if column not in table:
            raise InputError(f"there is no column {column!r}: build the tidy data again.")
    if table.isna().any(axis=None):
        raise InputError("an attribute is NaN: build the tidy data again.")
    group = table[by].astype(str)
    group = group.where(group.map(group.value_counts()) >= least, "other")
    names, instance = np.unique(group, return_inverse=True)
    classes, label = np.unique(table["label"], return_inverse=True)
    if len(names) < 2 or len(classes) < 2:
        raise InputError(
            f"{len(names)} instances by {by} with at least {least} persons, {len(classes)} classes: two of each are "
            "needed; lower least."
        )
    return {
        "features": features_of(table.drop(columns=[by, "label"])),
        "instance": instance.astype(np.int32),
        "label": label.astype(np.int32),
        "names": names.astype(str),
    }


def features_of(attributes: pd.DataFrame) -> np.ndarray:
    """Return the contexts of persons, (n, d) float32, in [-1, 1]."""
    columns = [np.ones(len(attributes))]
    for name in attributes:
        values = attributes[name]
        if pd.api.types.is_numeric_dtype(values):
            deviation = values.std(ddof=0) or 1.0
            columns.append(((values - values.mean()) / deviation / DEVIATIONS).clip(-1, 1).to_numpy())
        else:
            shares = values.value_counts(normalize=True).sort_index(kind="stable")
            kept = shares[(shares >= SHARE) & (shares.index != shares.idxmax())].index
            columns += [(values == word).to_numpy(np.float64) for word in kept]
    return np.stack(columns, axis=1).astype(np.float32)


def draw_population(arrays: dict[str, np.ndarray], random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw the order in which the persons of one seed arrive, (n,)."""
    return (random.permutation(len(arrays["label"])),)


def draw_arrivals(
    arrays: dict[str, np.ndarray],
    population: tuple[np.ndarray, ...],
    first: int,
    count: int,
    random: np.random.Generator,
) -> Arrivals:
    """Return rounds first + 1, ..., first + count of one seed, or up to its last one."""
    met = population[0][first : first + count]
    paid = (np.arange(arrays["label"].max() + 1) == arrays["label"][met][:, None]).astype(np.float64)
    return Arrivals(arrays["instance"][met], arrays["features"][met].astype(np.float64), paid, paid)


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> InstanceGame:
    shape = facts["users"], facts["arms"], facts["dimension"]
    return InstanceGame(name, facts, arrays, *shape, draw_population, draw_arrivals)


def freeze(path: Path, tidy: Path, role: str, by: str, least: int) -> None:
    """Build the game from a folder of tidy data and write it to `path`. role: the family of data that is wanted."""
    from manybandits import datasets  # games use data sets only here, for names in their facts

    dataset = datasets.of_folder(tidy)
    source = tidy / "rows.parquet"
    settings = {"by": by, "least": least}
    check(settings)
    provenance = Provenance(
        {"game": "adult-instances", **settings, "role": role, "datasets": [dataset.name]}, (source,)
    )
    try:
        arrays = build(load_table(source), by, least)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    names = arrays.pop("names")
    persons = np.bincount(arrays["instance"])
    stand_in = dataset.family != role
    note = f"{dataset.title}, standing in for {role}" if stand_in else dataset.title
    facts = {
        "kind": "adult_instances",
        "users": len(names),
        "arms": int(arrays["label"].max()) + 1,
        "dimension": arrays["features"].shape[1],
        "rounds": len(arrays["label"]),
        "protocol": "paper",
        "role": role,
        "dataset": {"name": dataset.name, "title": dataset.title, "completeness": dataset.completeness},
        "stand_in": stand_in,
        "data_note": f"{note}; a game of ours, {len(names)} instances by {by}",
        "settings": settings,
        "counts": dict(zip(names.tolist(), persons.tolist(), strict=True)),
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    freeze(**read_settings(argv, "Freeze Adult as a game of instances.", SETTINGS, MEANINGS, "folder"))


if __name__ == "__main__":
    run_script(main)
