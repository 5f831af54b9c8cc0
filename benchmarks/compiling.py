"""Processor seconds to compile each kernel from nothing, and whether the kernels of two checkouts play alike.

    python benchmarks/compiling.py [--kinds users agents] [--algorithms club] [--beside ../before] [--long]

A kernel is an algorithm and a kind of game: those of the league's arenas, and images, whose contexts are not written
out; of an algorithm with networks it is all that ten rounds and a training need. Each is compiled in a process of its
own, with nothing compiled and nothing cached, and then plays a small game.
With ``--beside``, another checkout does the same just before, and the last column says whether both played to the same
bytes. Seconds are those of the processor, without imports, so that other work on the machine matters little. ``--long``
lists the functions that took longest, by numba's own events.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KINDS = {  # kinds of kernels, and the arena of the league that holds their algorithms
    "users": "recommendation",
    "networks": "recommendation",
    "long": "classification",
    "agents": "agents",
    "instances": "instances",
    "replay": "replay",
    "exploration": "exploration",
}
ORACLES = {"agents": ["cluster_oracle", "mean_oracle"]}
IMAGES = ["linucb_ind", "club", "sclub", "locb", "cofiba"]
"""Policies of images that the league leaves out, because its classes have one user."""
ROUNDS = 300


def kernels(kinds: list[str], algorithms: list[str]) -> list[tuple[str, str]]:
    """Return the kernels to compile, (kind, algorithm)."""
    sys.path[:0] = [str(ROOT / "src")]
    from manybandits.algorithms import catalogue
    from manybandits.planning.league import FILE, read_league

    arenas = read_league(ROOT / FILE).arenas
    found = []
    for kind in kinds:
        names = arenas[KINDS[kind]].entrants(KINDS[kind]) + ORACLES.get(kind, [])
        names += [name for name in IMAGES if kind == "long"]
        found += [(kind, name) for name in names if hasattr(catalogue.load(name), "Policy") == (kind == "networks")]
    return [one for one in found if not algorithms or one[1] in algorithms]


def game_of(kind: str) -> Any:
    """Return a small game of a kind, from the tests of the checkout."""
    from tests.algorithms import test_long, test_multiagent, test_multitask, test_nearest, test_neural
    from tests.environments import test_exploration
    from tests.harness.one_block import synthetic_game

    made: dict[str, Callable[[], Any]] = {
        "users": lambda: synthetic_game(separation=0.9),
        "networks": lambda: test_neural.DENSE,
        "long": test_long.game_of_blocks,
        "agents": test_multiagent.game,
        "instances": test_multitask.small,
        "replay": test_nearest.a_game,
        "exploration": test_exploration.a_game,
    }
    return made[kind]()


def compile_and_play(kind: str, name: str) -> dict[str, Any]:
    """Compile a kernel in this process, play, and return seconds, functions, the slowest of them and a digest."""
    os.environ["MANYBANDITS_CACHE"] = tempfile.mkdtemp()
    from numba.core import event

    from manybandits.algorithms import catalogue, contract
    from manybandits.harness.replicas import play_replicas
    from manybandits.numerics.sparse_blocks import block_log

    class Functions(event.Listener):  # type: ignore[misc]
        """Seconds of every function that is compiled, without those that it calls."""

        def __init__(self) -> None:
            self.open: list[list[float]] = []
            self.seconds: Counter[str] = Counter()

        def on_start(self, happened: Any) -> None:
            self.open.append([time.process_time(), 0.0])

        def on_end(self, happened: Any) -> None:
            began, within = self.open.pop()
            spent = time.process_time() - began
            function = happened.data["dispatcher"].py_func
            self.seconds[f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"] += spent - within
            self.count = getattr(self, "count", 0) + 1
            if self.open:
                self.open[-1][1] += spent

    if kind == "long":
        block_log.LONGEST = 10
    game, algorithm = game_of(kind), catalogue.load(name)
    setting = contract.complete(algorithm, {}, "benchmark")
    functions = Functions()
    with event.install_listener("numba:compile", functions):
        began = time.process_time()
        play_replicas(game, algorithm, [setting], [0], horizon=ROUNDS, rounds=10 if kind == "networks" else 1)
        seconds = time.process_time() - began
    digest = hashlib.sha256()
    digest.update(play_replicas(game, algorithm, [setting] * 3, [0, 1, 2], horizon=ROUNDS).to_csv().encode())
    slowest = dict(functions.seconds.most_common(12))
    return {"seconds": seconds, "functions": functions.count, "digest": digest.hexdigest(), "slowest": slowest}


def measured(checkout: Path, kind: str, name: str) -> dict[str, Any]:
    """Compile a kernel of a checkout in a process of its own."""
    path = os.pathsep.join([str(checkout / "src"), str(checkout)])
    told = subprocess.run(
        [sys.executable, __file__, "--child", kind, name],
        env={**os.environ, "PYTHONPATH": path},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode:
        raise RuntimeError(f"{name} ({kind}) of {checkout} could not be compiled:\n{told.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time the compilation of kernels.")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--algorithms", nargs="*", default=[])
    parser.add_argument("--beside", type=Path, help="another checkout, to compare with")
    parser.add_argument("--long", action="store_true", help="list the functions that took longest")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(compile_and_play(*args.child)))
        return
    checkouts = [args.beside.resolve(), ROOT] if args.beside else [ROOT]
    print("| kind | algorithm |" + " before | functions |" * bool(args.beside) + " seconds | functions | same bytes |")
    print("|---|---|" + "---:|---:|" * len(checkouts) + "---|")
    sums, alike = [0.0] * len(checkouts), []
    for kind, name in kernels(args.kinds, args.algorithms):
        rows = [measured(checkout, kind, name) for checkout in checkouts]
        sums = [total + row["seconds"] for total, row in zip(sums, rows, strict=True)]
        alike.append(len({row["digest"] for row in rows}) == 1)
        cells = " | ".join(f"{row['seconds']:.1f} | {row['functions']}" for row in rows)
        print(f"| {kind} | {name} | {cells} | {'yes' if alike[-1] else 'NO'} |", flush=True)
        if args.long:
            for function, seconds in rows[-1]["slowest"].items():
                print(f"    {seconds:5.2f}  {function}")
    print(f"| all | {len(alike)} kernels | " + " | | ".join(f"{total:.0f}" for total in sums) + f" | | {sum(alike)} |")


if __name__ == "__main__":
    main()
