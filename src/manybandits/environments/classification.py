"""Classification games: arm k is an instance x in place k of K, and the arm of its class pays.

Source: M-CNB section 6 and Meta-Ban section 7. The context of arm k is zero but for the d features of x:

arms = blocks     d K numbers, with x in block k (M-CNB; Zhou et al. 2020, which both papers follow)
arms = shifted    d + K - 1 numbers, with x from entry k on, so that arms overlap (Meta-Ban, "R^(d+9)" with ten arms)

The arm pays 1 if k is the class of x, else 0. Each class of each data set is a user, and its instances are the user's
data. For an algorithm that clusters items, the K places are the items, because an instance is offered only once.

user = arm        arm k is presented to the user of class k of the round's data set, as M-CNB states: each arm is judged
                  by, and observed for, a user of its own, and nobody is told the class
user = class      the policy sees the user from whose data x is, which tells it the class
user = hidden     it does not: to the policy, all instances belong to one user

With two data sets (MNIST + notMNIST) a round draws a data set, then one of its classes, then an instance. The
distribution over the classes of a single data set is not stated: `serve` = instances draws an instance of the data, so
that large classes are served often; `serve` = classes draws a class first. LNUCB-TA (Table 2) follows Zhang et al.
2021, *Neural Thompson sampling*: `serve` = shuffled passes over the data once, in an order that the seed draws. Of
several data sets, a fair draw then says whose next instance it is, for as many rounds as the smallest one has
instances.

Contexts have length 1. `pixels` = released makes them as the loader of images does that was published with M-CNB
(``load_notmnist_mnist_2``, January 2022 to July 2024): MNIST's training images are standardised by the mean and the
deviation of all pixels, so that their length is about 28, and notMNIST's images have length 1. Its whole game is
`user` = class, `arms` = shifted, `serve` = shuffled, `pixels` = released on mnist+notmnist, but its 18,000 images of
notMNIST are not available: notMNIST (small), with 18,724, stands in for them.

A categorical attribute becomes one column per word (`words` = columns), or one number (codes): the place of the word in
the alphabet, -1 for a question mark. The latter is how OpenML returns the data sets as arrays, which Zhang et al.
played. A numerical attribute is left as it is (`numbers` = raw) or gets mean 0 and variance 1 over the data (standard).
Rows are scaled to length 1, so that raw numbers of some thousands dominate a row.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import Provenance, load_arrays, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.users import Rounds, UserGame, alike
from manybandits.environments.layout import FLAG, ArraySpec, indices, reals, starts
from manybandits.features.factors import unit_rows

if TYPE_CHECKING:
    from manybandits.datasets.base import Dataset

LAYOUT = {
    "features": reals("items", "dimension"),
    "start": starts("classes", into="items"),
    "kind": indices("classes", into="arms"),
    "data_set": indices("classes", into="classes"),
    "hidden": FLAG,
    "by_class": FLAG,
    "shuffled": FLAG,
    "each_arm_its_user": FLAG.maybe,
    "standardised": ArraySpec(("classes",), "b").maybe,
}
SETTINGS: dict[str, Any] = {
    "user": "arm",
    "arms": "blocks",
    "serve": "instances",
    "words": "columns",
    "numbers": "raw",
    "pixels": "unit",
}
"""The settings of the game, with their defaults."""
MEANINGS = {
    "user": "arm: arm k is presented to the user of class k; class: the policy sees the class; or hidden",
    "arms": "contexts of arms: blocks, or shifted by one entry each",
    "serve": "what a round draws: instances, classes or shuffled",
    "words": "encoding of categorical attributes: columns or codes",
    "numbers": "numerical attributes: raw or standard (mean 0, variance 1)",
    "pixels": "images: unit (length 1) or released",
}
WORDS = {
    "user": ("arm", "class", "hidden"),
    "arms": ("blocks", "shifted"),
    "serve": ("instances", "classes", "shuffled"),
    "words": ("columns", "codes"),
    "numbers": ("raw", "standard"),
    "pixels": ("unit", "released"),
}
NOTES = {
    "arms": {"shifted": "arms shifted by one entry each"},
    "serve": {"shuffled": "each instance once"},
    "words": {"codes": "words as codes"},
    "numbers": {"standard": "numbers standardised"},
    "pixels": {"released": "pixels as in the public loader"},
}
MEAN, DEVIATION = 0.1307, 0.3081
"""Of MNIST's pixels between 0 and 1, as the public loader has them."""
UNKNOWN = "?"
"""The word that data sets use for an unknown value."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings."""
    for name, words in WORDS.items():
        pick(settings[name], words, name)


def from_rows(table: pd.DataFrame, words: str = "columns", numbers: str = "raw") -> tuple[np.ndarray, np.ndarray]:
    """Return features, (N, d) float64, and labels, (N,), of a table with a column ``label``.

    words, numbers: how categorical and numerical columns are encoded.
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
    """Return words as their places in the alphabet, with -1 for unknown ones; return a column of numbers unchanged."""
    if pd.api.types.is_numeric_dtype(column):
        return column
    known = sorted(set(column) - {UNKNOWN})
    return pd.Series(pd.Categorical(column, known).codes, column.index, np.float64)


def build(parts: list[tuple[np.ndarray, np.ndarray]], user: str, serve: str) -> dict[str, np.ndarray]:
    """Return the arrays of a game. parts: features, (N, d), and labels, (N,), of each data set.

    features: (I, d), sorted by class; class p has the rows start[p]:start[p + 1] and is class kind[p] of its data set,
    data_set[p]. Raises InputError if data sets differ in their number of features.
    """
    widths = {features.shape[1] for features, _ in parts}
    if len(widths) > 1:
        raise InputError(f"data sets of {sorted(widths)} attributes cannot share a game: their contexts differ.")
    features, kinds, starts, count = [], [], [np.zeros(1, np.int64)], 0
    for matrix, labels in parts:
        names, kind = np.unique(labels, return_inverse=True)
        features.append(matrix[np.argsort(kind, kind="stable")])
        kinds.append(np.arange(len(names)))
        starts.append(count + np.cumsum(np.bincount(kind)))
        count += len(kind)
    arrays = {
        "features": np.concatenate(features),
        "start": np.concatenate(starts),
        "kind": np.concatenate(kinds),
        "data_set": np.repeat(np.arange(len(parts)), [len(kind) for kind in kinds]),
        "hidden": np.array(user == "hidden"),
        "by_class": np.array(serve == "classes" or len(parts) > 1),
        "shuffled": np.array(serve == "shuffled"),
    }
    return {**arrays, "each_arm_its_user": np.array(True)} if user == "arm" else arrays


def unpack(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the arrays with the tables that contexts are composed of: item_table, (I, d) float32."""
    rows = arrays["features"].astype(np.float32)
    table = unit_rows(rows)
    if "standardised" in arrays:
        chosen = np.repeat(arrays["standardised"], np.diff(arrays["start"]))
        table[chosen] = (rows[chosen] / 255 - MEAN) / DEVIATION
    return {**arrays, "item_table": table.astype(np.float32), "user_table": np.zeros((1, 0), np.float32)}


def groups(arrays: dict[str, np.ndarray]) -> np.ndarray | None:
    """Return the data set of each user, (n,), if there are several and the policy sees the user; else None."""
    data_sets = int(arrays["data_set"].max()) + 1
    if data_sets == 1 or arrays["hidden"]:
        return None
    return np.repeat(np.arange(data_sets), classes(arrays)) if "each_arm_its_user" in arrays else arrays["data_set"]


def classes(arrays: dict[str, np.ndarray]) -> int:
    """Return K, the largest number of classes of a data set."""
    return int(arrays["kind"].max()) + 1


def users(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Return the user of each class, (P,). If each arm has its user, class k of data set s is user s K + k."""
    if arrays["hidden"]:
        return np.zeros_like(arrays["kind"])
    if "each_arm_its_user" in arrays:
        return arrays["data_set"] * classes(arrays) + arrays["kind"]
    return np.arange(len(arrays["kind"]))


def draw_order(arrays: dict[str, np.ndarray], random: np.random.Generator) -> np.ndarray | None:
    """Return the instances in the order of one seed, if the game passes over the data once; else None.

    All instances of a data set, (N,); of several ones, as many as the smallest has, so that none is exhausted.
    """
    if not arrays["shuffled"]:
        return None
    first = arrays["start"][np.searchsorted(arrays["data_set"], np.arange(arrays["data_set"].max() + 2))]
    if len(first) == 2:
        return random.permutation(first[-1])
    orders = [start + random.permutation(size) for start, size in zip(first, np.diff(first), strict=False)]
    data_set = random.integers(len(orders), size=min(map(len, orders)))
    order = np.empty_like(data_set)
    for number, instances in enumerate(orders):
        order[data_set == number] = instances[: (data_set == number).sum()]
    return order


def draw_block(arrays: dict[str, np.ndarray], arms: int, count: int, random: np.random.Generator) -> Rounds:
    """Draw `count` rounds.

    arrays: with "order", the instances of these rounds, if the game passes over the data once.
    """
    start = arrays["start"]
    if "order" in arrays:
        instance = arrays["order"]
    elif arrays["by_class"]:
        first = np.searchsorted(arrays["data_set"], np.arange(arrays["data_set"].max() + 2))
        data_set = random.integers(len(first) - 1, size=count)
        pool = first[data_set] + (random.random(count) * (first[data_set + 1] - first[data_set])).astype(np.int64)
        instance = _one_of(arrays, pool, random)
    else:
        instance = random.integers(start[-1], size=count)
    return rounds_of(arrays, arms, instance)


def draw_first(arrays: dict[str, np.ndarray], arms: int, random: np.random.Generator) -> tuple[np.ndarray, Rounds]:
    """Return all users with data, (m,), and a round of each with an instance of its class; any, if users are hidden."""
    if arrays["hidden"]:
        return np.zeros(1, np.int64), rounds_of(arrays, arms, random.integers(arrays["start"][-1], size=1))
    return users(arrays), rounds_of(arrays, arms, _one_of(arrays, np.arange(len(arrays["kind"])), random))


def _one_of(arrays: dict[str, np.ndarray], pool: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw an instance of each of these classes, (B,)."""
    start = arrays["start"]
    return start[pool] + (random.random(len(pool)) * (start[pool + 1] - start[pool])).astype(np.int64)


def rounds_of(arrays: dict[str, np.ndarray], arms: int, instance: np.ndarray) -> Rounds:
    """Return the rounds that offer these instances, (B,)."""
    pool = np.searchsorted(arrays["start"], instance, side="right") - 1
    rewards = (np.arange(arms)[None, :] == arrays["kind"][pool][:, None]).astype(np.float64)
    items = np.broadcast_to(instance[:, None], rewards.shape).astype(np.int32)
    if "each_arm_its_user" in arrays:
        served = (arrays["data_set"][pool][:, None] * arms + np.arange(arms)).astype(np.int32)
    else:
        served = alike(users(arrays)[pool], arms)
    return Rounds(served, items, np.zeros_like(items), rewards, rewards)


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> UserGame:
    if (arrays["data_set"][1:] < arrays["data_set"][:-1]).any():
        raise InputError("the classes of a data set are not beside one another; freeze the game again.")
    arrays, shape = unpack(arrays), (facts["users"], facts["arms"])
    return UserGame(name, facts, arrays, *shape, draw_block, groups(arrays), draw_order, draw_first)


def freeze(
    path: Path,
    tidy: list[Path],
    role: str,
    dataset: Dataset | None = None,
    *,
    user: str,
    arms: str,
    serve: str,
    words: str,
    numbers: str,
    pixels: str,
) -> None:
    """Build a game from folders of tidy data and write it to `path`.

    role: the families of data that the paper names, joined by +. Data of another family are a stand-in. dataset: what
    the data are, by default the data sets that the folders are named after. words, numbers: how categorical and
    numerical attributes of a table are encoded; images have none. pixels: how images of MNIST and notMNIST are scaled.
    """
    from manybandits import datasets  # games use data sets only here, for names in their facts

    found = [dataset] if dataset else [datasets.of_folder(folder) for folder in tidy]
    sources = [
        folder / ("rows.parquet" if d.kind == "rows" else "images.npz") for folder, d in zip(tidy, found, strict=True)
    ]
    choices = {"user": user, "arms": arms, "serve": serve, "words": words, "numbers": numbers, "pixels": pixels}
    check(choices)
    released = pixels == "released"
    if released and not {d.family for d in found} <= {"mnist", "notmnist"}:
        raise InputError(
            f"pixels released are those of a loader of MNIST and notMNIST, not of {' + '.join(d.name for d in found)}: "
            "give pixels unit."
        )
    settings = {"game": "classification", **choices, "role": role}
    provenance = Provenance({**settings, "datasets": [d.name for d in found]}, tuple(sources))
    parts = []
    for source in sources:
        if source.suffix == ".parquet":
            parts.append(from_rows(load_table(source), words, numbers))
        else:
            arrays = load_arrays(source)
            kept = arrays["split"] == 0 if released and "split" in arrays else slice(None)
            images = arrays["images"][kept]
            parts.append((images.reshape(len(images), -1), arrays["labels"][kept]))
    try:
        arrays = build(parts, user, serve)
    except InputError as error:
        raise InputError(f"{' + '.join(d.name for d in found)}: {error}") from error
    if released:
        arrays["standardised"] = np.array([d.family == "mnist" for d in found])[arrays["data_set"]]
    # The loader's own images of notMNIST are not available.
    other = released and "notmnist" in {d.family for d in found}
    stand_in = [d.family for d in found] != role.split("+") or other
    title = " + ".join(d.title for d in found)
    note = f"{title}, standing in for {'the images of the public loader' if other else role}" if stand_in else title
    notes = [NOTES[choice][word] for choice, word in choices.items() if word in NOTES.get(choice, {})]
    facts = {
        "kind": "classification",
        "users": len(parts) * classes(arrays) if user == "arm" else int(users(arrays).max()) + 1,
        "items": len(arrays["features"]),
        "arms": classes(arrays),
        "blocks": 1 if arms == "shifted" else classes(arrays),
        "shifted": arms == "shifted",
        "dimension": arrays["features"].shape[1],
        "protocol": "paper",
        "role": role,
        "dataset": {
            **found[0].facts,
            "name": "+".join(d.name for d in found),
            "title": title,
            "completeness": "+".join(dict.fromkeys(d.completeness for d in found)),
        },
        "stand_in": stand_in,
        "settings": choices,
        "data_note": "; ".join((note, f"user {user}", *notes)),
        "counts": {"classes": len(arrays["kind"]), "instances": len(arrays["features"])},
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    freeze(**read_settings(argv, "Freeze a game of classification from images or rows.", SETTINGS, MEANINGS, "folders"))


if __name__ == "__main__":
    run_script(main)
