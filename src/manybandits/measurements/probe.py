"""A full-information probe of games: how often the arm with the highest prediction of a trained model pays.

    python -m manybandits.measurements.probe --games GAME.npz ... [--sizes 300 1000 ...] [--out STEM]

Logistic regression and boosted trees are trained on rounds of which the rewards of *all* arms are known, and choose
arms in other rounds. What they reach is a lower bound on what can be reached: a better model or more rounds may reach
more. A published number far beyond it was probably reached in another game.

The inputs of the models:

arm                  the features of the arm, as the game has them: of the item, or of item and rater
arm and user         and who is served: to logistic regression as weights of its own per user, beside the common ones;
                     to trees as a category (as a number, where users are more than categories) and by features, if the
                     game has features of the users served
products with user   the features of the arm, and their products with those of the user; not to trees, which find them

Where an arm is a place of one item, as in games of classes, the models predict the place that pays from the item.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError, run_script
from manybandits.base.table_files import DECIMALS, Markdown
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.users import Rounds, UserGame
from manybandits.measurements.command_line import parser_of, user_games, write
from manybandits.results.display_names import setting_words

SIZES = (300, 1_000, 3_000, 10_000, 30_000)
"""Training rounds of the learning curve: each has the rounds of the one before, and more."""
TESTED = 10_000
"""Rounds in which the models choose."""
HORIZON = 10_000
"""The rounds after which regret is stated, as in both neural papers."""
LARGEST = 20_000_000
"""The most input numbers, of trees times the classes, on which a model is trained: more would take minutes."""
MODELS = LOGISTIC, TREES = "logistic regression", "boosted trees"
ARM, USER, PRODUCTS = "arm", "arm and user", "products with user"
STATED = ("context", "pools")
"""The settings that the facts of every recommendation game state, whether they are changed or not."""
CATEGORIES = 255
"""The most categories that trees know of one input."""
DIGITS = 9
"""Decimals of predictions: those of two equal contexts may differ in the last ones, and are ties."""
NOTE = (
    f"Accuracy: the share of {TESTED:,} other rounds in which the arm with the highest prediction pays, with its "
    f"standard error. Regret: that of {HORIZON:,} such rounds. Models are told the rewards of all arms of their "
    "training rounds, as no bandit is. They are a lower bound on what can be reached: another model or more rounds may "
    "reach more."
)


class Inputs(NamedTuple):
    """What models predict from: a row per arm of each round or, where arms are places of one item, per round."""

    arm: np.ndarray  # (n, d): features of the arm
    item: np.ndarray  # (n, d'): those of the item among them
    user: np.ndarray  # (n,): who is served
    about: np.ndarray  # (n, d''): features of this user, d'' = 0 if the game has none


def draw(game: UserGame, rounds: int) -> tuple[Rounds, Rounds]:
    """Return training and test rounds, (B, K) arrays: at most `rounds`, and `TESTED`.

    They are of different seeds. A game that passes over its data once has both in one pass, so that they have no item
    in common, and a third of it at most is tested.
    """
    if game.max_horizon is None:
        return _rounds(game, 0, rounds), _rounds(game, 1, TESTED)
    whole = _rounds(game, 0, game.max_horizon)
    first = game.max_horizon - min(TESTED, game.max_horizon // 3)
    return Rounds(*(part[: min(first, rounds)] for part in whole)), Rounds(*(part[first:] for part in whole))


def _rounds(game: UserGame, seed: int, count: int) -> Rounds:
    """Return the first rounds of a seed, (B, K) arrays."""
    blocks = [game.rounds(np.array([seed]), block) for block in range(-(-count // BLOCK))]
    return Rounds(*(np.concatenate([part[0] for part in parts])[:count] for parts in zip(*blocks, strict=True)))


def inputs_of(game: UserGame, rounds: Rounds) -> Inputs:
    """Return what models predict the rewards of rounds from. Features have mean 0 and deviation 1 over their table."""
    items, raters = (_standardised(game.arrays[name]) for name in ("item_table", "user_table"))
    served = _standardised(game.arrays.get("served_table", np.zeros((game.users, 0))))
    users, offered, rated = (
        (part[:, :1] if game.lasting_arms else part).ravel() for part in (rounds.users, rounds.items, rounds.raters)
    )
    return Inputs(np.hstack([items[offered], raters[rated]]), items[offered], users, served[users])


def _standardised(table: np.ndarray) -> np.ndarray:
    """Return a table, (n, d), with columns of mean 0 and standard deviation 1; constant columns are 0."""
    deviation = table.std(axis=0, dtype=np.float64)
    return (table - table.mean(axis=0, dtype=np.float64)) / np.where(deviation > 1e-9, deviation, np.inf)


def matrix(given: Inputs, model: str, which: str, users: int) -> np.ndarray | sparse.csr_array:
    """Return the matrix that a model is trained on, (n, columns); trees have the user in the first column."""
    if which == ARM:
        return given.arm
    if model == TREES:
        return np.hstack([given.user[:, None], given.arm, given.about])
    if which == PRODUCTS:  # features of the user alone would be the same for all arms
        crossed = given.item[:, :, None] * given.about[:, None, :]
        return np.hstack([given.arm, crossed.reshape(len(given.item), -1)])
    copied = np.hstack([given.arm, np.ones((len(given.arm), 1))])
    n, d = copied.shape
    columns = given.user[:, None].astype(np.int64) * d + np.arange(d)
    own = sparse.csr_array((copied.ravel(), columns.ravel(), np.arange(n + 1) * d), shape=(n, users * d))
    return sparse.hstack([sparse.csr_array(given.arm), own], format="csr")


def estimator(model: str, which: str, users: int) -> Any:
    """Return an untrained model, with the defaults of scikit-learn and no early stopping, which would need rounds."""
    if model == LOGISTIC:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(max_iter=1_000)
    from sklearn.ensemble import HistGradientBoostingClassifier

    category = [0] if which != ARM and users <= CATEGORIES else None
    return HistGradientBoostingClassifier(categorical_features=category, early_stopping=False, random_state=0)


def outcome(scores: np.ndarray, rewards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the reward of the arm with the highest score, (B,), and its regret, of rounds of K arms, (B, K) each.

    Of several highest ones the mean counts, as if one was drawn: the first one would favour a position.
    """
    shown = scores.round(DIGITS)
    best = shown == shown.max(axis=1, keepdims=True)
    gained = (best * rewards).sum(axis=1) / best.sum(axis=1)
    return gained, rewards.max(axis=1) - gained


def probe(game: UserGame, sizes: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield a row per model, inputs and number of training rounds; raise InputError if rewards are not 0 and 1."""
    training, tested = draw(game, max(sizes))
    if not np.isin(training.rewards, (0, 1)).all():
        raise InputError(f"{game.facts['name']}: the probe needs rewards of 0 and 1; leave this game out.")
    known, asked, places = inputs_of(game, training), inputs_of(game, tested), bool(game.lasting_arms)
    target = training.rewards.argmax(axis=1) if places else training.rewards.ravel().astype(np.int64)
    per_round, classes = (1, game.arms) if places else (game.arms, 1)
    inputs = [ARM, *([USER] if game.users > 1 else [])]
    crossed = [(LOGISTIC, PRODUCTS)] if known.about.shape[1] else []
    for model, which in (*itertools.product(MODELS, inputs), *crossed):
        taught, choosing = (matrix(one, model, which, game.users) for one in (known, asked))
        for size in sizes:
            part = taught[: per_round * size]
            # The size of a sparse matrix is that of the numbers that it stores. Trees are grown for each class.
            if size > len(training.rewards) or part.size * (classes if model == TREES else 1) > LARGEST:
                continue
            fitted = estimator(model, which, game.users).fit(part, target[: per_round * size])
            found, scores = fitted.predict_proba(choosing), np.zeros(tested.rewards.shape)
            if places:
                scores[:, fitted.classes_] = found
            else:
                scores[:] = found[:, -1].reshape(scores.shape)
            gained, regret = outcome(scores, tested.rewards)
            yield {
                "model": model,
                "inputs": which,
                "rounds": size,
                "accuracy": gained.mean(),
                "error": gained.std() / np.sqrt(len(gained)),
                "regret": HORIZON * regret.mean(),
                "chance": tested.rewards.mean(),
            }


def measure(games: Sequence[UserGame], sizes: Sequence[int]) -> pd.DataFrame:
    """Return a row per game, model, inputs and number of training rounds. games: the rungs of a ladder in order."""
    rows: list[dict[str, Any]] = []
    before: dict[str, Mapping[str, Any]] = {}  # the rung before of the same data
    with threadpool_limits(1):  # the order of sums, and with it the last digits, depends on the threads
        for game in games:
            role = str(game.facts["role"])
            names = {"data": role, "game": game.facts["name"], "rung": rung(game.facts, before.get(role))}
            rows += [{**names, **row} for row in probe(game, sizes)]
            before[role] = game.facts
    return pd.DataFrame(rows)


def rung(facts: Mapping[str, Any], before: Mapping[str, Any] | None) -> str:
    """Return what a game changes of the one before it: the settings that differ, or its name if that does.

    Settings that every recommendation game states (`STATED`) are left out after a name.
    """
    name = game_name(facts)
    if before is not None and name == game_name(before):
        new, old = (one.get("settings", {}) for one in (facts, before))
        changed = [f"{key} {value}" for key, value in new.items() if value != old.get(key)]
        return ", ".join([*changed, *(f"not {key} {value}" for key, value in old.items() if key not in new)]) or name
    own = [f"{key} {value}" for key, value in facts.get("settings", {}).items() if key not in STATED]
    return ", ".join([name, *own])


def game_name(facts: Mapping[str, Any]) -> str:
    """Return the name of the game of which a file was frozen: what stands before its protocol, or its kind.

    >>> game_name({"name": "m-cnb-paper-movielens-1m", "protocol": "paper", "kind": "recommendation"})
    'm-cnb'
    """
    name, _, data = str(facts["name"]).partition(f"-{facts.get('protocol')}-")
    return name if data else str(facts["kind"])


def markdown(table: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield the heading and the table of each game in Markdown."""
    columns = ["model", "inputs", "training rounds", "accuracy", "regret"]
    for (game, step), rows in table.groupby(["game", "rung"], sort=False):
        cells = []
        for row in rows.to_dict("records"):
            reached = Markdown.spread(row["accuracy"], row["error"], ".3f"), f"{row['regret']:,.0f}"
            cells.append([row["model"], row["inputs"], f"{row['rounds']:,}", *reached])
        heading = f"**{Markdown.text(game)}** ({Markdown.text(setting_words(str(step)))})"
        yield heading, Markdown.table(columns, "llrrr", cells)


def main(argv: list[str] | None = None) -> None:
    parser = parser_of("Probe games with all rewards known.", "Full-information probe", repeated=False)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of training rounds")
    args = parser.parse_args(argv)
    games = user_games(args)
    table = measure(games, sorted(args.sizes)).round(DECIMALS)
    write(args, table, markdown(table), NOTE, [game.facts for game in games], sizes=args.sizes)


if __name__ == "__main__":
    run_script(main)
