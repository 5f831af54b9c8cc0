"""Time and memory of a round as a game grows: more users, arms, dimensions, rounds or seeds.

    python benchmarks/scale_of_a_game.py [--algorithms club] [--axes users rounds] [--cap 60]

One or two algorithms of each family play games in which one size grows and the others stay at `BASE`. Each play has a
process of its own, so that its peak memory is its own. Rows are added to ``scale_of_a_game.csv``, beside this file, as
they are measured; a row that is there is not measured again, so that a stopped run goes on. A play that needs more than
`MEMORY` or `--cap` seconds of one core is left out, with what stopped it, and so are the larger ones of its axis.

Seconds are those of the processor, so that other work on the machine matters little. Neither compiling nor the start
is part of the time of a round. Which
items are offered is drawn as cheaply as can be, so that the time is that of the algorithm; Random, which does nothing,
plays the game as it is, and so shows what drawing its rounds takes.
``scale_of_a_game.json`` has the machine: the multiply-adds that one core does in a second.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import multiprocessing
import platform
import re
import resource
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.linear_policies import multiply_adds_per_second

from manybandits.algorithms import catalogue, contract
from manybandits.base.artifacts import save_json
from manybandits.base.exceptions import InputError
from manybandits.environments import instances, synthetic
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.game import BLOCK, Game
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.environments.kinds.users import Rounds, UserGame, alike
from manybandits.harness.arguments import NEURAL_HARNESS
from manybandits.harness.replicas import batches_of, checkpoint_rounds, start_states

TABLE = Path(__file__).with_suffix(".csv")
AXES = {
    "users": (100, 2_000, 50_000, 1_000_000),
    "arms": (10, 100, 1_000, 10_000),
    "dimension": (10, 50, 200, 800),  # the largest matrices that linear algorithms keep
    "rounds": (10_000, 100_000, 1_000_000, 10_000_000),
    "seeds": (1, 10, 100, 1_000),
}
BASE = {"users": 100, "arms": 10, "dimension": 10, "seeds": 1}
FAMILIES = {  # algorithm -> its family
    "random": "drawing the rounds",
    "linucb_one": "linear, one model",
    "linucb_ind": "linear, a model per user",
    "club": "clustering",
    "sclub": "clustering",
    "ols_bandit": "multi-task",
    "rmbandit": "multi-task",
    "knn_ucb": "nearest neighbours",
    "kernel_ucb": "kernel",
    "neuucb_one": "neural",
    "m_cnb": "neural",
}
ROUNDS = {"kernel_ucb": 1000, "knn_ucb": 1000, "neuucb_one": 300, "m_cnb": 300}
"""Rounds of a play on the axes other than rounds, 6,000 unless named: enough to be timed."""
MOST = 6000
LAPS, BRIEF = 4, 0.8
"""Plays that take few seconds are played up to so many times, until they took so many seconds."""
MEMORY = 8 * 2**30
"""Bytes of data that a play may have."""


class Row(NamedTuple):
    """A play that was measured, or left out."""

    algorithm: str
    title: str
    family: str
    axis: str
    size: int
    rounds: int  # of each replica
    start_seconds: float | None = None  # of making the states of the replicas, no part of the time of a round
    microseconds: float | None = None  # of one core, for a round of one replica
    seconds: float | None = None  # of one core, for the whole play
    idle_mb: float | None = None  # of the process before the game was made
    memory_mb: float | None = None  # its peak
    limit: str = ""  # what stopped it: memory or time
    asked_gib: float | None = None  # the memory that it asked for in vain


def draw_windows(arrays: dict[str, np.ndarray], arms: int, count: int, random: np.random.Generator) -> Rounds:
    """Draw rounds of the synthetic game that offer K consecutive items, which is cheaper than K different ones."""
    theta, table = arrays["theta"], arrays["item_table"]
    users = random.integers(len(theta), size=count)
    items = ((random.integers(len(table), size=(count, 1)) + np.arange(arms)) % len(table)).astype(np.int32)
    expected = np.einsum("bd,bkd->bk", theta[users], table[items])
    rewards = expected + arrays["noise"] * random.normal(size=expected.shape)
    return Rounds(alike(users, arms), items, np.zeros_like(items), rewards, expected)


def game_of(name: str, size: dict[str, int]) -> Game:
    """Return a game of a size that an algorithm can play."""
    users, arms, dimension = size["users"], size["arms"], size["dimension"]
    facts: dict[str, Any] = {"name": f"scale {users} {arms} {dimension}", "counts_first": False}
    if FAMILIES[name] == "multi-task":
        given = {"instances": users, "arms": arms, "dimension": dimension}
        arrays = instances.build(**{**instances.SETTINGS, **given})
        drawing = instances.draw_population, instances.draw_arrivals
        return InstanceGame(facts["name"], facts, arrays, users, arms, dimension, *drawing)
    arrays = synthetic.build(users=users, clusters=10, items=max(1000, 2 * arms), dimension=dimension)
    drawn = synthetic.draw_block if name == "random" else draw_windows, synthetic.groups(arrays)
    return UserGame(facts["name"], facts, arrays, users, arms, *drawn, draw_first=synthetic.draw_first)


class Timed(NamedTuple):
    """Processor seconds of a play."""

    start: float  # until the first round can be drawn
    whole: float
    a_round: float  # of one replica, without the start


def timed(game: Game, name: str, horizon: int, rounds: int, seeds: int) -> Timed:
    """Play the first `rounds` of a horizon as the harness does, batch by batch.

    The first block of rounds is not part of the time of a round, if there are others: it draws what a seed draws once.
    """
    algorithm, numbers = catalogue.load(name), np.arange(seeds)
    settings = [contract.complete(algorithm, {}, "benchmark")] * seeds
    began = time.process_time()
    batches = batches_of(game, algorithm, horizon, settings, list(numbers), 2**30, "cpu")
    start, spent, played = time.process_time() - began, 0.0, 0
    for members in batches:
        here = time.process_time()
        chosen = [settings[r] for r in members]
        state = start_states(game, algorithm, horizon, chosen, numbers[members], "cpu")
        marks = [time.process_time()]
        start += marks[0] - here
        batch = Batch(numbers[members], checkpoint_rounds(rounds), 1, lambda _, m=marks: m.append(time.process_time()))
        if hasattr(algorithm, "Policy"):
            importlib.import_module(NEURAL_HARNESS).play_batched(game, state, batch)
        else:
            game.play(algorithm, state, batch)
        first = 1 if len(marks) > 2 else 0
        spent += marks[-1] - marks[first]
        played += (rounds - first * BLOCK) * len(members)
    return Timed(start, time.process_time() - began, spent / played)


def rounds_of(name: str, size: dict[str, int]) -> int:
    """Return how many rounds are played on the axes other than rounds.

    RMBandit needs more in larger games: those of its first batch, in which it does not choose, grow with them.
    """
    grown = size["users"] * size["arms"] * size["dimension"] if name == "rmbandit" else 0
    return max(ROUNDS.get(name, MOST), grown)


def peak_mb() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def measure(name: str, axis: str, size: int, rounds: int, cap: int, pipe: Connection) -> None:
    """Send the fields of a row that are measured, in a process that is limited in memory and processor seconds."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    used = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + cap, used + cap + 10))
    idle = peak_mb()
    sizes = BASE | ({axis: size} if axis in BASE else {})
    try:
        game, laps = game_of(name, sizes), []
        while len(laps) < LAPS and time.process_time() < used + BRIEF:
            laps.append(timed(game, name, rounds, rounds, sizes["seeds"]))
    except (MemoryError, InputError) as error:
        if isinstance(error, InputError) and "GiB" not in str(error):
            raise
        asked = re.search(r"([\d.,]+) ([MGT])iB", str(error))
        scale = {"M": 2**-10, "G": 1.0, "T": 2.0**10}
        amount = float(asked[1].replace(",", "")) * scale[asked[2]] if asked else None
        pipe.send({"limit": "memory", "asked_gib": amount})
        return
    start, whole, a_round = np.median(laps[1:] or laps, axis=0)  # the first lap warms the process up
    pipe.send(
        {
            "start_seconds": round(start, 3),
            "microseconds": round(1e6 * a_round, 3),
            "seconds": round(whole, 3),
            "idle_mb": round(idle, 1),
            "memory_mb": round(peak_mb(), 1),
        }
    )


def unmeasured(name: str, axis: str, size: int) -> Row:
    """Return the row of a play that was not measured yet."""
    rounds = size if axis == "rounds" else rounds_of(name, BASE | ({axis: size} if axis in BASE else {}))
    return Row(name, catalogue.load(name).TITLE, FAMILIES[name], axis, size, rounds)


def measured(name: str, axis: str, size: int, cap: int) -> Row:
    """Measure one play in a process of its own."""
    row = unmeasured(name, axis, size)
    here, there = multiprocessing.Pipe(duplex=False)
    fork = multiprocessing.get_context("fork")
    child = fork.Process(target=measure, args=(name, axis, size, row.rounds, cap, there))
    child.start()
    there.close()
    try:
        found = here.recv()
    except EOFError:
        found = {"limit": "time"}
    child.join()
    if child.exitcode not in (0, -signal.SIGXCPU):
        raise RuntimeError(f"{name} with {size} {axis} ended with exit status {child.exitcode}: see its message above.")
    return row._replace(**found)


def too_long(before: list[Row], size: int, cap: int) -> bool:
    """Return whether a play would take longer than `cap` if it grew on as between the two sizes before it."""
    last = before[-1]
    if last.limit or last.seconds is None:
        return True
    if len(before) < 2 or before[-2].seconds is None:
        growth = 1.0 if last.axis in ("rounds", "seeds") else 0.0
    else:
        growth = np.log(last.seconds / before[-2].seconds) / np.log(last.size / before[-2].size)
    return bool(last.seconds * (size / last.size) ** growth > cap)


def read_table(path: Path) -> list[Row]:
    """Return the rows of a table; none if it does not exist."""
    if not path.exists():
        return []

    def of(name: str, text: str) -> Any:
        if name in ("size", "rounds"):
            return int(text)
        words = ("algorithm", "title", "family", "axis", "limit")
        return text if name in words else float(text) if text else None

    with path.open(newline="") as file:
        return [Row(**{name: of(name, text) for name, text in row.items()}) for row in csv.DictReader(file)]


def save_table(path: Path, rows: list[Row]) -> None:
    """Write the table, in the order of algorithms, axes and sizes."""
    places = list(FAMILIES), list(AXES)
    with path.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(Row._fields)
        table.writerows(
            sorted(rows, key=lambda row: (places[0].index(row.algorithm), places[1].index(row.axis), row.size))
        )


def main() -> None:
    """Measure what is not in the table."""
    parser = argparse.ArgumentParser(description="Time rounds of games of growing size.")
    parser.add_argument("--algorithms", nargs="*", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--axes", nargs="*", default=list(AXES), choices=list(AXES))
    parser.add_argument("--cap", type=int, default=60, help="processor seconds of a play (default: 60)")
    parser.add_argument("--out", type=Path, default=TABLE, help="the table to add to")
    args = parser.parse_args()
    rows = read_table(args.out)
    for name in args.algorithms:
        timed(game_of(name, BASE), name, AXES["rounds"][0], 10, 1)  # compile, or load what is compiled
        for axis in args.axes:
            for size in AXES[axis]:
                before = [row for row in rows if (row.algorithm, row.axis) == (name, axis) and row.size <= size]
                if before and before[-1].size == size:
                    continue
                if before and too_long(before, size, args.cap):
                    rows.append(unmeasured(name, axis, size)._replace(limit=before[-1].limit or "time"))
                else:
                    rows.append(measured(name, axis, size, args.cap))
                save_table(args.out, rows)
                print(*rows[-1], flush=True)
    scalar, vector = multiply_adds_per_second()
    machine = {"machine": f"{platform.system()} {platform.machine()}", "scalar": round(scalar), "vector": round(vector)}
    save_json(args.out.with_suffix(".json"), {**machine, "memory_limit_gib": MEMORY / 2**30, "cap_seconds": args.cap})


if __name__ == "__main__":
    main()
