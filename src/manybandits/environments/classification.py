"""Classification as a bandit problem: an instance in each of K blocks, and the block of its class pays.

Source: M-CNB section 6 and Meta-Ban section 7. Arm k of an instance x is x in block k of K,
a vector of d K numbers that are zero in all other blocks; it pays 1 if k is the class of x, else 0. Each class of
each data set is a user, and an instance is drawn from the data of the user served. An algorithm that clusters items
takes the K blocks for them: an instance is offered but once.

If the learner sees the user, the user *is* the label. The papers do not say whether it does, so both are played:

user = class     the learner is told which user is served
user = hidden    it is not: to the learner all instances are of one user

With two data sets (MNIST + notMNIST) a round draws a data set, then one of its classes, then an instance. Which
distribution the classes of a single data set have is not stated: `serve` = instances draws an instance of the
data, so that large classes are served often; `serve` = classes draws a class first. LNUCB-TA (Table 2) follows Zhang et
al. 2021, *Neural Thompson sampling*: `serve` = shuffled goes through the data once, in an order of the seed.

An attribute of words becomes a column a word (`words` = columns), or one number: the place of the word in the alphabet,
-1 for a question mark (codes). So the data sets come from OpenML as arrays, which is what Zhang et al. played. An
attribute of numbers stays as it is (`numbers` = raw) or gets mean 0 and variance 1 over the data (standard). Rows have
length 1 in any case, so that raw numbers of some thousands are all that is left of a row.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, load_arrays, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.kinds.users import Rounds, UserGame
from manybandits.features.factors import unit_rows

SETTINGS: dict[str, Any] = {"user": "class", "serve": "instances", "words": "columns", "numbers": "raw"}
"""What a game is made with, and the default of each."""
WORDS = {
    "user": ("class", "hidden"),
    "serve": ("instances", "classes", "shuffled"),
    "words": ("columns", "codes"),
    "numbers": ("raw", "standard"),
}
NOTES = {
    "serve": {"shuffled": "each instance once"},
    "words": {"codes": "words as codes"},
    "numbers": {"standard": "numbers standardised"},
}
UNKNOWN = "?"
"""How a data set writes a word that is not known."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError when no game can be made with these settings."""
    for name, words in WORDS.items():
        pick(settings[name], words, name)


def from_rows(table: pd.DataFrame, words: str = "columns", numbers: str = "raw") -> tuple[np.ndarray, np.ndarray]:
    """Return features, (N, d) float64, and labels, (N,), of a table with a column ``label``.

    words, numbers: what becomes of a column of them.
    """
    attributes = table.drop(columns="label")
    if numbers == "standard":
        columns = attributes.select_dtypes("number")
        attributes[columns.columns] = (columns - columns.mean()) / columns.std(ddof=0).replace(0.0, 1.0)
    if words == "codes":
        attributes = attributes.apply(codes)
    features = pd.get_dummies(attributes, dtype=np.float64).to_numpy(np.float64)
    if not np.isfinite(features).all():
        raise InputError("an attribute is NaN or infinite: build the tidy data again.")
    return features, table["label"].to_numpy()


def codes(column: pd.Series) -> pd.Series:
    """Return a column of words as their places in the alphabet, an unknown one as -1; numbers stay as they are."""
    if pd.api.types.is_numeric_dtype(column):
        return column
    known = sorted(set(column) - {UNKNOWN})
    return pd.Series(pd.Categorical(column, known).codes, column.index, np.float64)


def build(parts: list[tuple[np.ndarray, np.ndarray]], user: str, serve: str) -> dict[str, np.ndarray]:
    """Return the arrays of a game. parts: features, (N, d), and labels, (N,), of every data set.

    features: (I, d), sorted by user; user p has the rows start[p]:start[p + 1]; kind: (P,), its class.
    """
    widths = {features.shape[1] for features, _ in parts}
    if len(widths) > 1:
        raise InputError(f"data sets of {sorted(widths)} attributes cannot share a game: their contexts differ.")
    features, kinds, starts, count = [], [], [np.zeros(1, np.int64)], 0
    for matrix, labels in parts:
        classes, kind = np.unique(labels, return_inverse=True)
        features.append(matrix[np.argsort(kind, kind="stable")])
        kinds.append(np.arange(len(classes)))
        starts.append(count + np.cumsum(np.bincount(kind)))
        count += len(kind)
    return {
        "features": np.concatenate(features),
        "start": np.concatenate(starts),
        "kind": np.concatenate(kinds),
        "data_set": np.repeat(np.arange(len(parts)), [len(kind) for kind in kinds]),
        "hidden": np.array(user == "hidden"),
        "by_class": np.array(serve == "classes" or len(parts) > 1),
        "shuffled": np.array(serve == "shuffled"),
    }


def unpack(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the arrays with the tables that contexts are made of: item_table, unit rows, (I, d) float32."""
    table = unit_rows(arrays["features"].astype(np.float32))
    return {**arrays, "item_table": table.astype(np.float32), "user_table": np.zeros((1, 0), np.float32)}


def groups(arrays: dict[str, np.ndarray]) -> np.ndarray | None:
    """Return the data set of every user, (P,), where there are several and the learner sees the user; else None."""
    several = arrays["data_set"].max() > 0 and not arrays["hidden"]
    return arrays["data_set"] if several else None


def draw_order(arrays: dict[str, np.ndarray], random: np.random.Generator) -> np.ndarray | None:
    """Return all instances in the order of one seed, (N,), where the data are gone through once; else None."""
    return random.permutation(arrays["start"][-1]) if arrays["shuffled"] else None


def draw_block(arrays: dict[str, np.ndarray], arms: int, count: int, random: np.random.Generator) -> Rounds:
    """Draw `count` rounds. arrays: with "order" where the data are gone through once, the instances of these rounds."""
    start = arrays["start"]
    if "order" in arrays:
        instance = arrays["order"]
        pool = np.searchsorted(start, instance, side="right") - 1
    elif arrays["by_class"]:
        first = np.searchsorted(arrays["data_set"], np.arange(arrays["data_set"].max() + 2))
        data_set = random.integers(len(first) - 1, size=count)
        pool = first[data_set] + (random.random(count) * (first[data_set + 1] - first[data_set])).astype(np.int64)
        instance = start[pool] + (random.random(count) * (start[pool + 1] - start[pool])).astype(np.int64)
    else:
        instance = random.integers(start[-1], size=count)
        pool = np.searchsorted(start, instance, side="right") - 1
    rewards = (np.arange(arms)[None, :] == arrays["kind"][pool][:, None]).astype(np.float64)
    items = np.broadcast_to(instance[:, None], rewards.shape).astype(np.int32)
    users = np.zeros(count, np.int32) if arrays["hidden"] else pool.astype(np.int32)
    return Rounds(users, items, np.zeros_like(items), rewards, rewards)


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> UserGame:
    """Return a game that was frozen. name: digest of its arrays; facts, arrays: what is stored in it."""
    arrays, shape = unpack(arrays), (int(facts["users"]), int(facts["arms"]))
    return UserGame(name, facts, arrays, *shape, draw_block, groups(arrays), draw_order)


def freeze(path: Path, tidy: list[Path], role: str, *, user: str, serve: str, words: str, numbers: str) -> None:
    """Build a game from folders of tidy data and write it to `path`.

    role: the families of data that the paper names, joined by +; data of another family are a stand-in. words,
    numbers: what becomes of the attributes of a table; images have none.
    """
    from manybandits import datasets  # a game knows of data sets only here: their names for the record

    found = [datasets.load(folder.name).DATASET for folder in tidy]
    sources = [
        folder / ("rows.parquet" if d.kind == "rows" else "images.npz") for folder, d in zip(tidy, found, strict=True)
    ]
    choices = {"user": user, "serve": serve, "words": words, "numbers": numbers}
    settings = {"game": "classification", **choices, "role": role}
    provenance = Provenance({**settings, "datasets": [d.name for d in found]}, tuple(sources))
    parts = []
    for source in sources:
        if source.suffix == ".parquet":
            parts.append(from_rows(load_table(source), words, numbers))
        else:
            arrays = load_arrays(source)
            parts.append((arrays["images"].reshape(len(arrays["images"]), -1), arrays["labels"]))
    try:
        arrays = build(parts, user, serve)
    except InputError as error:
        raise InputError(f"{' + '.join(d.name for d in found)}: {error}") from error
    arms = int(arrays["kind"].max()) + 1
    stand_in = [d.family for d in found] != role.split("+")
    title = " + ".join(d.title for d in found)
    note = f"{title}, standing in for {role}" if stand_in else title
    notes = [NOTES[choice][word] for choice, word in choices.items() if word in NOTES.get(choice, {})]
    facts = {
        "kind": "classification",
        "users": 1 if user == "hidden" else len(arrays["kind"]),
        "items": len(arrays["features"]),
        "arms": arms,
        "blocks": arms,
        "dimension": arrays["features"].shape[1],
        "protocol": "paper",
        "role": role,
        "dataset": {
            "name": "+".join(d.name for d in found),
            "title": title,
            "completeness": "+".join(dict.fromkeys(d.completeness for d in found)),
        },
        "stand_in": stand_in,
        "data_note": "; ".join((note, f"user {user}", *notes)),
        "counts": {"classes": len(arrays["kind"]), "instances": len(arrays["features"])},
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    """Freeze a game from the command line."""
    parser = argparse.ArgumentParser(description="Freeze a classification game from tidy images or rows.")
    parser.add_argument("--user", default="class", help="class (default): the learner sees the user; or hidden")
    parser.add_argument(
        "--serve", default="instances", help="instances (default), classes or shuffled: what a round draws"
    )
    parser.add_argument("--words", default="columns", help="columns (default) or codes: what words become")
    parser.add_argument("--numbers", default="raw", help="raw (default) or standard: mean 0 and variance 1")
    parser.add_argument("--tidy", type=Path, nargs="+", required=True, help="folders of tidy data sets")
    parser.add_argument("--role", required=True, help="the families of data that the paper names, e.g. mnist+notmnist")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args(argv)
    settings = {name: getattr(given, name) for name in SETTINGS}
    check(settings)
    freeze(given.out, given.tidy, given.role, **settings)


if __name__ == "__main__":
    run_script(main)
