"""Rates of planned plays from short plays of their first rounds, in processor seconds.

    python -m manybandits.planning.timing --config configs/paper-scale.yaml --least 60 --only sclb_pmlb

plays what no run has measured: one play of each algorithm on each shape of game whose plays are estimated to take more
than ``--least`` seconds together, for `SECONDS` each, and adds its rate to ``timed_rates.csv``, by which the cost model
prices it and what is like it. ``--measured`` times plays that were measured, instead, and prints how much longer they
take than said; nothing is written. Games of data are left out, because they would have to be made first.

Seconds are those of the processor, so that other work on the machine matters little. Rounds that get slower or faster
later are not seen: see `manybandits.planning.cost_model`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pandas as pd
from msgspec.structs import asdict

from manybandits.algorithms import catalogue, contract
from manybandits.base.exceptions import run_script
from manybandits.base.project import find_root, overlay_file
from manybandits.base.table_files import save_csv
from manybandits.environments.catalogue import load_module
from manybandits.environments.game_file import load_game
from manybandits.harness.arguments import expand_grid
from manybandits.harness.replicas import play_replicas
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import MEASURED, TIMED, CostModel, Rate, read_rates, stages_of
from manybandits.planning.jobs import Play
from manybandits.planning.plan import make_plan
from manybandits.planning.shapes import shape_of

SECONDS = 1.0
"""Processor seconds by which the last attempt takes longer than the one before, at least, unless the play ends before.
It takes at least twice as long, too, so that most of it are rounds, and not the start."""
FASTER = 4
"""By how much longer the next attempt is, if one took less."""
FIRST = 100
"""Rounds of the first attempt."""


def time_play(play: Play, game_file: Path, pipe: Connection) -> None:
    """Send the rate of the first rounds of the longest stage of a play."""
    spec, game = play.spec, load_game(game_file)
    algorithm = catalogue.load(spec.algorithm)
    points = expand_grid(algorithm, contract.known_to(spec.protocol, algorithm, spec.grid), play.name)
    stages = stages_of(play)
    stage = max(stages, key=lambda name: stages[name][0] * stages[name][1])
    tuning = stage == "tuning" or spec.tuning == "best-of-grid"
    seeds = spec.tuning_seeds if stage == "tuning" else spec.seeds
    points = points if tuning else points[:1]
    settings, all_seeds = [point for point in points for _ in seeds], list(seeds) * len(points)

    def seconds_of(rounds: int) -> float:
        began = time.process_time()
        how = {"protocol": spec.protocol, "horizon": spec.horizon, "rounds": rounds}
        play_replicas(game, algorithm, settings, all_seeds, progress=False, **how)  # type: ignore[arg-type]
        return time.process_time() - began

    play_replicas(game, algorithm, settings[:1], all_seeds[:1], horizon=spec.horizon, rounds=1, progress=False)
    rounds = min(FIRST, stages[stage][1])
    before, played, spent = 0.0, 0, seconds_of(rounds)
    while rounds < stages[stage][1] and (not played or spent < before + SECONDS or spent < 2 * before):
        before, played = spent, rounds
        rounds = min(FASTER * rounds, stages[stage][1])
        spent = seconds_of(rounds)
    counted = rounds if rounds == stages[stage][1] else rounds - played
    spent -= 0.0 if rounds == stages[stage][1] else before  # what takes time once takes it in both
    pipe.send(
        Rate(
            paper=play.paper,
            game=play.environment.name,
            title=spec.title,
            algorithm=catalogue.short_name(spec.algorithm),
            replicas=len(settings),
            rounds=rounds,
            nanoseconds=round(1e9 * spent / (counted * len(settings))),
            memory_mb=round(peak_memory() / 2**20),
        )
    )


def peak_memory() -> int:
    """Return the peak memory of this process in bytes. `getrusage` would count that of the process that started it."""
    status = Path("/proc/self/status").read_text()
    return 2**10 * int(status.partition("VmHWM:")[2].split()[0])


def timed(play: Play) -> Rate:
    """Return the rate of a play, from a process of its own, so that its peak memory is its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{play.environment.name}.npz")
        load_module(play.environment.module).main([*play.environment.arguments, "--out", str(path)])
        here, there = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(target=time_play, args=(play, path, there))
        process.start()
        there.close()
        rate: Rate = here.recv()
        process.join()
    return rate


def chosen(plays: list[Play], model: CostModel, least: float, measured: bool) -> list[Play]:
    """Return one play for each algorithm and shape of game whose plays cost more than `least` seconds together.

    measured: of plays that were measured, or else of plays that were not. The dearest first, and of those that are
    alike the dearest one.
    """
    groups: dict[tuple[object, ...], list[tuple[float, Play]]] = {}
    for play in plays:
        cost = model.of_play(play)
        if not play.environment.datasets and (cost.level <= MEASURED) == measured:
            shape = tuple(shape_of(play.environment.name).items())
            key = play.paper, play.environment.module, play.spec.algorithm, shape
            groups.setdefault(key, []).append((cost.seconds, play))
    sums = sorted(((sum(seconds for seconds, _ in alike), alike) for alike in groups.values()), key=lambda one: -one[0])
    return [max(alike, key=lambda one: one[0])[1] for seconds, alike in sums if seconds > least]


def main(argv: list[str] | None = None) -> None:
    """Time plays and add their rates to the table."""
    parser = argparse.ArgumentParser(description="Time the first rounds of plays that no run has measured.")
    parser.add_argument("--config", type=Path, nargs="*", default=[], help="overlays of config.yaml (default: none)")
    parser.add_argument("--least", type=float, default=60.0, help="estimated seconds of plays that are alike, together")
    parser.add_argument("--only", nargs="*", default=[], help="papers (default: all)")
    parser.add_argument("--measured", action="store_true", help="compare the rates of plays that were measured")
    parser.add_argument("--out", type=Path, default=TIMED, help="the table to add to (default: that of the package)")
    given = parser.parse_args(argv)
    root = find_root()
    plan = make_plan(load_configuration(root, [overlay_file(path, root) for path in given.config]), root)
    plays = [play for name, play in plan.plays.items() if not given.only or name.split("/")[0] in given.only]
    model = CostModel(timed=given.out)
    for play in chosen(plays, model, given.least, given.measured):
        rate, cost = timed(play), model.of_play(play)
        said = 1e9 * cost.seconds / sum(count * length for count, length in stages_of(play).values())
        sys.stdout.write(f"{play.name}: {rate.nanoseconds} ns a round, {rate.nanoseconds / said:.2f} times as said\n")
        sys.stdout.flush()
        if not given.measured:
            save_csv(given.out, pd.DataFrame(map(asdict, sorted([*read_rates(given.out), rate]))))


if __name__ == "__main__":
    run_script(main)
