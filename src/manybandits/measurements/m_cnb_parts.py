"""Run time of the parts of a round of M-CNB, for growing numbers of users: Table 1 of the paper.

    python -m manybandits.measurements.m_cnb_parts [--games GAME.npz] [--rounds 30] [--repeats 6] [--out STEM]

One replica on one core, K = 10, width 100, after line 3 and a few rounds of warm-up, with the default of every option:
all users of a cluster learn, and the meta-learner adapts to every arm on a draw of each of its members. A repeat has
its own seed. The users are the raters with the most ratings in a frozen game of M-CNB's, each a user of its own, since
the paper varies n on its ratings. A number of users that the data do not have is not measured. Without a game, users
are made.

"choice of an arm" is lines 5 to 11, all arms, of which the paper states how its time grows, but no seconds. Section 4
speaks of "a few samples" of a cluster: the adaptation is also timed on `FEW` of them, however large the cluster is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.algorithms import contract
from manybandits.algorithms.neural import m_cnb
from manybandits.base import seeds as streams
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Markdown
from manybandits.environments import recommendation, synthetic
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.users import UserGame
from manybandits.environments.opinions import ARMS
from manybandits.harness.neural import play_batched, start
from manybandits.measurements.command_line import made, parser_of, write

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
"""Numbers of users. Those of the paper, and 1,000 and 2,000, because a smaller data set has no more than two of its."""
STATED = (500, 5_000, 10_000, 20_000)
FEW = 10
"""A few samples of a cluster."""
FEW_SAMPLES = f"meta adaptation on {FEW} samples"
PAPER = {
    "clustering": (0.006, 0.057, 0.113, 0.228),
    "meta adaptation": (0.003, 0.002, 0.003, 0.003),
    "user-learner training": (0.067, 0.068, 0.096, 0.078),
}
"""Part -> the seconds of a round in the paper, at the numbers of users `STATED`."""
PARTS = ("clustering", "meta adaptation", FEW_SAMPLES, "user-learner training", "choice of an arm")
NOTE = (
    "CPU seconds of a round on one core, mean over repeats; other work on the machine does not count. The paper's are "
    "those of a server with a V100."
)
WARM = 5
"""Rounds of warm-up, which are not timed."""


class Timed:
    """A wrapper of a function that adds up the seconds of its calls, except the first `WARM`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.calls, self.seconds = function, 0, 0.0

    def __call__(self, *given: Any) -> Any:
        began = time.process_time()
        result = self.function(*given)
        self.calls += 1
        if self.calls > WARM:
            self.seconds += time.process_time() - began
        return result


def by_rater(arrays: Mapping[str, np.ndarray], users: int) -> dict[str, np.ndarray]:
    """Return the arrays of a game of M-CNB's whose users are the raters with the most entries, each on its own.

    arrays: those of a frozen game, in which the users are groups of raters; users: how many raters are kept. A round
    serves a rater with an entry that pays and `ARMS - 1` that do not.
    """
    raters = len(arrays["group"])
    entries = sum(np.bincount(arrays[f"{kind}_rater"], minlength=raters) for kind in ("paying", "other"))
    kept = np.sort(np.argsort(-entries, kind="stable")[:users])
    number = np.full(raters, -1)
    number[kept] = np.arange(len(kept))
    found = {name: arrays[name] for name in ("item_table", "user_table", "replace")}
    counts = {}
    for kind in ("paying", "other"):
        own = number[arrays[f"{kind}_rater"]]
        order = np.argsort(own, kind="stable")[np.count_nonzero(own < 0) :]
        counts[kind] = np.bincount(own[order], minlength=len(kept))
        found[f"{kind}_start"] = np.concatenate([[0], np.cumsum(counts[kind])])
        found[f"{kind}_item"] = arrays[f"{kind}_item"][order]
        found[f"{kind}_rater"] = arrays[f"{kind}_rater"][order]
    served = np.flatnonzero((counts["paying"] >= 1) & (counts["other"] >= ARMS - 1))
    return {**found, "serve_start": np.arange(len(served) + 1), "serve_pool": served, "group": arrays["group"]}


def made_game(users: int) -> UserGame:
    """Return a synthetic game with this number of users."""
    arrays = synthetic.build(users=users, clusters=50, items=2_000, dimension=10, noise=0.1)
    return synthetic.game(f"parts-{users}", {"users": users, "arms": ARMS}, arrays)


def games_of(path: Path | None) -> tuple[list[tuple[int, UserGame]], dict[str, Any]]:
    """Return numbers of users and the games that have them, and the facts of their data. path: a frozen game."""
    if path is None:
        return [(users, made_game(users)) for users in SIZES], made("movielens", "synthetic users")
    frozen = load_game(path)
    raters = len(frozen.arrays["group"])
    sizes = [users for users in SIZES if users <= raters] or [raters]
    games = []
    for users in sizes:
        facts = {**frozen.facts, "users": users, "arms": ARMS}
        games.append((users, recommendation.game(f"parts-{users}", facts, by_rater(frozen.arrays, users))))
    return games, frozen.facts


def parts(game: UserGame, rounds: int, seed: int, **options: int) -> dict[str, float]:
    """Return the seconds of a round of each part. options: those of M-CNB that are not the default."""
    chosen = contract.stack([contract.complete(m_cnb, options, "the measurement")])
    player = start(game, m_cnb, rounds + WARM, chosen, streams.words(np.array([seed]), "policy"), "cpu")
    player.clusters = clustering = Timed(player.clusters)
    player.sgd_meta = adapting = Timed(player.sgd_meta)
    player.users.step = training = Timed(player.users.step)
    player.select = choosing = Timed(player.select)
    play_batched(game, player, Batch(np.array([seed]), np.array([rounds + WARM])))
    timed = {
        "clustering": clustering,
        "meta adaptation": adapting,
        "user-learner training": training,
        "choice of an arm": choosing,
    }
    return {part: one.seconds / rounds for part, one in timed.items()}


def measure(games: Sequence[tuple[int, UserGame]], rounds: int, repeats: int) -> pd.DataFrame:
    """Return the seconds of a round, one row per part, number of users and repeat."""
    rows = []
    for users, game in games:
        for repeat in range(repeats):
            found = parts(game, rounds, repeat)
            found[FEW_SAMPLES] = parts(game, rounds, repeat, samples=FEW)["meta adaptation"]
            rows += [(part, users, repeat, round(found[part], 6), stated(part, users)) for part in PARTS]
    columns = ["part", "users", "repeat", "seconds", "seconds_in_the_paper"]
    return pd.DataFrame(rows, columns=columns).sort_values("part", key=lambda p: p.map(PARTS.index), kind="stable")


def stated(part: str, users: int) -> float:
    """Return the seconds of a part in the paper, NaN where it states none."""
    known = PAPER.get("meta adaptation" if part == FEW_SAMPLES else part, ())
    return dict(zip(STATED, known, strict=False)).get(users, np.nan)


def markdown(table: pd.DataFrame) -> str:
    """Return the table as Markdown: means and standard deviations over repeats."""
    cells = []
    for (part, users), rows in table.groupby(["part", "users"], sort=False):
        given = rows["seconds_in_the_paper"].iloc[0]
        spread = rows["seconds"].std(ddof=0)
        row = [f"{rows['seconds'].mean():.4f}", f"{spread:.4f}", "" if np.isnan(given) else f"{given:.3f}"]
        cells.append([str(part), f"{users:,}", *row])
    columns = ["part", "users", "seconds", "their deviation", "in the paper"]
    return Markdown.table(columns, "lrrrr", cells)


def main(argv: list[str] | None = None) -> None:
    parser = parser_of("Time the parts of a round of M-CNB.", "M-CNB, Table 1: seconds of a round by its parts")
    parser.add_argument("--rounds", type=int, default=30)
    args = parser.parse_args(argv)
    games, data = games_of(args.games[0] if args.games else None)
    table = measure(games, args.rounds, args.repeats)
    write(args, table, [("", markdown(table))], NOTE, [data], rounds=args.rounds, repeats=args.repeats)


if __name__ == "__main__":
    run_script(main)
