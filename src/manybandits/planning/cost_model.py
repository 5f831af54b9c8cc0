"""What a job costs before it runs: seconds of one core, memory and disk, from measured rates.

``rates.csv`` has one row per measured play: the nanoseconds of a round of one replica on one core, and the memory of
its process. A play that was measured costs its rate times its rounds and replicas. One that was not costs what the
plays cost that are most like it, by their median (see `LEVELS`). Seconds are proportional to the number of rounds: too
few for algorithms whose rounds get slower as they learn, such as those with kernels, and too many for networks, which
train less and less. ``steps.csv`` has one row per rule that plays nothing: what its jobs cost, and what they ask for.

    python -m manybandits.planning.cost_model --costs reports/paper-scale/tables/cost.csv

replaces the rates of the plays in the table of costs that every run makes; those of other plays stay.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pandas as pd
from msgspec import Struct, convert
from msgspec.structs import asdict

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import read_rows, save_csv
from manybandits.environments import catalogue as games
from manybandits.planning.figures import Regression
from manybandits.planning.jobs import Play
from manybandits.planning.record import Job

RATES = Path(__file__).with_name("rates.csv")
STEPS = Path(__file__).with_name("steps.csv")
LEVELS = (
    ("paper", "game", "title"),
    ("game", "title"),
    ("game", "algorithm"),
    ("kind", "algorithm"),
    ("algorithm",),
    ("kind",),
    (),
)
"""What a play has in common with the measured plays it is priced by, the closest first. kind: that of its game."""
MEASURED = 2
"""The number of levels at which the play itself was measured: the same algorithm and options on the same game."""
START = 4.0
"""Seconds in which the process of a job starts and imports what it needs."""
PROCESS = 250
"""MB of a process that do not grow with the number of replicas: the interpreter and numba."""
ROW = 64e-6
"""MB of one row of a run table, of which a replica has one per checkpoint."""
CHECKPOINTS = 200
DRAW = 600e-6
"""Seconds that a table of errors takes for one instance of one draw: the median of 16 tables, of 150 to 1,700 us."""


class Cost(NamedTuple):
    """The cost of a job. seconds: of one core; level: how close the measured plays are, an index of `LEVELS`."""

    seconds: float
    memory_mb: float
    disk_mb: float
    level: int = 0


class Rate(Struct, frozen=True, order=True):
    """What a play cost that was measured: a row of ``rates.csv``."""

    paper: str
    game: str
    title: str
    algorithm: str
    replicas: int
    rounds: int  # of one replica, on average over tuning and evaluation
    nanoseconds: int  # of one core, for a round of one replica
    memory_mb: int

    @classmethod
    def from_costs(cls, row: Mapping[str, Any]) -> Rate:
        """Return the rate of a play from its row in a table of costs (`manybandits.tables.cost`)."""
        speed, replicas = float(row["rounds_per_second"]), int(row["replicas"])
        return cls(
            paper=row["paper"],
            game=row["environment"],
            title=row["algorithm"],
            algorithm=row["file"],
            replicas=replicas,
            rounds=round(speed * float(row["seconds"]) / replicas),
            nanoseconds=round(1e9 * int(row["threads"]) / speed),
            memory_mb=int(row["peak_memory_mib"]),
        )

    @property
    def key(self) -> tuple[str, str, str]:
        return self.paper, self.game, self.title

    @property
    def kind(self) -> str:
        return kind_of(self.game)

    def memory_of(self, replicas: int) -> float:
        """Return the memory of this play with a number of replicas; with fewer it may be as large as it was."""
        return PROCESS + max(0, self.memory_mb - PROCESS) * max(1.0, replicas / self.replicas)


@cache
def kind_of(game: str) -> str:
    """Return the kind of a game by its name: of this package, its module; of a plug-in, the name itself."""
    known = max((name for name in games.GAMES if game.startswith(name)), key=len, default="")
    return games.GAMES[known].rpartition(".")[2] if known else game


def stages_of(play: Play) -> dict[str, tuple[int, int]]:
    """Return for each stage of a play its number of replicas and its number of rounds."""
    spec = play.spec
    points, seeds = math.prod(map(len, spec.grid.values())), len(spec.seeds)
    if points == 1 or spec.tuning == "best-of-grid":
        return {"evaluation": (points * seeds, spec.horizon)}
    rounds = (spec.tuning_rounds or spec.horizon) // (2 if spec.tuning == "halving" else 1)
    return {"tuning": (points * len(spec.tuning_seeds), rounds), "evaluation": (seeds, spec.horizon)}


def read_rates(path: Path) -> list[Rate]:
    """Return the rates in a table; none if it does not exist."""
    return [convert(row, Rate, strict=False) for row in read_rows(path)] if path.exists() else []  # numbers are text


class CostModel:
    """Prices of jobs. speed: the seconds of this machine for one second of the machine that was measured."""

    def __init__(self, rates: Path = RATES, steps: Path = STEPS, speed: float = 1.0) -> None:
        self.speed = speed
        self._steps = {row["rule"]: row for row in read_rows(steps)}
        self._alike: dict[tuple[str, ...], list[Rate]] = {}
        for rate in read_rates(rates):
            for names in LEVELS:
                self._alike.setdefault(tuple(f"{name}={getattr(rate, name)}" for name in names), []).append(rate)

    def of_play(self, play: Play) -> Cost:
        """Return the cost of a play, without the start of its process."""
        facts = {
            "paper": play.paper,
            "game": play.environment.name,
            "title": play.spec.title,
            "algorithm": catalogue.short_name(play.spec.algorithm),
            "kind": kind_of(play.environment.name),
        }
        keys = [tuple(f"{name}={facts[name]}" for name in names) for names in LEVELS]
        level = next(number for number, key in enumerate(keys) if key in self._alike)
        alike, stages = self._alike[keys[level]], stages_of(play).values()
        rounds = sum(count * length for count, length in stages)
        return Cost(
            seconds=self.speed * rounds * median(rate.nanoseconds for rate in alike) / 1e9,
            memory_mb=max(rate.memory_of(max(count for count, _ in stages)) for rate in alike),
            disk_mb=ROW * sum(count * min(length, CHECKPOINTS) for count, length in stages),
            level=level,
        )

    def of_job(self, job: Job) -> Cost:
        """Return the cost of a job, without the start of its process. The plays of a batch follow one another."""
        if isinstance(job.of, Regression):
            return self.of_regression(job.of)
        if not job.plays:
            return self.of_step(job.rule.step)
        seconds, memory, disk, levels = zip(*map(self.of_play, job.plays), strict=True)
        return Cost(sum(seconds), max(memory), sum(disk), max(levels))

    def of_step(self, rule: str) -> Cost:
        """Return the cost of a job of a rule that plays nothing, without the start of its process."""
        row = self._steps[rule]
        return Cost(self.speed * float(row["seconds"]), float(row["memory_mb"]), float(row["disk_mb"]))

    def of_regression(self, regression: Regression) -> Cost:
        """Return the cost of a table of errors, without the start of its process; the step has its memory and disk."""
        from manybandits.estimators.comparison import Point, points_of  # here, because it imports numba

        swept = points_of(regression.settings, regression.sweeps).values()
        points = [point for sweep in swept for point in sweep.values()] or [Point.of(regression.settings)]
        evaluation, tuning = len(regression.seeds), len(regression.tuning_seeds)
        draws = sum(
            point.setting.instances * (evaluation + (tuning if len(point.constants) > 1 else 0)) for point in points
        )
        return self.of_step("regression")._replace(seconds=self.speed * DRAW * draws)

    def limits_of_step(self, rule: str) -> tuple[int, int, int]:
        """Return what a job of such a rule asks for: MB of memory, minutes, and MB of disk."""
        row = self._steps[rule]
        return int(row["ask_memory_mb"]), int(row["ask_minutes"]), int(row["ask_disk_mb"])


def main(argv: list[str] | None = None) -> None:
    """Write the table of rates."""
    parser = argparse.ArgumentParser(description="Write the rates of the cost model from tables of costs.")
    parser.add_argument("--costs", type=Path, nargs="+", required=True, help="tables/cost.csv of runs")
    parser.add_argument("--out", type=Path, default=RATES, help="the table to write (default: that of the package)")
    args = parser.parse_args(argv)
    measured = (Rate.from_costs(row) for path in args.costs for row in read_rows(path))
    rates = {rate.key: rate for rate in (*read_rates(args.out), *measured)}
    save_csv(args.out, pd.DataFrame(map(asdict, sorted(rates.values()))))


if __name__ == "__main__":
    run_script(main)
