"""Estimate of the run time of a configuration at paper scale, from the costs of shorter runs of its plays.

    python -m manybandits.planning.estimate --config configs/reduced.yaml --cores 2

The estimate of a play is the cost of a round of one replica when its run table was made, whatever the settings were,
times the number of rounds in the paper: all grid points on the tuning seeds, and the reported seeds. Networks are
trained ten times as often in the first `EARLY` rounds as later. If a run was tuned on such rounds alone, tuning gives
the cost of an early round, and the rest of the time of the reported seeds gives that of a later one.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import pandas as pd

from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.project import find_root, overlay_file
from manybandits.planning.configuration import load_configuration
from manybandits.planning.jobs import Play
from manybandits.planning.plan import make_plan

EARLY = 1000
"""Rounds in which networks are trained more often."""


def stages_of(play: Play) -> dict[str, tuple[int, int]]:
    """Return for each stage of a play its number of replicas and its number of rounds."""
    spec = play.spec
    points, seeds = math.prod(map(len, spec.grid.values())), len(spec.seeds)
    if points == 1 or spec.tuning == "best-of-grid":
        return {"evaluation": (points * seeds, spec.horizon)}
    tuning = points * len(spec.tuning_seeds), spec.tuning_rounds or spec.horizon
    return {"tuning": tuning, "evaluation": (seeds, spec.horizon)}


def prices(stages: dict[str, dict[str, float]]) -> tuple[float, float]:
    """Return the seconds of a round of one replica in the first `EARLY` rounds, and after them."""
    rate = {name: stage["seconds"] / (stage["replicas"] * stage["rounds"]) for name, stage in stages.items()}
    whole, rounds = rate["evaluation"], stages["evaluation"]["rounds"]
    if "tuning" not in stages or stages["tuning"]["rounds"] > EARLY or rounds <= EARLY:
        return whole, whole
    return rate["tuning"], max(0.0, rounds * whole - EARLY * rate["tuning"]) / (rounds - EARLY)


def price(plays: dict[str, Play], runs: Path) -> pd.DataFrame:
    """Return one row per play: algorithm, rounds, and seconds of one core, NaN if it was never run."""
    rows = []
    for name, play in plays.items():
        path = runs / f"{name}.parquet"
        stages, seconds = stages_of(play).values(), float("nan")
        if path.exists():
            costs = load_provenance(path)["made_on"]
            early, late = prices(costs["stages"])
            one = [replicas * (min(r, EARLY) * early + max(r - EARLY, 0) * late) for replicas, r in stages]
            seconds = sum(one) * costs["threads"]
        rounds = sum(replicas * r for replicas, r in stages)
        rows.append({"play": name, "algorithm": play.spec.algorithm, "rounds": rounds, "seconds": seconds})
    return pd.DataFrame(rows)


def main(argv: list[str] | None = None) -> None:
    """Print the estimate."""
    parser = argparse.ArgumentParser(description="Estimate how long a configuration takes at paper scale.")
    parser.add_argument("--config", type=Path, nargs="*", default=[], help="overlays of config.yaml")
    parser.add_argument("--cores", type=int, default=2, help="cores to divide the time by (default: 2)")
    given = parser.parse_args(argv)
    root = find_root()
    config = load_configuration(root, [overlay_file(path, root) for path in given.config])
    for shortened in (config, *config.get("per_paper", {}).values()):
        shortened.pop("settings", None)  # so that the papers' settings hold
    table = price(make_plan(config, root).plays, Path("artifacts") / config["name"] / "runs")
    if table["seconds"].isna().all():
        raise InputError(
            f"no play of {config['name']!r} was ever run: run it once with fewer rounds, then estimate again."
        )
    by_algorithm = table.groupby("algorithm").agg(
        plays=("play", "count"), unpriced=("seconds", lambda s: int(s.isna().sum())), hours=("seconds", "sum")
    )
    by_algorithm["hours"] /= 3600
    sys.stdout.write(by_algorithm.sort_values("hours", ascending=False).round(2).to_string() + "\n")
    total = table["seconds"].sum() / 3600
    unpriced = int(table["seconds"].isna().sum())
    sys.stdout.write(
        f"{total:.1f} hours of one core, {total / given.cores:.1f} hours on {given.cores}; "
        f"{unpriced} of {len(table)} plays were never run and are not included\n"
    )


if __name__ == "__main__":
    run_script(main)
